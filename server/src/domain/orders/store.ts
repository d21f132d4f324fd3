import { orderIdAt } from "../../platform/core/ids.ts";
import { type Money, moneyOf, moneyOrNull } from "../../platform/core/money.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { parseFailure } from "../shared/failure.ts";
import { type Order, stateOf } from "./order.ts";
import { digestArray, digestRange, type Reference, referenceDigest } from "./reference-digest.ts";

export type OrderRow = Pick<
  Row<"orders">,
  | "account_id"
  | "order_id"
  | "service"
  | "reference"
  | "operation"
  | "fingerprint"
  | "state"
  | "amount"
  | "amount_text"
  | "fee"
  | "commission"
  | "credit"
  | "refunded"
  | "target"
  | "operator"
  | "circle"
  | "provider"
  | "provider_version"
  | "attempt"
  | "operator_ref"
  | "reason"
  | "answered_pending"
  | "created_at"
  | "updated_at"
>;

export function columns(sql: Queryable) {
  return sql`o.account_id, o.order_id, o.service, o.reference, o.operation, o.fingerprint, o.state, o.amount, o.amount_text, o.fee, o.commission,
    o.credit, o.refunded, o.target, o.operator, o.circle, o.provider, o.provider_version, o.attempt, o.operator_ref, o.reason, o.answered_pending, o.created_at, o.updated_at`;
}

export function toOrder(row: OrderRow): Order {
  return {
    accountId: row.account_id,
    orderId: row.order_id,
    service: row.service,
    reference: row.reference,
    operation: row.operation,
    fingerprint: row.fingerprint,
    state: stateOf(row.state),
    amount: moneyOf(row.amount),
    amountText: row.amount_text,
    fee: moneyOf(row.fee),
    commission: moneyOf(row.commission ?? 0n),
    credit: row.credit,
    refunded: moneyOrNull(row.refunded),
    target: row.target,
    operator: row.operator,
    circle: row.circle,
    provider: row.provider,
    providerVersion: row.provider_version,
    attempt: row.attempt,
    operatorRef: row.operator_ref,
    failure: row.reason === null ? null : parseFailure(row.reason),
    answeredPending: row.answered_pending,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

/** The reference of a service with one operation, which is recharge. */
export type SingleOperationReference = Omit<Reference, "operation">;

/** The fields of an order that replies contain, with the account's available balance. */
export type OrderSummary = Pick<Order, "orderId" | "reference" | "state" | "amountText" | "target" | "operatorRef" | "failure"> & {
  readonly available: Money;
};

type OrderSummaryRow = Pick<OrderRow, "order_id" | "state" | "amount_text" | "target" | "operator_ref" | "reason"> & {
  readonly place: number;
  readonly available: bigint | null;
};

/** Summaries of the orders with these references, in the same order; null where there is none. */
export async function readOrderSummaries(
  sql: Queryable,
  references: readonly SingleOperationReference[],
): Promise<readonly (OrderSummary | null)[]> {
  const rows = await sql<OrderSummaryRow[]>`
    select r.place::integer as place, o.order_id, o.state, o.amount_text, o.target, o.operator_ref, o.reason, w.available
    from unnest(${references.map((one) => one.accountId)}::text[], ${digestArray(references.map((one) => referenceDigest({ ...one, operation: "" })))}::uuid[])
      with ordinality as r (account_id, digest, place)
    join order_references k on k.digest = r.digest
    join orders o on o.account_id = r.account_id and o.order_id = k.order_id
    left join wallets w on w.account_id = o.account_id`;
  const summaries: (OrderSummary | null)[] = references.map(() => null);
  for (const row of rows) {
    summaries[row.place - 1] = {
      orderId: row.order_id,
      reference: references[row.place - 1]?.reference ?? "",
      state: stateOf(row.state),
      amountText: row.amount_text,
      target: row.target,
      operatorRef: row.operator_ref,
      failure: row.reason === null ? null : parseFailure(row.reason),
      available: moneyOf(row.available ?? 0n),
    };
  }
  return summaries;
}

/** The orders with these references, unsorted. */
export async function findByReferences(sql: Queryable, references: readonly Reference[]): Promise<readonly Order[]> {
  if (references.length === 0) return [];
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)}
    from unnest(${references.map((one) => one.accountId)}::text[], ${digestArray(references.map(referenceDigest))}::uuid[]) as r (account_id, digest)
    join order_references k on k.digest = r.digest
    join orders o on o.account_id = r.account_id and o.order_id = k.order_id`;
  return rows.map(toOrder);
}

/** The orders with this reference in any of these services, whichever operation created them; newest first. */
export async function findByReferenceInServices(
  sql: Queryable,
  accountId: string,
  services: readonly string[],
  reference: string,
): Promise<readonly Order[]> {
  const ranges = services.map((service) => digestRange(accountId, service, reference));
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)}
    from unnest(${digestArray(ranges.map(([first]) => first))}::uuid[], ${digestArray(ranges.map(([, last]) => last))}::uuid[]) as r (first, last)
    join order_references k on k.digest between r.first and r.last
    join orders o on o.account_id = ${accountId} and o.order_id = k.order_id
    order by o.order_id desc`;
  return rows.map(toOrder);
}

