import { FUTURE_MILLISECONDS } from "../../../../platform/core/clock.ts";
import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { BlockKey } from "../blocks/blocks-store.ts";
import type { TicketKey } from "../bookings/find-ticket.ts";
import type { Charged } from "./charges.ts";

export type Quote = Charged & {
  readonly seats: readonly string[];
  readonly validUntil: number;
  /** The provider said it, so it is not computed again from the trip's charges. */
  readonly byProvider: boolean;
};

/** Stores a quote and deletes the ticket's expired ones. */
export async function insertQuote(sql: Queryable, key: TicketKey, quoteRef: string, quote: Quote, now: number): Promise<void> {
  await sql`
    delete from bus_cancel_quotes where account_id = ${key.accountId} and ticket_no = ${key.ticketNo} and valid_until < ${new Date(now)}`;
  await sql`
    insert into bus_cancel_quotes (account_id, ticket_no, quote_ref, seats, refund, charges, valid_until, by_provider)
    values (${key.accountId}, ${key.ticketNo}, ${quoteRef}, ${quote.seats as string[]}::text[], ${quote.refund}, ${quote.charges},
      ${new Date(quote.validUntil)}, ${quote.byProvider})`;
}

export async function findQuote(sql: Queryable, key: TicketKey, quoteRef: string): Promise<Quote | null> {
  const [row] = await sql<{ seats: string[]; refund: bigint; charges: bigint; valid_until: Date; by_provider: boolean }[]>`
    select seats, refund, charges, valid_until, by_provider from bus_cancel_quotes
    where account_id = ${key.accountId} and ticket_no = ${key.ticketNo} and quote_ref = ${quoteRef}`;
  if (!row) return null;
  return {
    seats: row.seats,
    refund: moneyOf(row.refund),
    charges: moneyOf(row.charges),
    validUntil: row.valid_until.getTime(),
    byProvider: row.by_provider,
  };
}

export type CancelKey = { readonly accountId: string; readonly cancelId: string };

export type NewCancellation = CancelKey & {
  readonly blockRef: string;
  readonly orderId: string;
  /** Null when staff cancels. */
  readonly requestId: string | null;
  readonly actor: string | null;
  readonly reason: string;
  readonly seats: readonly string[];
  readonly refund: Money;
  readonly createdAt: number;
  /** The approval, and who requested it, when a second person had to approve. */
  readonly approved?: { readonly approvalId: string; readonly madeBy: string } | null;
};

export type Cancellation = NewCancellation & {
  readonly state: "asked" | "done";
  /** Calls to the provider so far, including one that is in progress. */
  readonly askedTimes: number;
  /** A call to the provider may be in progress. */
  readonly isBeingAsked: boolean;
  /** When the provider is asked next, if there is no result by then. */
  readonly nextAt: number;
  /** Why the provider's answers do not decide the cancellation; null when there was no such answer. */
  readonly doubt: string | null;
};

/** The order that a request has cancelled, wholly or partly. */
export async function findCancelledOrder(sql: Queryable, accountId: string, requestId: string): Promise<string | null> {
  const [row] = await sql<{ order_id: string }[]>`
    select order_id from bus_cancellations where account_id = ${accountId} and request_id = ${requestId}`;
  return row?.order_id ?? null;
}

/** Until then the request that made the cancellation is most likely still asking the provider. */
const FIRST_RETRY_MILLISECONDS = 30_000;
/** The longest interval between two calls for a cancellation without a result. */
export const LONGEST_RETRY_MILLISECONDS = 60 * 60 * 1000;

export async function insertCancellation(tx: Transaction, one: NewCancellation): Promise<void> {
  await tx`
    insert into bus_cancellations (account_id, cancel_id, block_ref, order_id, request_id, actor, reason, seats, refund, state, created_at,
      next_at, approval_id, made_by)
    values (${one.accountId}, ${one.cancelId}, ${one.blockRef}, ${one.orderId}, ${one.requestId}, ${one.actor}, ${one.reason},
      ${one.seats as string[]}::text[], ${one.refund}, 'asked', ${new Date(one.createdAt)},
      ${new Date(one.createdAt + FIRST_RETRY_MILLISECONDS)}, ${one.approved?.approvalId ?? null}, ${one.approved?.madeBy ?? null})`;
  await takeSeats(tx, one);
}

