import type { Fragment } from "postgres";
import { FUTURE_MILLISECONDS } from "../../../platform/core/clock.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { Row as TableRow } from "../../../platform/db/schema/row-types.ts";
import type { OrderKey } from "../store.ts";
import { LONGEST_POLL_MILLISECONDS } from "./poll-schedule.ts";

export type PendingPoll = {
  readonly accountId: string;
  readonly orderId: string;
  /** No other process polls it before. A hint that comes meanwhile brings the time forward. */
  leasedUntil: number;
  readonly since: number;
  readonly polls: number;
  readonly notFound: number;
  /** The sending had no usable answer. */
  readonly isUnanswered: boolean;
  /** How often the order was sent again, and when the last time; null if never. */
  readonly resends: number;
  readonly resentAt: number | null;
};

type Row = Pick<
  TableRow<"pending_polls">,
  "account_id" | "order_id" | "since" | "polls" | "not_found" | "is_unanswered" | "resends" | "resent_at"
>;

// While one process polls an order, no other does. If that process dies, the poll is due again after this time.
const LEASE_MILLISECONDS = 60_000;

/** A condition: `claimDuePolls` finds something. */
export function hasDuePolls(sql: Queryable, at: Date): Fragment {
  return sql`exists (select from pending_polls where due_at <= ${at} and not needs_human)`;
}

export async function claimDuePolls(sql: Sql, now: number, limit: number): Promise<readonly PendingPoll[]> {
  const leasedUntil = now + LEASE_MILLISECONDS;
  const rows = await sql<Row[]>`
    update pending_polls w set due_at = ${new Date(leasedUntil)}
    from (
      select account_id, order_id from pending_polls where due_at <= ${new Date(now)} and not needs_human
      order by due_at limit ${limit} for update skip locked
    ) due
    where w.account_id = due.account_id and w.order_id = due.order_id
    returning w.account_id, w.order_id, w.since, w.polls, w.not_found, w.is_unanswered, w.resends, w.resent_at`;
  return rows.map((row) => ({
    accountId: row.account_id,
    orderId: row.order_id,
    leasedUntil,
    since: row.since.getTime(),
    polls: row.polls,
    notFound: row.not_found,
    isUnanswered: row.is_unanswered,
    resends: row.resends,
    resentAt: row.resent_at?.getTime() ?? null,
  }));
}

/** Prolongs the leases of polls in flight that end soon. An order that a hint has made due meanwhile stays due. */
export async function renewLeases(sql: Sql, polls: readonly PendingPoll[], now: number): Promise<void> {
  const ending = polls.filter(({ leasedUntil }) => leasedUntil < now + LEASE_MILLISECONDS / 2);
  if (ending.length === 0) return;
  const leasedUntil = now + LEASE_MILLISECONDS;
  const rows = await sql<Pick<Row, "order_id">[]>`
    update pending_polls w set due_at = ${new Date(leasedUntil)} from ${leasesOf(sql, ending)}
    where w.account_id = d.account_id and w.order_id = d.order_id and w.due_at = d.leased_until
    returning w.order_id`;
  const renewed = new Set(rows.map((row) => row.order_id));
  for (const poll of ending) if (renewed.has(poll.orderId)) poll.leasedUntil = leasedUntil;
}

/** Postpones polls that were claimed and not made. */
export async function deferPolls(sql: Sql, polls: readonly PendingPoll[], dueAt: number): Promise<void> {
  if (polls.length === 0) return;
  await sql`
    update pending_polls w set due_at = ${new Date(dueAt)} from ${leasesOf(sql, polls)}
    where w.account_id = d.account_id and w.order_id = d.order_id and w.due_at = d.leased_until`;
}

function leasesOf(sql: Sql, polls: readonly PendingPoll[]): Fragment {
  return sql`unnest(${polls.map((one) => one.accountId)}::text[], ${polls.map((one) => one.orderId)}::text[],
    ${polls.map((one) => new Date(one.leasedUntil).toISOString())}::timestamptz[]) as d (account_id, order_id, leased_until)`;
}

/** Condition: no hint of the provider came since the poll was claimed. The answer may be from before such a hint. */
function isStillLeased(sql: Sql, { leasedUntil }: PendingPoll): Fragment {
  return sql`due_at = ${new Date(leasedUntil)}`;
}

/** Ends the polling of an order, unless it became due again meanwhile. */
export async function deletePoll(sql: Sql, poll: PendingPoll): Promise<void> {
  await sql`
    delete from pending_polls
    where account_id = ${poll.accountId} and order_id = ${poll.orderId} and ${isStillLeased(sql, poll)}`;
}

