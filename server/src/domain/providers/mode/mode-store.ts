import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { LiveCause } from "./mode.ts";

/** Why the installation is live; null in trial mode. */
export async function readLiveCause(sql: Queryable): Promise<LiveCause | null> {
  const [row] = await sql<{ cause: LiveCause }[]>`select cause from installation_mode`;
  return row?.cause ?? null;
}

/** The same with a lock, so that of two concurrent changes only one sees itself as the first. */
export async function lockLiveCause(tx: Transaction): Promise<LiveCause | null> {
  // The table is locked, because there may be no row yet.
  await tx`lock table installation_mode in share row exclusive mode`;
  return await readLiveCause(tx);
}

export async function writeLive(tx: Transaction, cause: LiveCause, at: Date): Promise<void> {
  await tx`
    insert into installation_mode (live_since, cause) values (${at}, ${cause})
    on conflict (singleton) do update set cause = excluded.cause`;
}

export async function deleteLive(tx: Transaction): Promise<void> {
  await tx`delete from installation_mode`;
}

/** Whether an enabled route leads to a provider other than the simulator. */
export async function hasRealRoute(sql: Queryable): Promise<boolean> {
  const [row] = await sql`
    select from provider_routes r join providers p on p.provider = r.provider
    where r.enabled and p.connector <> 'simulator' limit 1`;
  return row !== undefined;
}

/** The available balances of live accounts. Credited in trial mode, they could be spent for real. */
export async function readTrialMoney(sql: Queryable): Promise<{ readonly accounts: number; readonly amount: bigint }> {
  const [row] = await sql<{ accounts: number; amount: bigint }[]>`
    select count(*)::int as accounts, coalesce(sum(w.available), 0)::bigint as amount
    from wallets w join accounts a on a.account_id = w.account_id where not a.sandbox and w.available > 0`;
  return row ?? { accounts: 0, amount: 0n };
}
