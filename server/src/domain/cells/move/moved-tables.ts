import type { Queryable } from "../../../platform/db/connection.ts";
import { listDetached } from "../../../platform/db/partitions/frozen-months.ts";

/** Tables that a move copies, after those that they refer to. `key` finds an account's rows if they have no account_id. */
export type MovedTable = { readonly table: string; readonly key?: string };

// These first, because others refer to them. All other tables with an account_id follow.
const FIRST = ["accounts", "credentials", "sandbox_accounts", "jobs"];

/** Tables with an account_id that stay: the platform's, and records that belong to the audit chain of the old cell. */
export const STAYING: ReadonlySet<string> = new Set([
  ...[
    "account_cells",
    "account_moves",
    "users",
    "invitations",
    "identity_providers",
    "sign_on_domains",
    "portal_view_links",
    "pricing_rules",
    "reconciliation_items",
    "bulk_items",
    "status_subscriptions",
  ],
  ...["bus_seat_holders", "approvals", "unapproved_amount_locks", "owner_notices"],
]);

const JOB_FILES: MovedTable = { table: "job_files", key: "job_id in (select job_id from jobs where account_id = any($1))" };

/** Every table with rows of an account, as the database has them, but those of months that have left for the archive. */
export async function readMovedTables(sql: Queryable): Promise<readonly MovedTable[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by c.relname`;
  const detached = await listDetached(sql);
  const names = rows.map(({ name }) => name).filter((name) => !STAYING.has(name) && !FIRST.includes(name) && !detached.has(name));
  return [...FIRST.map((table) => ({ table })), JOB_FILES, ...names.map((table) => ({ table }))];
}

/** The columns that are written; generated ones follow from them. */
export async function readColumns(sql: Queryable, table: string): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return rows.map(({ name }) => `"${name}"`).join(", ");
}

/** The condition for the rows of these accounts, as SQL text. Ids consist of letters and digits. */
export function rowsOf({ key }: MovedTable, accountIds: readonly string[]): string {
  if (!accountIds.every((id) => /^[A-Z0-9]+$/.test(id))) throw new Error("An account's id has letters and digits only.");
  const list = `array[${accountIds.map((id) => `'${id}'`).join(", ")}]::text[]`;
  return (key ?? "account_id = any($1)").replace("$1", list);
}
