const STAGES = ["read", "gate", "work", "write"];
const BATCHES = ["gate", "writer", "look-up"];

/** What was added to the metrics between two readings. */
export function difference(before, after) {
  return new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));
}

/** Mean milliseconds of each stage of a request, and of each batcher's parts, where the service exports them. */
export function meanStages(samples) {
  const means = {};
  for (const stage of STAGES) put(means, stage, samples, "corprail_request_stage_seconds", `stage="${stage}"`, 1000);
  for (const batch of BATCHES) {
    for (const part of ["wait", "sql"])
      put(means, `${batch} ${part}`, samples, "corprail_batch_seconds", `batch="${batch}",part="${part}"`, 1000);
    put(means, `${batch} items a batch`, samples, "corprail_batch_items", `batch="${batch}"`, 1);
  }
  return means;
}

function put(means, name, samples, metric, labels, scale) {
  const count = samples.get(`${metric}_count{${labels}}`) ?? 0;
  if (count > 0) means[name] = round(((samples.get(`${metric}_sum{${labels}}`) ?? 0) / count) * scale);
}

function round(value) {
  return Math.round(value * 100) / 100;
}