/** Gives a cancellation its seats, except those that another one has. Returns whether it has all of them. */
export async function takeSeats(tx: Transaction, one: NewCancellation): Promise<boolean> {
  const { count } = await tx`
    update bus_block_seats set cancel_id = ${one.cancelId}
    where account_id = ${one.accountId} and block_ref = ${one.blockRef} and seat = any(${one.seats as string[]})
      and (cancel_id is null or cancel_id = ${one.cancelId})`;
  return count === one.seats.length;
}

/** Records a deleted cancellation again. */
export async function restoreCancellation(tx: Transaction, one: Cancellation): Promise<void> {
  await insertCancellation(tx, one);
  await tx`
    update bus_cancellations set asked_times = ${one.askedTimes}
    where account_id = ${one.accountId} and cancel_id = ${one.cancelId}`;
}

type CancellationRow = Row<"bus_cancellations"> & { readonly is_being_asked: boolean };

// Longer than any reservation. One that ends later was made before the database's clock was set back.
const LONGEST_LEASE_SECONDS = 3600;

function columns(sql: Queryable) {
  return sql`account_id, cancel_id, block_ref, order_id, request_id, actor, reason, seats, refund, state, created_at, approval_id, made_by,
    asked_times, next_at, doubt, coalesce(asked_until > clock_timestamp()
      and asked_until <= clock_timestamp() + make_interval(secs => ${LONGEST_LEASE_SECONDS}), false) as is_being_asked`;
}

function toCancellation(row: CancellationRow): Cancellation {
  return {
    accountId: row.account_id,
    cancelId: row.cancel_id,
    blockRef: row.block_ref,
    orderId: row.order_id,
    requestId: row.request_id,
    actor: row.actor,
    reason: row.reason,
    seats: row.seats,
    refund: moneyOf(row.refund),
    state: row.state,
    createdAt: row.created_at.getTime(),
    askedTimes: row.asked_times,
    isBeingAsked: row.is_being_asked,
    nextAt: row.next_at.getTime(),
    doubt: row.doubt,
    approved: row.approval_id !== null && row.made_by !== null ? { approvalId: row.approval_id, madeBy: row.made_by } : null,
  };
}

/** The cancellation that an approval has recorded, unless it was deleted. */
export async function findCancellationOfApproval(sql: Queryable, approvalId: string): Promise<Cancellation | null> {
  const [row] = await sql<CancellationRow[]>`select ${columns(sql)} from bus_cancellations where approval_id = ${approvalId}`;
  return row ? toCancellation(row) : null;
}

export async function findCancellation(sql: Queryable, key: CancelKey): Promise<Cancellation | null> {
  const [row] = await sql<CancellationRow[]>`
    select ${columns(sql)} from bus_cancellations where account_id = ${key.accountId} and cancel_id = ${key.cancelId}`;
  return row ? toCancellation(row) : null;
}

/** The cancellations of an order's seats that have no result so far. */
export async function findUnfinishedOfOrder(
  sql: Queryable,
  { accountId, orderId }: { readonly accountId: string; readonly orderId: string },
): Promise<readonly Cancellation[]> {
  const rows = await sql<CancellationRow[]>`
    select ${columns(sql)} from bus_cancellations
    where account_id = ${accountId} and state = 'asked' and order_id = ${orderId}
      and block_ref = (select b.block_ref from bus_blocks b where b.account_id = ${accountId} and b.order_id = ${orderId})
    order by cancel_id`;
  return rows.map(toCancellation);
}

export async function lockCancellation(tx: Transaction, key: CancelKey): Promise<Cancellation | null> {
  const [row] = await tx<CancellationRow[]>`
    select ${columns(tx)} from bus_cancellations where account_id = ${key.accountId} and cancel_id = ${key.cancelId} for update`;
  return row ? toCancellation(row) : null;
}

