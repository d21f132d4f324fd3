import type { Connector, Finding } from "../../providers/connector.ts";
import { withEvidence } from "../attempts/with-evidence.ts";
import type { OrdersContext } from "../context.ts";
import { sendOnce } from "../dispatch-order.ts";
import type { Order } from "../order.ts";
import { connectorOf, requestToSend } from "../provider-request.ts";
import { claimResend, type PendingPoll } from "./pending-poll-store.ts";
import { waitedMilliseconds, wasSentWithOtherSecrets } from "./quiet-time.ts";

/**
 * Sends an order again with the same reference, to a provider that promises to carry a reference out once. Only an order whose
 * sending had no usable answer and that the status query did not find is sent again. Null when it is not.
 */
export async function resendOrder(ctx: OrdersContext, order: Order, poll: PendingPoll, asked: Finding): Promise<Finding | null> {
  const connector = connectorOf(ctx, order);
  if (connector === null || order.state !== "pending" || !isDue(ctx, connector, order, poll)) return null;
  if (asked.kind !== "not_found" && asked.kind !== "unknown") return null;
  // A provider that was switched off may be the reason why it was.
  if (!ctx.providerRegistry.mayServe(order.provider, ctx.isSandbox(order.accountId))) return null;
  // Another account would carry the order out again.
  if (wasSentWithOtherSecrets(ctx, order, poll)) return null;
  const request = await requestToSend(ctx, connector, order, (await ctx.readStoredDetails(order)) ?? undefined);
  const against = connector.unsuitable?.(request) ?? null;
  if (against !== null) {
    ctx.log.warn({ order: order.orderId, provider: order.provider, why: against.why }, "order cannot be sent again");
    return null;
  }
  if (!(await claimResend(ctx.sql, poll, ctx.clock.now()))) return null;
  ctx.log.info({ order: order.orderId, provider: order.provider, times: poll.resends + 1 }, "order is sent again with the same reference");
  const outcome = await withEvidence(ctx, order, (record) => sendOnce(ctx, order, connector, request, record));
  // A provider may refuse a repetition for a reason of its own, such as an empty balance, although the first one went through.
  if (outcome.kind === "declined")
    return { kind: "unknown", why: `sent again, it was declined: ${outcome.reason}. The status query decides` };
  return outcome.kind === "not_sent" ? { kind: "unknown", why: `it could not be sent again: ${outcome.why}` } : outcome;
}

function isDue({ clock }: OrdersContext, connector: Connector, order: Order, poll: PendingPoll): boolean {
  const policy = connector.policyOf?.(order).resend;
  if (policy === undefined || !poll.isUnanswered || poll.resends >= policy.times) return false;
  // The sending before may still be under way for its whole time limit.
  return waitedMilliseconds(clock, order, poll) >= Math.max(policy.afterMilliseconds, connector.timeoutMilliseconds);
}
