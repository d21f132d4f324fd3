import type { Queryable } from "../../platform/db/connection.ts";

/** The names of these accounts. */
export async function readNames(sql: Queryable, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ account_id: string; name: string }[]>`
    select account_id, name from accounts where account_id = any(${[...new Set(accountIds)]})`;
  return new Map(rows.map((row) => [row.account_id, row.name]));
}
