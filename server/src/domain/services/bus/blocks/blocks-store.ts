import { type Money, moneyOrNull } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { Policy } from "../provider-service.ts";

/** The part of a trip that is stored with a block. */
export type StoredTrip = {
  readonly operatorName: string;
  readonly boarding: string;
  readonly boardingAt: number;
  readonly cancellation: Policy;
};

export type NewBlock = {
  readonly accountId: string;
  readonly blockRef: string;
  readonly requestId: string;
  readonly provider: string;
  readonly tripId: string;
  readonly operator: string;
  readonly mobile: string;
  readonly trip: StoredTrip;
  readonly departureAt: number;
  readonly partialCancel: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type Block = NewBlock & {
  /** Null until the provider has confirmed the block. */
  readonly total: Money | null;
  readonly fareChanged: boolean;
  readonly providerRef: string;
  readonly orderId: string | null;
  readonly ticketNo: string | null;
};

export type BlockKey = { readonly accountId: string; readonly blockRef: string };
export type SeatFare = { readonly seat: string; readonly total: Money };

export async function insertBlock(tx: Transaction, block: NewBlock, fares: readonly SeatFare[]): Promise<void> {
  await tx`
    insert into bus_blocks (account_id, block_ref, request_id, provider, trip_id, operator, mobile, trip, departure_at, partial_cancel,
      created_at, expires_at)
    values (${block.accountId}, ${block.blockRef}, ${block.requestId}, ${block.provider}, ${block.tripId}, ${block.operator},
      ${block.mobile}, ${JSON.stringify(block.trip)}::text::jsonb, ${new Date(block.departureAt)}, ${block.partialCancel},
      ${new Date(block.createdAt)}, ${new Date(block.expiresAt)})`;
  await tx`
    insert into bus_block_seats (account_id, block_ref, seat, fare)
    select ${block.accountId}, ${block.blockRef}, seat, fare
    from unnest(${fares.map((one) => one.seat)}::text[], ${fareTexts(fares)}::text[]::bigint[]) as n (seat, fare)`;
}

/** Stores the provider's confirmation, once. */
export async function confirmBlock(
  tx: Transaction,
  key: BlockKey,
  blocked: { readonly providerRef: string; readonly fares: readonly SeatFare[] },
): Promise<void> {
  const { count } = await tx`
    update bus_blocks set provider_ref = ${blocked.providerRef}, total = n.total, fare_changed = n.changed
    from (
      select sum(f.fare)::bigint as total, bool_or(f.fare <> s.fare) as changed
      from unnest(${blocked.fares.map((one) => one.seat)}::text[], ${fareTexts(blocked.fares)}::text[]::bigint[]) as f (seat, fare)
      join bus_block_seats s on s.account_id = ${key.accountId} and s.block_ref = ${key.blockRef} and s.seat = f.seat
    ) n
    where account_id = ${key.accountId} and block_ref = ${key.blockRef} and bus_blocks.total is null`;
  if (count === 0) return;
  await tx`
    update bus_block_seats s set fare = f.fare
    from unnest(${blocked.fares.map((one) => one.seat)}::text[], ${fareTexts(blocked.fares)}::text[]::bigint[]) as f (seat, fare)
    where s.account_id = ${key.accountId} and s.block_ref = ${key.blockRef} and s.seat = f.seat`;
}

/** Deletes a block that its provider refused; returns false when there is no unconfirmed block. */
export async function deleteUnconfirmed(tx: Transaction, key: BlockKey): Promise<boolean> {
  const { count } = await tx`
    delete from bus_blocks where account_id = ${key.accountId} and block_ref = ${key.blockRef} and total is null and order_id is null`;
  if (count > 0) await tx`delete from bus_block_seats where account_id = ${key.accountId} and block_ref = ${key.blockRef}`;
  return count > 0;
}

/** Makes this order the block's only booking. */
export async function markBooked(tx: Transaction, key: BlockKey, orderId: string, ticketNo: string): Promise<void> {
  await tx`
    update bus_blocks set order_id = ${orderId}, ticket_no = ${ticketNo}
    where account_id = ${key.accountId} and block_ref = ${key.blockRef} and order_id is null`;
}

type BlockRow = Pick<
  Row<"bus_blocks">,
  | "account_id"
  | "block_ref"
  | "request_id"
  | "provider"
  | "trip_id"
  | "operator"
  | "mobile"
  | "departure_at"
  | "partial_cancel"
  | "total"
  | "fare_changed"
  | "provider_ref"
  | "created_at"
  | "expires_at"
  | "order_id"
  | "ticket_no"
> & {
  readonly trip: JsonObject;
};

function columns(sql: Queryable) {
  return sql`account_id, block_ref, request_id, provider, trip_id, operator, mobile, trip, departure_at, partial_cancel, total,
    fare_changed, provider_ref, created_at, expires_at, order_id, ticket_no`;
}

function toBlock(row: BlockRow): Block {
  return {
    accountId: row.account_id,
    blockRef: row.block_ref,
    requestId: row.request_id,
    provider: row.provider,
    tripId: row.trip_id,
    operator: row.operator,
    mobile: row.mobile,
    trip: row.trip as unknown as StoredTrip,
    departureAt: row.departure_at.getTime(),
    partialCancel: row.partial_cancel,
    total: moneyOrNull(row.total),
    fareChanged: row.fare_changed,
    providerRef: row.provider_ref,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    orderId: row.order_id,
    ticketNo: row.ticket_no,
  };
}

export async function findBlock(sql: Queryable, key: BlockKey): Promise<Block | null> {
  const [row] = await sql<BlockRow[]>`
    select ${columns(sql)} from bus_blocks where account_id = ${key.accountId} and block_ref = ${key.blockRef}`;
  return row ? toBlock(row) : null;
}

export async function lockBlock(tx: Transaction, key: BlockKey): Promise<Block | null> {
  const [row] = await tx<BlockRow[]>`
    select ${columns(tx)} from bus_blocks where account_id = ${key.accountId} and block_ref = ${key.blockRef} for update`;
  return row ? toBlock(row) : null;
}

export async function findBlockOfOrder(
  sql: Queryable,
  key: { readonly accountId: string; readonly orderId: string },
): Promise<Block | null> {
  const [row] = await sql<BlockRow[]>`
    select ${columns(sql)} from bus_blocks where account_id = ${key.accountId} and order_id = ${key.orderId}`;
  return row ? toBlock(row) : null;
}

export async function findBlockOfTicket(
  sql: Queryable,
  key: { readonly accountId: string; readonly ticketNo: string },
): Promise<Block | null> {
  const [row] = await sql<BlockRow[]>`
    select ${columns(sql)} from bus_blocks where account_id = ${key.accountId} and ticket_no = ${key.ticketNo}`;
  return row ? toBlock(row) : null;
}

// The driver does not support arrays of bigint.
function fareTexts(fares: readonly SeatFare[]): string[] {
  return fares.map((one) => one.total.toString());
}