export type OrderKey = { readonly accountId: string; readonly orderId: string };

/** The orders with these keys, locked until the transaction ends. */
export async function lockOrders(sql: Queryable, keys: readonly OrderKey[]): Promise<readonly Order[]> {
  if (keys.length === 0) return [];
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o
    join unnest(${keys.map((one) => one.accountId)}::text[], ${keys.map((one) => one.orderId)}::text[]) as k (account_id, order_id)
      on o.account_id = k.account_id and o.order_id = k.order_id
    order by o.account_id, o.order_id for update of o`;
  return rows.map(toOrder);
}

export async function findByReference(sql: Queryable, reference: Reference): Promise<Order | null> {
  const [row] = await sql<OrderRow[]>`
    select ${columns(sql)} from order_references k join orders o on o.account_id = ${reference.accountId} and o.order_id = k.order_id
    where k.digest = ${referenceDigest(reference)}`;
  return row ? toOrder(row) : null;
}

/** Finds an order by id, in one account or, for staff, in any. */
export async function findById(sql: Queryable, orderId: string, accountId?: string): Promise<Order | null> {
  const [row] = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o
    where o.order_id = ${orderId} ${accountId === undefined ? sql`` : sql`and o.account_id = ${accountId}`}`;
  return row ? toOrder(row) : null;
}

export type OrderFilter = {
  readonly accountId: string;
  readonly fromMilliseconds: number;
  readonly toMilliseconds: number;
  readonly service: string | null;
  readonly state: number | null;
  /** Only orders with a smaller id: the last id of the previous page. */
  readonly before: string | null;
  readonly limit: number;
};

// Upper bound of the delay between an order's id, which begins with its time, and the batch that wrote it.
const ID_MARGIN_MILLISECONDS = 60 * 60 * 1000;

/** The range of ids that orders of a time range can have: from the first, up to but not including the second. */
export function idsOf(fromMilliseconds: number, toMilliseconds: number): readonly [firstId: string, endId: string] {
  return [orderIdAt(Math.max(0, fromMilliseconds - ID_MARGIN_MILLISECONDS)), orderIdAt(toMilliseconds + ID_MARGIN_MILLISECONDS)];
}

/** Lists orders, newest first. The id range narrows the scan of the primary key; the times decide. */
export async function listOrders(sql: Queryable, filter: OrderFilter): Promise<readonly Order[]> {
  const [firstId, endId] = idsOf(filter.fromMilliseconds, filter.toMilliseconds);
  const rows = await sql<OrderRow[]>`
    select ${columns(sql)} from orders o
    where o.account_id = ${filter.accountId} and o.order_id >= ${firstId}
      and o.order_id < ${filter.before !== null && filter.before < endId ? filter.before : endId}
      and o.created_at >= ${new Date(filter.fromMilliseconds)} and o.created_at < ${new Date(filter.toMilliseconds)}
      ${filter.service === null ? sql`` : sql`and o.service = ${filter.service}`}
      ${filter.state === null ? sql`` : sql`and o.state = ${filter.state}`}
    order by o.order_id desc limit ${filter.limit}`;
  return rows.map(toOrder);
}
