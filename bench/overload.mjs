// node bench/overload.mjs [times=10] [seconds=6] [connections=3000] [unread=20000]: what happens far beyond what the service
// carries. Prints what accepted and shed requests waited, how health answers meanwhile, memory, and how soon it is as before.
import { request } from "node:http";
import { closeAll, closeOnSignals, isClosing } from "./closing.mjs";
import { percentile } from "./rounds.mjs";
import { makeAccounts } from "./setup/accounts.mjs";
import { startPostgres, withConnection } from "./setup/database.mjs";
import { OPERATOR_KEY, startService } from "./setup/service.mjs";
import { startWorker } from "./worker-process.mjs";

const PROBE_MILLISECONDS = 50;
const SETTLED = { connections: 256, rampMilliseconds: 300, windowMilliseconds: 2_000 };
const WELL_MILLISECONDS = 50;

function readOptions(args) {
  const given = Object.fromEntries(args.map((arg) => arg.split("=")));
  return {
    times: Number(given.times ?? 10),
    seconds: Number(given.seconds ?? 6),
    connections: Number(given.connections ?? 3_000),
    unread: Number(given.unread ?? 20_000),
    accounts: Number(given.accounts ?? 100),
  };
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  const postgres = await startPostgres();
  const databaseUrl = await postgres.create("overload");
  const service = await startService({ databaseUrl });
  const [victim, ...accounts] = await makeAccounts(service, options.accounts + 1);
  const load = startWorker(new URL("load/worker.mjs", import.meta.url));
  const probe = startProbe(service, victim);

  const peak = await settled(load, service, accounts);
  say("settled a second before", Math.round(peak));
  say("idle", await probe.during(() => new Promise((resolve) => setTimeout(resolve, 1_500))));
  if (options.times > 0) await overload({ options, load, service, accounts, probe, peak, databaseUrl });
  for (const connections of options.unread > 0 ? [1, 100] : []) await unread({ options, load, service, accounts, probe, connections });
  say("settled a second after", Math.round(await settled(load, service, accounts)));
  const ledger = await service.call("/ledger/check");
  say("ledger", ledger.ok ? "holds" : ledger.checks.filter((check) => check.violations > 0));
  await closeAll();
}

async function settled(load, service, accounts) {
  await load.ask("signRecharges", { accounts, count: 30_000, group: "main" });
  const { perSecond } = await load.ask("closedLoop", { ports: [service.port], ...SETTLED });
  return perSecond ?? 0;
}

async function overload({ options, load, service, accounts, probe, peak, databaseUrl }) {
  const perSecond = Math.round(peak * options.times);
  await load.ask("signRecharges", { accounts, count: perSecond * options.seconds, group: "main" });
  let result;
  const health = await probe.during(async () => {
    result = await load.ask("flood", { port: service.port, connections: options.connections, perSecond });
  });
  const recovery = await probe.recovered();
  say(`${options.times} times the load`, {
    offered: perSecond,
    sentPerSecond: Math.round(result.sent / result.seconds),
    acceptedPerSecond: Math.round(result.made.indexes.length / result.seconds),
    accepted: spread(result.made.milliseconds),
    shed: spread(result.shed.milliseconds),
    leftOpen: spread(result.open.milliseconds),
    statuses: result.statuses,
    unsent: result.unsent,
    unanswered: result.unanswered,
    drainMilliseconds: Math.round(result.drainMilliseconds),
  });
  say("meanwhile", health);
  say("milliseconds until a request takes less than 50", Math.round(recovery));
  say("orders", await withConnection(databaseUrl, (sql) => created(sql, result)));
}

/** How many orders there are of those that were shed, and of those that were accepted. */
async function created(sql, { made, shed, open }) {
  const count = async (references) => {
    let found = 0;
    for (let at = 0; at < references.length; at += 20_000) {
      const [row] = await sql`
        select count(*)::int as count from orders where reference = any(${references.slice(at, at + 20_000)}::text[])`;
      found += row.count;
    }
    return found;
  };
  return {
    shed: shed.references.length,
    shedButCreated: await count(shed.references),
    accepted: await count(made.references),
    leftOpen: open.references.length,
  };
}

async function unread({ options, load, service, accounts, probe, connections }) {
  for (const [name, senders] of [
    ["one account", accounts.slice(0, 1)],
    ["a wrong token", [{ token: "tok_live_wrong", secret: "wrong" }]],
  ]) {
    await load.ask("signRecharges", { accounts: senders, count: options.unread, group: "unread" });
    const health = await probe.during(() => load.ask("unread", { port: service.port, connections, milliseconds: 4_000 }));
    const recovery = Math.round(await probe.recovered());
    say(`${options.unread} pipelined and never read, ${connections} connection(s), ${name}`, { ...health, recovery });
  }
}

/** Asks the service what others would ask it, on connections of their own, again and again. */
function startProbe(service, victim) {
  const paths = {
    readyz: ["/readyz", {}],
    readyzOfMetricsPort: ["/readyz", {}, service.metricsPort],
    healthz: ["/healthz", {}],
    metrics: ["/metrics", { authorization: `Bearer ${OPERATOR_KEY}` }],
    another: ["/api/corp/v1/balance", { "x-api-token": victim.token }],
  };
  const ask = (name) => timed(paths[name][0], paths[name][1], paths[name][2] ?? service.port);
  return {
    during: async (work) => {
      const seen = Object.fromEntries(Object.keys(paths).map((name) => [name, []]));
      const statuses = {};
      let [going, megabytes] = [true, 0];
      const loops = Object.keys(paths).map(async (name) => {
        while (going) {
          const { status, milliseconds } = await ask(name);
          seen[name].push(milliseconds);
          statuses[`${name} ${status}`] = (statuses[`${name} ${status}`] ?? 0) + 1;
          megabytes = Math.max(megabytes, (await service.residentMegabytes()) ?? 0);
          await new Promise((resolve) => setTimeout(resolve, PROBE_MILLISECONDS));
        }
      });
      await work();
      going = false;
      await Promise.all(loops);
      return { ...Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, spread(all)])), statuses, megabytes };
    },
    recovered: async () => {
      const startedAt = performance.now();
      for (;;) {
        const { status, milliseconds } = await ask("another");
        if (milliseconds < WELL_MILLISECONDS && status !== 503) return performance.now() - startedAt;
      }
    },
  };
}

function timed(path, headers, port) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (status) => resolve({ status, milliseconds: performance.now() - startedAt });
    // Signing is asked of every account here: a refusal says as well how long an answer takes.
    const asked = request({ port, host: "127.0.0.1", path, headers, agent: false }, (reply) => {
      reply.resume().on("end", () => done(reply.statusCode));
    });
    asked.on("error", (error) => done(error.code)).end();
  });
}

function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => Math.round(percentile(sorted, share) ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: Math.round(sorted.at(-1) ?? 0) };
}

function say(name, figure) {
  process.stdout.write(`${name}: ${JSON.stringify(figure)}\n`);
}

closeOnSignals();
try {
  await main();
} catch (error) {
  if (!isClosing()) process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = 1;
  await closeAll();
}