/**
 * Reserves the next call to the provider for the caller, for at most this long. Null when another call may be in progress, the
 * cancellation has ended, or the account is moving to another cell: the copy there would not know of the call.
 */
export async function claimCancellation(sql: Queryable, key: CancelKey, milliseconds: number): Promise<Cancellation | null> {
  const lease = sql`make_interval(secs => ${milliseconds / 1000})`;
  // A lease that ends later than any new one was taken before the database's clock was set back.
  const [row] = await sql<CancellationRow[]>`
    update bus_cancellations c set asked_until = clock_timestamp() + ${lease}, asked_times = asked_times + 1
    where account_id = ${key.accountId} and cancel_id = ${key.cancelId} and state = 'asked'
      and (asked_until is null or asked_until <= clock_timestamp() or asked_until > clock_timestamp() + 2 * ${lease})
      and exists (select from wallets w where w.account_id = c.account_id and w.moved_to is null for share)
    returning ${columns(sql)}`;
  return row ? toCancellation(row) : null;
}

/** Ends the reservation of a call that decided nothing. `doubt` tells staff why, when they have to decide. */
export async function releaseCancellation(sql: Queryable, claimed: Cancellation, doubt: string | null): Promise<void> {
  await sql`
    update bus_cancellations set asked_until = null, doubt = coalesce(${doubt}, doubt)
    where account_id = ${claimed.accountId} and cancel_id = ${claimed.cancelId} and asked_times = ${claimed.askedTimes}`;
}

/** Cancellations of a ticket without a result so far. */
export async function findUnfinished(sql: Queryable, key: BlockKey): Promise<readonly CancelKey[]> {
  return await sql<CancelKey[]>`
    select account_id as "accountId", cancel_id as "cancelId" from bus_cancellations
    where account_id = ${key.accountId} and block_ref = ${key.blockRef} and state = 'asked' order by cancel_id`;
}

const MAX_AT_ONCE = 50;

export type DueCancellation = CancelKey & { readonly createdAt: number; readonly askedTimes: number };

/** Cancellations without a result whose provider should be asked again, those that have waited longest first. */
export async function findDueCancellations(sql: Queryable, now: number): Promise<readonly DueCancellation[]> {
  // A time further ahead than any delay was written before the clock was set back.
  const latest = new Date(now + LONGEST_RETRY_MILLISECONDS + FUTURE_MILLISECONDS);
  const rows = await sql<Pick<CancellationRow, "account_id" | "cancel_id" | "created_at" | "asked_times">[]>`
    select account_id, cancel_id, created_at, asked_times from bus_cancellations
    where state = 'asked' and (next_at <= ${new Date(now)} or next_at > ${latest}) order by next_at limit ${MAX_AT_ONCE}`;
  return rows.map((row) => ({
    accountId: row.account_id,
    cancelId: row.cancel_id,
    createdAt: row.created_at.getTime(),
    askedTimes: row.asked_times,
  }));
}

export async function postponeCancellation(sql: Queryable, key: CancelKey, nextAt: number): Promise<void> {
  await sql`
    update bus_cancellations set next_at = ${new Date(nextAt)} where account_id = ${key.accountId} and cancel_id = ${key.cancelId}`;
}

/** Ends a cancellation with the refund that is posted in the same transaction. */
export async function markDone(tx: Transaction, { accountId, cancelId, refund }: Cancellation): Promise<void> {
  await tx`
    update bus_cancellations set state = 'done', refund = ${refund}
    where account_id = ${accountId} and cancel_id = ${cancelId} and state = 'asked'`;
}

/** Deletes a cancellation that was refused; its seats belong to the ticket again. */
export async function deleteCancellation(tx: Transaction, key: CancelKey): Promise<void> {
  await tx`
    delete from bus_cancellations where account_id = ${key.accountId} and cancel_id = ${key.cancelId} and state = 'asked'`;
  await tx`update bus_block_seats set cancel_id = null where account_id = ${key.accountId} and cancel_id = ${key.cancelId}`;
}
