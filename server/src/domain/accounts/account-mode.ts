import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";

export const ACCOUNT_MODES = ["live", "test"] as const;
/** Live accounts, or the sandbox accounts with which clients test. */
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** Matches rows of accounts of this mode; every row if it is null. `accountId` is a column, such as `o.account_id`. */
export function ofMode(sql: Queryable, accountId: string, mode: AccountMode | null): Fragment {
  if (mode === null) return sql`true`;
  const isSandbox = sql`exists (select from accounts s where s.account_id = ${sql.unsafe(accountId)} and s.sandbox)`;
  return mode === "test" ? isSandbox : sql`not ${isSandbox}`;
}
