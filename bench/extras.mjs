import { temporaryFolder } from "./closing.mjs";
import { difference, meanStages } from "./report/stages.mjs";
import { round } from "./rounds.mjs";
import { startService } from "./setup/service.mjs";
import { latencies, watchMachine } from "./slow-moments.mjs";

const LATENCY_CONNECTIONS = 256;

/** POST /recharge at half the peak: what a client waits when the service is not driven to its limit. */
export async function latencyAtHalf(world, options, peakPerSecond) {
  const { service, accounts } = await world.main();
  const perSecond = Math.round(peakPerSecond / 2);
  await world.client.ask("signRecharges", { accounts, count: perSecond * options.latencySeconds, group: "main" });
  const before = await service.metrics();
  const pace = { port: service.port, connections: LATENCY_CONNECTIONS, perSecond };
  const { result, slow } = await watchMachine(world, () => world.client.ask("openLoop", pace));
  return {
    perSecond,
    failed: result.failed,
    ...latencies(result.replies, slow),
    "where the time goes, milliseconds": meanStages(difference(before, await service.metrics())),
  };
}

/** From the command to ready, once built: on an empty folder and, in a full run, on the folder that it left. */
export async function startSeconds({ quick }) {
  const dataFolder = temporaryFolder("corprail-bench-start-");
  const first = await timedStart(dataFolder);
  return quick ? { first } : { first, again: await timedStart(dataFolder) };
}

async function timedStart(dataFolder) {
  const startedAt = performance.now();
  const service = await startService({ dataFolder, command: ["scripts/start.mjs"] });
  const seconds = (performance.now() - startedAt) / 1000;
  await service.stop();
  return round(seconds);
}

/** Drives the service until it has settled so many orders. */
export async function settleOrders(measure, orders, perSecond, windowMilliseconds) {
  const rounds = Math.ceil(orders / ((perSecond * windowMilliseconds) / 1000));
  for (let round = 0; round < rounds; round++) await measure();
}
