import { connectClient } from "./load/connection.mjs";
import { monotonic } from "./load/monotonic.mjs";
import { signRecharges } from "./load/requests.mjs";
import { round } from "./rounds.mjs";
import { cpuSeconds, postgresCpuSeconds } from "./setup/cpu.mjs";
import { withConnection } from "./setup/database.mjs";
import { latencies, watchMachine } from "./slow-moments.mjs";

const ORDERS_PER_SECOND = 50;
const PAUSE_MILLISECONDS = 1000 / ORDERS_PER_SECOND / 2;
const WARM_UP_ORDERS = 250;

/**
 * Measures fifty recharges a second and, in the pauses between them, as many commits of one row. Every recharge needs a
 * commit, so the difference is what the service adds.
 */
export async function latencyAtFifty(world, options) {
  const { result, slow } = await watchMachine(world, () => ordersAndCommits(world, options));
  const [orders, commits] = [latencies(result.orders, slow), latencies(result.commits, slow)];
  const undisturbed = ({ "without the machine's slow moments": others }) => others;
  return {
    order: orders,
    "bare commit": commits,
    "p99 to p99": round(orders.p99Milliseconds / commits.p99Milliseconds),
    "p99 to p99 without the machine's slow moments": round(undisturbed(orders).p99Milliseconds / undisturbed(commits).p99Milliseconds),
  };
}

async function ordersAndCommits(world, { lowLoadSeconds }) {
  const { service, accounts } = await world.main();
  const orders = [];
  const commits = [];
  await withConnection(await world.postgres.create("commits"), async (sql) => {
    await sql`create table commits (number integer primary key)`;
    const send = await openConnection(service.port);
    const { requests } = signRecharges(accounts, WARM_UP_ORDERS + ORDERS_PER_SECOND * lowLoadSeconds);
    for (const [number, request] of requests.entries()) {
      const [order, commit] = [await paced(() => send(request)), await paced(() => sql`insert into commits values (${number})`)];
      if (number < WARM_UP_ORDERS) continue;
      orders.push(order);
      commits.push(commit);
    }
  });
  return { orders, commits };
}

async function openConnection(port) {
  let answered = null;
  const client = connectClient(
    port,
    ({ success }) => (success ? answered.resolve() : answered.reject(new Error("A recharge failed."))),
    (error) => answered?.reject(error),
  );
  await client.opened;
  return (request) =>
    new Promise((resolve, reject) => {
      answered = { resolve, reject };
      client.send(request);
    });
}

/** When the work began and ended, after a pause. */
async function paced(work) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  const from = monotonic(performance.now());
  await work();
  return { from, until: monotonic(performance.now()) };
}

/** The share of a core that the service and PostgreSQL use while nobody calls. */
export async function idleShare(world, { idleSeconds }) {
  const { service } = await world.main();
  // The work that the last orders cause must be over first: roll-ups, autovacuum, the ledger check.
  await new Promise((resolve) => setTimeout(resolve, 1000 * idleSeconds));
  const before = { node: cpuSeconds(service.pid), postgres: postgresCpuSeconds(world.postgres.folder) };
  await new Promise((resolve) => setTimeout(resolve, 1000 * idleSeconds));
  const percent = (after, earlier) => round((100 * (after - earlier)) / idleSeconds);
  return {
    service: percent(cpuSeconds(service.pid), before.node),
    postgresql: percent(postgresCpuSeconds(world.postgres.folder), before.postgres),
  };
}
