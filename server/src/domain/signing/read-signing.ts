import { indiaDate } from "../../platform/core/india-time.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { lastDayDue } from "./sign-due-days.ts";
import { listPublicKeys, type PublicKey } from "./signing-key.ts";
import { readLastRun, type SignedDayRow, type SigningRunRow } from "./store.ts";

/** How far the ledger is signed. */
export type SigningState = {
  readonly lastRun: SigningRunRow | null;
  /** The last day that must be signed by now; null before the installation's first one is. */
  readonly dueDay: string | null;
  readonly isBehind: boolean;
  /** The key that signs; null before the first day is signed. */
  readonly key: PublicKey | null;
};

export async function readSigningState(sql: Queryable, now: number): Promise<SigningState> {
  const [lastRun, [installation], keys] = await Promise.all([
    readLastRun(sql),
    sql<{ created_at: Date }[]>`select created_at from installation`,
    listPublicKeys(sql),
  ]);
  const due = lastDayDue(now);
  const dueDay = !installation || due < indiaDate(installation.created_at.getTime()) ? null : due;
  return { lastRun, dueDay, isBehind: dueDay !== null && (lastRun === null || lastRun.day < dueDay), key: keys.at(-1) ?? null };
}

export type SignedDaysQuery = {
  readonly accountId: string;
  /** Only days with a smaller number; null starts with the newest. */
  readonly before: bigint | null;
  readonly limit: number;
};

/** An account's signed days, newest first. */
export async function browseSignedDays(sql: Queryable, query: SignedDaysQuery): Promise<readonly SignedDayRow[]> {
  return await sql<SignedDayRow[]>`
    select account_id, day::text as day, number, first_seq, last_seq, closing_balance, root, hash, signed_text, signature, key_id
    from signed_days where account_id = ${query.accountId} ${query.before === null ? sql`` : sql`and number < ${query.before}`}
    order by number desc limit ${query.limit}`;
}

/** The months with signed days whose transfers are in the database and not in an archive, newest first, as `YYYY-MM`. */
export async function listSignedMonths(sql: Queryable, accountId: string): Promise<readonly string[]> {
  const rows = await sql<{ month: string }[]>`
    select distinct to_char(day, 'YYYY-MM') as month from signed_days
    where account_id = ${accountId}
      and to_char(day, 'YYYY-MM') > coalesce((select max(month) from ledger_closings where account_id = ${accountId}), '')
    order by month desc`;
  return rows.map((row) => row.month);
}
