import type { Sql } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { transfersOfOrder } from "../../ledger/order-transfers.ts";
import { staffWords } from "../../shared/failure.ts";
import type { Order } from "../order.ts";

export type Posting = {
  readonly seq: bigint;
  readonly kind: string;
  readonly from_bucket: string;
  readonly to_bucket: string;
  readonly amount: bigint;
  readonly available_after: bigint;
  readonly at: Date;
};

export type Attempt = Pick<Row<"order_attempts">, "attempt" | "provider" | "started_at" | "outcome" | "detail" | "ended_at">;

export type Waiting = { readonly why: string; readonly polls: number; readonly due_at: Date; readonly needs_human: boolean };

export type History = { readonly postings: readonly Posting[]; readonly attempts: readonly Attempt[]; readonly waiting: Waiting | null };

export async function readHistory(sql: Sql, order: Order): Promise<History> {
  const { accountId, orderId } = order;
  const [postings, attempts, waiting] = await Promise.all([
    sql<Posting[]>`
      select seq, kind, from_bucket, to_bucket, amount, available_after, at
      from ${transfersOfOrder(sql, accountId, orderId)} t order by seq`,
    sql<Attempt[]>`
      select attempt, provider, started_at, outcome, detail, ended_at
      from order_attempts where account_id = ${accountId} and order_id = ${orderId} order by attempt`,
    sql<Waiting[]>`
      select why, polls, due_at, needs_human from pending_polls where account_id = ${accountId} and order_id = ${orderId}`,
  ]);
  const begun =
    attempts.length > 0 ? attempts : [{ attempt: order.attempt, provider: order.provider, started_at: new Date(order.createdAt) }];
  const ended = begun.map((one) => ("outcome" in one && one.outcome !== null ? one : lastAttempt(order, postings, one)));
  return { postings, attempts: ended, waiting: waiting[0] ?? null };
}

const OUTCOMES = { SUCCESS: "succeeded", FAILED: "declined", pending: null } as const;
const CAPTURES: ReadonlySet<string> = new Set(["capture", "fee", "credit"]);

type Begun = Pick<Attempt, "attempt" | "provider" | "started_at">;

/** How the last attempt ended, which the order's own row says. A single attempt has no row at all. */
function lastAttempt(order: Order, postings: readonly Posting[], { attempt, provider, started_at }: Begun): Attempt {
  const begun = { attempt, provider, started_at };
  // The order was reversed later: the attempt itself had succeeded.
  const captured = order.state === "FAILED" ? postings.find((posting) => CAPTURES.has(posting.kind)) : undefined;
  if (captured) return { ...begun, outcome: "succeeded", detail: null, ended_at: captured.at };
  const outcome = OUTCOMES[order.state];
  return {
    ...begun,
    outcome,
    detail: order.failure && staffWords(order.failure),
    ended_at: outcome === null ? null : new Date(order.updatedAt),
  };
}
