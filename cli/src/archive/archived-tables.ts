import type { Queryable } from "@corprail/server/platform/db/connection";
import { quotedName } from "../backup/tables.ts";

/** The month's orders by id, which begins with its time; transfers by the month's range of numbers of each account. */
type Selection = { readonly name: string; readonly where: string; readonly order: string };

const OF_ORDERS = "t.order_id >= $1 and t.order_id < $2";
const BY_ORDER = "t.order_id, t.account_id";

// $1 and $2 are the first order id of the month and of the next one.
export const ARCHIVED: readonly Selection[] = [
  { name: "orders", where: OF_ORDERS, order: BY_ORDER },
  ...[
    "order_attempts",
    "order_results",
    "order_provider_refs",
    "provider_exchanges",
    "complaints",
    "bill_payments",
    "transfer_quotes",
    "transfer_penny_drops",
    "bus_blocks",
    "bus_cancellations",
    "aeps_transactions",
  ].map((name) => ({ name, where: OF_ORDERS, order: BY_ORDER })),
  // By their own ids, as they are partitioned: a callback belongs to the month in which it was made.
  { name: "callbacks", where: "t.callback_id >= $1 and t.callback_id < $2", order: "t.callback_id, t.account_id" },
  {
    name: "bus_block_seats",
    where: `exists (select from bus_blocks b where b.account_id = t.account_id and b.block_ref = t.block_ref
      and b.order_id >= $1 and b.order_id < $2)`,
    order: "t.account_id, t.block_ref, t.seat",
  },
];

/** How a column is stored: whole numbers and times as such, everything else as PostgreSQL writes it as text. */
export type ColumnKind = "long" | "integer" | "boolean" | "time" | "text";
export type ArchivedColumn = { readonly name: string; readonly type: string; readonly kind: ColumnKind; readonly nullable: boolean };

const KINDS: Readonly<Record<string, ColumnKind>> = {
  bigint: "long",
  integer: "integer",
  smallint: "integer",
  boolean: "boolean",
  "timestamp with time zone": "time",
};

/** The columns of a table that are written; a generated one follows from the others. */
export async function readColumns(sql: Queryable, table: string): Promise<readonly ArchivedColumn[]> {
  const rows = await sql<{ name: string; type: string; nullable: boolean }[]>`
    select attname::text as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable from pg_attribute
    where attrelid = ${`public.${quotedName(table)}`}::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return rows.map((row) => ({ ...row, kind: KINDS[row.type] ?? "text" }));
}

/** A column as the archive stores it. Microseconds, which PostgreSQL has and JavaScript's Date does not. */
export function selected({ name, kind }: ArchivedColumn): string {
  const column = `t.${quotedName(name)}`;
  if (kind === "time") return `(extract(epoch from ${column}) * 1000000)::bigint as ${quotedName(name)}`;
  return kind === "text" ? `${column}::text as ${quotedName(name)}` : `${column} as ${quotedName(name)}`;
}

/** The same back, from text. */
export function restored({ name, type, kind }: ArchivedColumn): string {
  const column = `n.${quotedName(name)}`;
  return kind === "time" ? `timestamptz 'epoch' + ${column}::bigint * interval '1 microsecond'` : `${column}::${type}`;
}
