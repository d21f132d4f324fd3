import type { Queryable } from "../db/connection.ts";
import { MOVES } from "../ledger/moves.ts";
import { stateNumber } from "./order.ts";
import type { Plan } from "./plan.ts";

/** Writes a plan in one call. Answers each wallet's available money after it; raises when an assumption did not hold. */
export async function postPlan(sql: Queryable, plan: Plan, processId: string): Promise<ReadonlyMap<string, bigint>> {
  const wallets = [...plan.wallets.values()];
  const orders = plan.accepts.map((one) => one.order);
  const { changes, watches, transfers } = plan;
  const [row] = await sql<{ available: bigint[] | null }[]>`
    select available from post_batch(
      ${new Date(plan.at)}, ${plan.today}, ${processId},
      ${wallets.map((one) => one.accountId)}::text[],
      ${wallets.map((one) => String(one.available))}::bigint[],
      ${wallets.map((one) => String(one.held))}::bigint[],
      ${wallets.map((one) => String(one.cleared))}::bigint[],
      ${wallets.map((one) => String(one.funding))}::bigint[],
      ${wallets.map((one) => String(one.fees))}::bigint[],
      ${wallets.map((one) => one.rows)}::integer[],
      ${wallets.map((one) => String(one.day))}::bigint[],
      ${wallets.map((one) => String(one.dailyLimit ?? -1n))}::bigint[],
      ${orders.map((one) => one.accountId)}::text[],
      ${orders.map((one) => one.orderId)}::text[],
      ${orders.map((one) => one.service)}::text[],
      ${orders.map((one) => one.reference)}::text[],
      ${orders.map((one) => one.fingerprint)}::text[],
      ${orders.map((one) => String(one.amount))}::bigint[],
      ${orders.map((one) => one.amountText)}::text[],
      ${orders.map((one) => String(one.fee))}::bigint[],
      ${orders.map((one) => one.target)}::text[],
      ${orders.map((one) => one.operator)}::text[],
      ${orders.map((one) => one.circle ?? "")}::text[],
      ${orders.map((one) => one.provider)}::text[],
      ${changes.map((one) => one.order.accountId)}::text[],
      ${changes.map((one) => one.order.orderId)}::text[],
      ${changes.map((one) => (one.kind === "settle" ? 0 : 1))}::smallint[],
      ${changes.map((one) => stateNumber(one.kind === "settle" ? one.to : "FAILED"))}::smallint[],
      ${changes.map((one) => (one.kind === "settle" ? (one.operatorRef ?? "") : ""))}::text[],
      ${changes.map((one) => one.reason ?? "")}::text[],
      ${changes.map((one) => Number(one.kind === "reverse" || one.watched))}::smallint[],
      ${changes.map((one) => one.callbackId)}::text[],
      ${changes.map((one) => (one.kind === "settle" ? "pending" : one.notify))}::text[],
      ${watches.map((one) => one.order.accountId)}::text[],
      ${watches.map((one) => one.order.orderId)}::text[],
      ${watches.map((one) => one.why)}::text[],
      ${watches.map((one) => new Date(one.dueAt).toISOString())}::timestamptz[],
      ${watches.map((one) => Number(one.answered))}::smallint[],
      ${transfers.map((one) => one.accountId)}::text[],
      ${transfers.map((one) => one.rank)}::integer[],
      ${transfers.map((one) => one.kind)}::text[],
      ${transfers.map((one) => MOVES[one.kind].from)}::text[],
      ${transfers.map((one) => MOVES[one.kind].to)}::text[],
      ${transfers.map((one) => String(one.amount))}::bigint[],
      ${transfers.map((one) => String(one.availableOffset))}::bigint[],
      ${transfers.map((one) => one.orderId)}::text[],
      ${transfers.map((one) => one.reference)}::text[],
      ${transfers.map((one) => one.narration)}::text[])`;
  return new Map(wallets.map((one, place) => [one.accountId, row?.available?.[place] ?? 0n]));
}
