import type { Queryable } from "../../platform/db/connection.ts";
import { type Refusal, refused } from "../shared/refusals.ts";
import type { Order } from "./order.ts";
import { digestArray, digestRange, type Reference, referenceDigest } from "./reference-digest.ts";
import { columns, type OrderRow, toOrder } from "./store.ts";

/** What a reference stands for: an order, or only its id when its month was archived and has left the database. */
export type Known = { readonly kind: "order"; readonly order: Order } | { readonly kind: "archived"; readonly orderId: string };

/** Finds what a reference was used for. A reference stays used for ever, also after its month was archived. */
export async function findKnown(sql: Queryable, reference: Reference): Promise<Known | null> {
  const [row] = await sql<(OrderRow & { readonly known_id: string })[]>`
    select k.order_id as known_id, ${columns(sql)} from order_references k
    left join orders o on o.account_id = ${reference.accountId} and o.order_id = k.order_id
    where k.digest = ${referenceDigest(reference)}`;
  if (!row) return null;
  return row.order_id === null ? { kind: "archived", orderId: row.known_id } : { kind: "order", order: toOrder(row) };
}

/** The references among these whose order is no longer in the database, by their digests. */
export async function findArchivedReferences(sql: Queryable, references: readonly Reference[]): Promise<ReadonlyMap<string, string>> {
  if (references.length === 0) return new Map();
  const rows = await sql<{ digest: string; order_id: string }[]>`
    select replace(k.digest::text, '-', '') as digest, k.order_id from order_references k
    where k.digest = any(${digestArray(references.map(referenceDigest))}::uuid[])
      and not exists (select from orders o where o.account_id = k.account_id and o.order_id = k.order_id)`;
  return new Map(rows.map((row) => [row.digest, row.order_id]));
}

/** Such an order has a result, which only the archive knows: the request must not be carried out as a new one. */
export function archivedRefusal(orderId: string, name: "urid" | "request_id"): Refusal {
  const words = `This ${name} belongs to an order of a month that has been archived. Ask the platform for its result.`;
  return refused("duplicate_reference", words, { extra: { order_id: orderId } });
}

type Asked = { readonly orderId: string } | { readonly accountId: string; readonly service: string; readonly reference: string };

/** What a lookup asked for, by request_id or order_id. */
export function missingOf(
  accountId: string,
  service: string,
  asked: { request_id?: string | undefined; order_id?: string | undefined },
): Asked {
  return asked.request_id === undefined ? { orderId: asked.order_id ?? "" } : { accountId, service, reference: asked.request_id };
}

/** The reply to a question about an order that is not in the database: it may have left it with its month. */
export async function refuseMissing(sql: Queryable, asked: Asked, otherwise: string): Promise<Refusal> {
  const isArchived = "orderId" in asked ? await isOfArchivedMonth(sql, asked.orderId) : await hasArchivedOrder(sql, asked);
  const words = "The month of this order has been archived, and its result is no longer kept here. Ask the platform for it.";
  return refused("not_found", isArchived ? words : otherwise);
}

/** The account's archived orders that a lookup asks for, of another account never. */
export async function findArchivedOrders(sql: Queryable, accountId: string, asked: Asked): Promise<readonly string[]> {
  if ("orderId" in asked && !(await isOfArchivedMonth(sql, asked.orderId))) return [];
  const [first, last] = "orderId" in asked ? [null, null] : digestRange(accountId, asked.service, asked.reference);
  const isAsked = "orderId" in asked ? sql`k.order_id = ${asked.orderId}` : sql`k.digest between ${first} and ${last}`;
  const rows = await sql<{ order_id: string }[]>`
    select k.order_id from order_references k where k.account_id = ${accountId} and ${isAsked}
      and not exists (select from orders o where o.account_id = k.account_id and o.order_id = k.order_id)`;
  return rows.map((row) => row.order_id);
}

/** Whether the order's month has left the database. */
export async function isOfArchivedMonth(sql: Queryable, orderId: string): Promise<boolean> {
  const rows = await sql`select from archived_months where ${orderId} >= first_order_id and ${orderId} < end_order_id`;
  return rows.length > 0;
}

async function hasArchivedOrder(sql: Queryable, asked: Exclude<Asked, { orderId: string }>): Promise<boolean> {
  const [first, last] = digestRange(asked.accountId, asked.service, asked.reference);
  const rows = await sql`
    select from order_references k where k.digest between ${first} and ${last}
      and not exists (select from orders o where o.account_id = k.account_id and o.order_id = k.order_id)`;
  return rows.length > 0;
}
