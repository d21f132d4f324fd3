import type { Sql } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/row-types.ts";
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
      from transfers where account_id = ${accountId} and order_id = ${orderId} order by seq`,
    sql<Attempt[]>`
      select attempt, provider, started_at, outcome, detail, ended_at
      from order_attempts where account_id = ${accountId} and order_id = ${orderId} order by attempt`,
    sql<Waiting[]>`
      select why, polls, due_at, needs_human from pending_polls where account_id = ${accountId} and order_id = ${orderId}`,
  ]);
  return { postings, attempts: attempts.length > 0 ? attempts : [onlyAttempt(order, postings)], waiting: waiting[0] ?? null };
}

const OUTCOMES = { SUCCESS: "succeeded", FAILED: "declined", pending: null } as const;
const CAPTURES: ReadonlySet<string> = new Set(["capture", "fee", "credit"]);

/** An order with a single attempt has no attempt row; the order's own row says the same. */
function onlyAttempt(order: Order, postings: readonly Posting[]): Attempt {
  const begun = { attempt: 1, provider: order.provider, started_at: new Date(order.createdAt) };
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
