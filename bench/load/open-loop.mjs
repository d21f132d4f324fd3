import { connectClient } from "./connection.mjs";

const STEP_MILLISECONDS = 1;

/**
 * Requests leave at their times whether or not the ones before are answered, and latency counts from when a request
 * was due: a service that falls behind cannot hide it by slowing its client down.
 *
 * @param {{ port: number, connections: number, perSecond: number }} pace @param {readonly Buffer[]} requests
 * @returns {Promise<{ latencies: number[], failed: number }>} in milliseconds, sorted
 */
export async function runOpenLoop(pace, requests) {
  const latencies = [];
  const waiting = [];
  const idle = [];
  let failed = 0;
  let answered = 0;
  await new Promise((resolve, reject) => {
    const opened = Array.from({ length: pace.connections }, () => {
      const slot = { connection: null, dueAt: 0 };
      slot.connection = connectClient(
        pace.port,
        (outcome) => {
          latencies.push(performance.now() - slot.dueAt);
          if (!outcome.success) failed++;
          if (++answered === requests.length) resolve();
          const next = waiting.shift();
          if (next) start(slot, next);
          else idle.push(slot);
        },
        reject,
      );
      idle.push(slot);
      return slot.connection.opened;
    });
    Promise.all(opened).then(() => feed(pace, requests, idle, waiting), reject);
  });
  for (const slot of idle) slot.connection.close();
  return { latencies: latencies.sort((a, b) => a - b), failed };
}

function start(slot, request) {
  slot.dueAt = request.dueAt;
  slot.connection.send(request.bytes);
}

function feed(pace, requests, idle, waiting) {
  const startedAt = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = Math.min(requests.length, 1 + Math.floor(((performance.now() - startedAt) / 1000) * pace.perSecond));
    for (; next < due; next++) {
      const request = { bytes: requests[next], dueAt: startedAt + (next / pace.perSecond) * 1000 };
      // The one that has been idle for longest: the service closes connections that send nothing for a while.
      const slot = idle.shift();
      if (slot) start(slot, request);
      else waiting.push(request);
    }
    if (next === requests.length) clearInterval(timer);
  }, STEP_MILLISECONDS);
}