/** What a poll that settled nothing leaves: how often in a row the provider did not know the order, and the reason for staff. */
export type Undecided = {
  readonly notFound: number;
  /** The attempt that the poll asked about. */
  readonly attempt: number;
  readonly why: string | null;
};

export async function postponePoll(sql: Sql, poll: PendingPoll, dueAt: number, { notFound, attempt, why }: Undecided): Promise<void> {
  // The order may have moved to another provider meanwhile, which may know it. The lock lets a move that is being written end first.
  const counted = sql`case when (
    select o.attempt from orders o where o.account_id = w.account_id and o.order_id = w.order_id for share) = ${attempt} then ${notFound}::integer else 0 end`;
  await sql`
    update pending_polls w set due_at = case when ${isStillLeased(sql, poll)} then ${new Date(dueAt)}::timestamptz else due_at end, polls = ${poll.polls + 1}, not_found = ${notFound === 0 ? sql`0` : counted},
      why = coalesce(${why}, why)
    where account_id = ${poll.accountId} and order_id = ${poll.orderId}`;
}

/**
 * Brings the next poll of an order forward, also after polling has stopped. `why` replaces the reason that staff see. Does
 * nothing for an order that is not polled.
 */
export async function makePollDue(sql: Sql, key: OrderKey, now: number, why: string | null = null): Promise<void> {
  await sql`
    update pending_polls set due_at = least(due_at, ${new Date(now)}), needs_human = false, why = coalesce(${why}, why)
    where account_id = ${key.accountId} and order_id = ${key.orderId}`;
}

/**
 * Counts a repetition before it is sent, so that a crash cannot make it happen more often. False when another process was first,
 * or when the account is moving to another cell: the copy that is polled there would not know of the repetition.
 */
export async function claimResend(sql: Sql, poll: PendingPoll, now: number): Promise<boolean> {
  // The lock lets a move that is being recorded end first, and makes one that begins now wait.
  const { count } = await sql`
    update pending_polls p set resends = resends + 1, resent_at = ${new Date(now)}, not_found = 0
    where account_id = ${poll.accountId} and order_id = ${poll.orderId} and resends = ${poll.resends} and is_unanswered
      and exists (select from wallets w where w.account_id = p.account_id and w.moved_to is null for share)`;
  return count === 1;
}

/** Polls a successful order at once, because its provider hints that it has taken the success back. */
export async function schedulePollOfSuccess(sql: Sql, key: OrderKey, now: number): Promise<void> {
  const at = new Date(now);
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at)
    values (${key.accountId}, ${key.orderId}, 'the provider reports a change', ${at}, ${at})
    on conflict (account_id, order_id) do update set due_at = least(pending_polls.due_at, excluded.due_at), needs_human = false`;
}

/** Leaves a successful order to staff, because the provider has taken the success back and we could not. */
export async function leaveSuccessToStaff(sql: Sql, key: OrderKey, now: number, why: string): Promise<void> {
  const at = new Date(now);
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at, needs_human)
    values (${key.accountId}, ${key.orderId}, ${why}, ${at}, ${at}, true)
    on conflict (account_id, order_id) do update set why = excluded.why, needs_human = true`;
}

export async function stopPolling(sql: Sql, poll: PendingPoll, { why }: Undecided): Promise<void> {
  await sql`
    update pending_polls set needs_human = ${isStillLeased(sql, poll)}, polls = ${poll.polls + 1}, why = coalesce(${why}, why)
    where account_id = ${poll.accountId} and order_id = ${poll.orderId}`;
}

/**
 * After the clock was set back, makes polls due that lie further ahead than the longest interval, and resets start times that
 * lie in the future. Skips rows that are locked by another session. Returns the number of polls made due.
 */
export async function repairPollTimes(sql: Sql, now: number, longestMilliseconds = LONGEST_POLL_MILLISECONDS): Promise<number> {
  const at = new Date(now);
  const { count } = await sql`
    update pending_polls o set due_at = least(o.due_at, ${at}), since = least(o.since, ${at}) from (
      select account_id, order_id from pending_polls
      where not needs_human and due_at > ${new Date(now + longestMilliseconds + FUTURE_MILLISECONDS)} for update skip locked) w
    where o.account_id = w.account_id and o.order_id = w.order_id`;
  await sql`
    update pending_polls o set since = ${at} from (
      select account_id, order_id from pending_polls where since > ${new Date(now + FUTURE_MILLISECONDS)} for update skip locked) w
    where o.account_id = w.account_id and o.order_id = w.order_id`;
  return count;
}
