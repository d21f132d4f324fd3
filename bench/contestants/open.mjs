import { deliveryRound } from "../delivery/rounds.mjs";
import { difference } from "../report/stages.mjs";
import { cpuSeconds, postgresCpuSeconds } from "../setup/cpu.mjs";
import { suppliedRound } from "../supplied-round.mjs";

const CONNECTIONS = 256;
// It works on twenty at once; more than keep those busy would only wait, and be waited for at the end of a round.
const SINGLE_CONNECTIONS = 64;
// More than the round before needed, so that the supply of signed requests lasts.
const SPARE = 1.4;
// One until the ramp ends, one until the window does, one still under way then, and one to spare.
const CYCLES = 4;
const FIRST_GUESS = 6_000;
const HTTP_WARM_UP = 3;

/**
 * How each contestant of the table is measured: opened once, then run round after round.
 *
 * @param {Awaited<ReturnType<typeof import("../setup/world.mjs").startEnvironment>>} world
 * @param {ReturnType<typeof import("../options.mjs").readOptions>} options
 */
export function contestantsOf(world, options) {
  const errors = new Map();
  const [observed, observedByHttp, observedBefore] = [nothingObserved(), nothingObserved(), nothingObserved()];
  const load = (name, task, group, where) => loadRound({ world, options, errors }, name, task, group, where);

  const deliver = (name, contestant, hung) => {
    const onErrors = (count, what) => noteErrors(errors, name, count, what);
    return deliveryRound(contestant, { options, hung, onErrors });
  };

  return {
    errors,
    observed,
    observedByHttp,
    observedBefore,
    open: {
      settled: async () => {
        const { service, accounts } = await world.main();
        const measure = load("settled", "signRecharges", "main", { ports: [service.port], accounts });
        return warmedUpBy(measure, options, () => observing(world, service, observed, measure));
      },
      "settled before": async () => {
        const { service, accounts } = await world.before(options.before);
        const measure = load("settled before", "signRecharges", "before", { ports: [service.port], accounts });
        return warmedUpBy(measure, options, () => observing(world, service, observedBefore, measure));
      },
      plain: async () => {
        const plain = await world.plain();
        return (stretch = 1) => plain.ask("run", { ...options, windowMilliseconds: stretch * options.windowMilliseconds });
      },
      single: async () => {
        const [{ accounts }, service] = await Promise.all([world.main(), world.single()]);
        return load("single", "signRecharges", "main", { ports: [service.port], accounts, connections: SINGLE_CONNECTIONS });
      },
      pgbench: async () => {
        const pgbench = await world.pgbench();
        return pgbench === null ? null : () => pgbench.run(options.pgbenchSeconds);
      },
      "hot wallet": async () => {
        const { service, accounts } = await world.main();
        return load("hot wallet", "signRecharges", "hot", { ports: [service.port], accounts: accounts.slice(0, 1) });
      },
      status: async () => {
        const { service, accounts } = await world.main();
        const where = { ports: [service.port], accounts };
        return withOrders(load("status", "signRecharges", "main", where), load("status", "signLookUps", "main", where));
      },
      "bare route": async () => {
        const [{ accounts }, route] = [await world.main(), await world.bareRoute()];
        return load("bare route", "signLookUps", "main", { ports: [await route.ask("port")], accounts });
      },
      "two processes": async () => {
        const [{ service, accounts }, second] = await Promise.all([world.main(), world.second()]);
        const secondAlone = load("two processes", "signRecharges", "main", { ports: [second.port], accounts });
        const both = load("two processes", "signRecharges", "main", { ports: [service.port, second.port], accounts });
        return warmedUpBy(secondAlone, options, both);
      },
      "two workers": async () => {
        const [{ accounts }, workers] = await Promise.all([world.main(), world.workers()]);
        const measure = load("two workers", "signRecharges", "main", { ports: [workers.port], accounts });
        return warmedUpBy(measure, options, measure);
      },
      "settled by HTTP": async () => {
        const { service, accounts } = await world.described();
        const measure = load("settled by HTTP", "signRecharges", "described", { ports: [service.port], accounts });
        // Orders over HTTP are slower, so as many of them take longer.
        const longer = { serviceWarmUp: HTTP_WARM_UP * options.serviceWarmUp };
        return warmedUpBy(measure, longer, () => observing(world, service, observedByHttp, measure));
      },
      "plain by HTTP": async () => {
        const plain = await world.describedPlain();
        return (stretch = 1) => plain.ask("run", { ...options, windowMilliseconds: stretch * options.windowMilliseconds });
      },
      "single by HTTP": async () => {
        const [{ accounts }, service] = await Promise.all([world.described(), world.describedSingle()]);
        const where = { ports: [service.port], accounts, connections: SINGLE_CONNECTIONS };
        return load("single by HTTP", "signRecharges", "described", where);
      },
      "hot wallet by HTTP": async () => {
        const { service, accounts } = await world.described();
        return load("hot wallet by HTTP", "signRecharges", "hot described", { ports: [service.port], accounts: accounts.slice(0, 1) });
      },
      callbacks: async () => deliver("callbacks", await world.deliverer()),
      "graphile-worker": async () => deliver("graphile-worker", await world.graphileWorker("single")),
      "graphile-worker, log in batches": async () => deliver("graphile-worker, log in batches", await world.graphileWorker("batched")),
      "one hung": async () => deliver("one hung", await world.deliverer(), true),
      "5 million orders": async () => {
        const { service, accounts } = await world.grown();
        return load("growth", "signRecharges", "grown", { ports: [service.port], accounts });
      },
      "20 million orders": async () => {
        const { service, accounts } = await world.large();
        return load("growth to 20 million", "signRecharges", "large", { ports: [service.port], accounts });
      },
      "10 thousand orders": async () => {
        const { service, accounts } = await world.young();
        return load("growth", "signRecharges", "young", { ports: [service.port], accounts });
      },
    },
  };
}

