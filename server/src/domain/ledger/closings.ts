import type { Queryable } from "../../platform/db/connection.ts";
import type { Buckets } from "./trial-balance.ts";

/** Where an account's ledger begins in this database: after the last month that was archived, or at zero. */
export type LedgerStart = Buckets & { readonly seq: bigint };

const AT_ZERO: LedgerStart = { seq: 0n, available: 0n, held: 0n, cleared: 0n, funding: 0n, fees: 0n };

export async function readLedgerStart(sql: Queryable, accountId: string): Promise<LedgerStart> {
  const [row] = await sql<LedgerStart[]>`
    select seq, available, held, cleared, funding, fees from ledger_closings where account_id = ${accountId} order by month desc limit 1`;
  return row ?? AT_ZERO;
}

/** The latest closing of each account, to be joined by account_id. Accounts without one are missing. */
export function latestClosings(sql: Queryable, accounts: readonly string[] | "all" = "all") {
  return sql`
    select distinct on (account_id) account_id, seq, available, held, cleared, funding, fees from ledger_closings
    ${accounts === "all" ? sql`` : sql`where account_id = any(${accounts as string[]})`} order by account_id, month desc`;
}

/** The number of the last transfer of an account that has left the database; 0 for none. */
export function lastArchivedSequence(sql: Queryable, accountId: string) {
  return sql`coalesce((select seq from ledger_closings where account_id = ${accountId} order by month desc limit 1), 0)`;
}

/** The available balance after that transfer. */
export function lastArchivedBalance(sql: Queryable, accountId: string) {
  return sql`coalesce((select available from ledger_closings where account_id = ${accountId} order by month desc limit 1), 0)`;
}
