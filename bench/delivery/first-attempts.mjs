import { percentile } from "../rounds.mjs";
import { withConnection } from "../setup/database.mjs";

const ACCOUNTS = 20;
const PER_SECOND = 200;
const CONNECTIONS = 64;
// The simulator says that it is pending, and a little later that it succeeded.
const PENDING_FIRST = "9876543200";
const LONGEST_MILLISECONDS = 5_000;

/**
 * From an order's final state to the first attempt at its receiver, at a rate below the capacity of the machine. The time of
 * the state is taken before it is committed, so the commit is in the figure.
 */
export async function firstAttempts(world, options) {
  const [{ service, accounts, databaseUrl }, { worker: receiver, urls }] = [await world.main(), await world.receivers()];
  const receivers = accounts.slice(0, ACCOUNTS);
  await Promise.all(receivers.map((account, place) => setCallbackUrl(service, account, urls[place])));
  const count = PER_SECOND * options.latencySeconds;
  await receiver.ask("watch");
  await world.client.ask("signRecharges", { accounts: receivers, count, group: "pending", target: PENDING_FIRST });
  await world.client.ask("openLoop", { port: service.port, connections: CONNECTIONS, perSecond: PER_SECOND });
  const arrived = new Map(await receiver.ask("arrived", { count, milliseconds: LONGEST_MILLISECONDS }));
  const changed = await withConnection(databaseUrl, (sql) => sql`select order_id, created_at from callbacks`);
  const waits = changed
    .filter((row) => arrived.has(row.order_id))
    .map((row) => arrived.get(row.order_id) - row.created_at.getTime())
    .sort((a, b) => a - b);
  return {
    perSecond: PER_SECOND,
    missing: count - waits.length,
    p50Milliseconds: Math.round(percentile(waits, 0.5)),
    p99Milliseconds: Math.round(percentile(waits, 0.99)),
  };
}

async function setCallbackUrl(service, { accountId }, url) {
  await service.call(`/accounts/${accountId}/callback-secret`, {});
  await service.call(`/accounts/${accountId}`, { callback_url: url, callback_version: 3 });
}