/** What a cold service costs is nobody's figure, and each process is cold by itself. */
function warmedUpBy(warmUp, options, measure) {
  return (stretch) => (stretch === undefined ? measure() : warmUp(stretch * options.serviceWarmUp));
}

/** What is looked up has to be there: the first time, orders are made before. */
function withOrders(makeOrders, measure) {
  let made = null;
  return async (stretch) => {
    made ??= makeOrders();
    await made;
    return await measure(stretch);
  };
}

function loadRound({ world, options, errors }, name, task, group, { ports, accounts, connections = CONNECTIONS }) {
  const { rampMilliseconds } = options;
  const run = async (expected, stretch) => {
    const windowMilliseconds = stretch * options.windowMilliseconds;
    const count = Math.ceil((expected * SPARE * (rampMilliseconds + windowMilliseconds)) / 1000) + CYCLES * connections;
    await world.client.ask(task, { accounts, count, group });
    return await world.client.ask("closedLoop", { ports, connections, rampMilliseconds, windowMilliseconds });
  };
  const measure = suppliedRound({ firstGuess: FIRST_GUESS, run });
  return async (stretch = 1) => {
    const { perSecond, result } = await measure(stretch);
    if (result.failed > 0) noteErrors(errors, name, result.failed, result.statuses);
    return perSecond;
  };
}

function noteErrors(errors, name, count, what) {
  errors.set(name, (errors.get(name) ?? 0) + count);
  process.stderr.write(`${name}: ${JSON.stringify(what)}\n`);
}

function nothingObserved() {
  return { orders: 0, serviceCpu: 0, postgresCpu: 0, metrics: new Map() };
}

/** What the machine spends on an order, and where its time goes. */
async function observing(world, service, observed, measure) {
  const before = { metrics: await service.metrics(), node: cpuSeconds(service.pid), postgres: postgresCpuSeconds(world.postgres.folder) };
  const perSecond = await measure();
  const added = difference(before.metrics, await service.metrics());
  observed.serviceCpu += cpuSeconds(service.pid) - before.node;
  observed.postgresCpu += postgresCpuSeconds(world.postgres.folder) - before.postgres;
  observed.orders += added.get('corprail_request_stage_seconds_count{stage="work"}') ?? 0;
  for (const [name, value] of added) observed.metrics.set(name, (observed.metrics.get(name) ?? 0) + value);
  return perSecond;
}
