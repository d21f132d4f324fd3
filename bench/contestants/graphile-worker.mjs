// The baseline of the deliveries: graphile-worker with the batching that its documentation has for throughput
// (worker.graphile.org/docs/performance): jobs added in bulk, a local queue, completions together. Its task makes the
// same message, posts it and logs the attempt in the same table before the job is done: by a prepared statement on the
// worker's own pool or, as "batched", in batches like ours, which graphile-worker itself has nothing for.
import { createSecretKey } from "node:crypto";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { Agent, request } from "undici";
import { formatCallback } from "../../server/dist/domain/callbacks/delivery/formats.js";
import { randomIds } from "../../server/dist/platform/core/ids.js";
import { createBatcher } from "../../server/dist/platform/db/batching/batcher.js";
import { connect } from "../../server/dist/platform/db/connection.js";
import { serveTasks } from "../serve-tasks.mjs";

const [url, logging] = process.argv.slice(2);
const CONCURRENCY = 256;
const CONNECTIONS = 20;
const LOCAL_QUEUE = 500;
const LOOK_AGAIN_MILLISECONDS = 10;
const quiet = new Logger(() => () => {});
const ids = randomIds();
const agent = new Agent({ pipelining: 1, keepAliveTimeout: 2_000, headersTimeout: 10_000, bodyTimeout: 10_000 });
const { sql } = connect({ url, role: null, connections: 2 });
const preset = {
  worker: {
    connectionString: url,
    concurrentJobs: CONCURRENCY,
    maxPoolSize: CONNECTIONS,
    localQueue: { size: LOCAL_QUEUE },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger: quiet,
  },
};
const log = createBatcher({ run: logAttempts, maxItems: 500, maxInFlight: 2 });
let utils = null;
let targets = [];
let jobs = [];

async function prepare({ urls, secrets }) {
  targets = urls.map((text, place) => ({ url: new URL(text), text, key: createSecretKey(Buffer.from(secrets[place])) }));
  utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: 2, logger: quiet });
  await utils.migrate();
  // It stays: its pool outlives a runner that is stopped by ten seconds.
  await run({ preset, taskList: { deliver }, noHandleSignals: true, parsedCronItems: [] });
}

async function fill({ count }) {
  await sql`truncate callback_attempts, graphile_worker._private_jobs`;
  jobs = Array.from({ length: count }, (_, at) => ({ identifier: "deliver", payload: payload(at) }));
}

async function start() {
  await utils.addJobs(jobs);
  await sql`analyze graphile_worker._private_jobs`;
}

function payload(at) {
  const id = ids.entry(Date.now());
  const facts = { orderId: `O${id}`, urid: crypto.randomUUID(), status: "SUCCESS", amount: 100000, target: "9876543000" };
  return { place: at % targets.length, account_id: `A${at % targets.length}`, callback_id: id, ...facts, operatorRef: "SIM123456789012" };
}

async function deliver({ place, account_id, callback_id, ...facts }, helpers) {
  const { url, text, key } = targets[place];
  const at = Date.now();
  const startedAt = performance.now();
  const stamp = { ts: Math.floor(at / 1000), nonce: ids.request() };
  const message = formatCallback(3, { kind: "status", ...facts, amount: BigInt(facts.amount) }, stamp, url, key);
  const { statusCode, body } = await request(url, { dispatcher: agent, method: "POST", headers: message.headers, body: message.body });
  await body.dump();
  const milliseconds = Math.round(performance.now() - startedAt);
  const attempt = { account_id, callback_id, at: new Date(at).toISOString(), url: text, status: statusCode, milliseconds };
  if (logging === "batched") await log.submit(attempt);
  else await helpers.withPgClient((client) => client.query({ name: "log", text: LOG, values: Object.values(attempt) }));
  if (statusCode !== 200) throw new Error(`The receiver answered ${statusCode}.`);
}

const LOG = `
  insert into callback_attempts (account_id, callback_id, attempt, at, url, version, http_status, milliseconds)
  values ($1, $2, 1, $3, $4, 3, $5, $6)`;

async function logAttempts(attempts) {
  await sql`
    insert into callback_attempts (account_id, callback_id, attempt, at, url, version, http_status, milliseconds)
    select account_id, callback_id, 1, at, url, 3, http_status, milliseconds
    from unnest(${attempts.map((one) => one.account_id)}::text[], ${attempts.map((one) => one.callback_id)}::text[],
      ${attempts.map((one) => one.at)}::timestamptz[], ${attempts.map((one) => one.url)}::text[],
      ${attempts.map((one) => one.status)}::integer[], ${attempts.map((one) => one.milliseconds)}::integer[])
      as a (account_id, callback_id, at, url, http_status, milliseconds)`;
  return attempts;
}

/** Takes back what nobody has begun and waits for the rest; answers how many attempts were logged as delivered. */
async function stop() {
  await sql`delete from graphile_worker._private_jobs where locked_at is null`;
  for (;;) {
    const [{ left }] = await sql`select count(*)::integer as left from graphile_worker._private_jobs`;
    if (left === 0) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLISECONDS));
  }
  const [{ logged }] = await sql`select count(*)::integer as logged from callback_attempts where http_status = 200`;
  return logged;
}

serveTasks({ prepare, fill, start, stop });
