import { formatMoney } from "../../platform/core/money.ts";
import type { OrdersContext } from "../orders/context.ts";
import { clearComplaint } from "./clear-complaint.ts";
import type { Decision } from "./decide.ts";
import {
  addProviderComplaints,
  claimProviderComplaints,
  type ProviderComplaint,
  postponeProviderComplaint,
  recordTaken,
} from "./provider-complaints-store.ts";

const AT_ONCE = 20;
const MINUTE = 60_000;
const LONGEST_MILLISECONDS = 60 * MINUTE;
const LONGEST_ANSWER = 500;

/** The client's sentence: a provider's own words are for staff. */
const SENTENCES: Readonly<Record<Decision, string>> = {
  stands: "The operator confirms that the transaction was carried out.",
  refund: "The operator has returned the money.",
};

type Connector = NonNullable<ReturnType<OrdersContext["providerRegistry"]["connector"]>>;

/** Passes open complaints on to the providers of their orders and applies the providers' decisions. */
export async function passComplaintsOn(ctx: OrdersContext, providers: () => readonly string[]): Promise<void> {
  const now = ctx.clock.now();
  const able = providers().filter((name) => ctx.providerRegistry.connector(name)?.operations.has("complaints.raise"));
  if (able.length === 0) return;
  await addProviderComplaints(ctx.sql, able, now);
  const due = await claimProviderComplaints(ctx.sql, now, AT_ONCE);
  await Promise.all(due.map((one) => proceed(ctx, one)));
}

async function proceed(ctx: OrdersContext, one: ProviderComplaint): Promise<void> {
  const connector = ctx.providerRegistry.connector(one.provider);
  try {
    if (!connector) return await postpone(ctx, one, "The provider is not running.");
    if (one.providerComplaintRef === null) return await raise(ctx, connector, one);
    await askDecision(ctx, connector, one, one.providerComplaintRef);
  } catch (error) {
    ctx.log.warn({ err: error, complaint: one.complaintRef }, "passing a complaint on failed; it will be tried again");
  }
}

async function raise(ctx: OrdersContext, connector: Connector, one: ProviderComplaint): Promise<void> {
  const { order } = one;
  const input = {
    reference: await referenceOf(ctx, connector, one),
    provider_ref: order.providerRef,
    operator_ref: order.operatorRef,
    service: order.service,
    amount: formatMoney(order.amount),
    created_at: order.createdAt,
    reason: one.reasonCode,
    description: one.description,
    complaint_reference: one.complaintRef,
  };
  const result = await connector.query("complaints.raise", input, ctx.stopping);
  if (result.kind !== "answered") return await postpone(ctx, one, wordsOf(result));
  await recordTaken(ctx.sql, one, result.value.complaint_ref, ctx.clock.now() + MINUTE);
}

async function askDecision(ctx: OrdersContext, connector: Connector, one: ProviderComplaint, complaintRef: string): Promise<void> {
  if (!connector.operations.has("complaints.status"))
    return await postpone(ctx, one, "The provider has taken the complaint. Ask it for its decision.");
  const reference = await referenceOf(ctx, connector, one);
  const input = { complaint_ref: complaintRef, reference, provider_ref: one.order.providerRef };
  const result = await connector.query("complaints.status", input, ctx.stopping);
  if (result.kind !== "answered") return await postpone(ctx, one, wordsOf(result));
  const { status, reason } = result.value;
  if (status === "open") return await postpone(ctx, one, reason);
  const decision = status === "refunded" ? "refund" : "stands";
  const cleared = await clearComplaint(ctx, `provider:${one.provider}`, {
    complaintRef: one.complaintRef,
    decision,
    reason: SENTENCES[decision],
    ...(reason === "" ? {} : { more: { provider_words: reason.slice(0, LONGEST_ANSWER) } }),
  });
  // An order that is still pending, for example. Staff can decide the complaint as well.
  if (cleared.kind === "conflict") return await postpone(ctx, one, `${reason} (not applied: ${cleared.reason})`);
  // The wallet blocks the refund, which is tried again until it is possible or staff decide otherwise.
  if (cleared.kind === "done" && cleared.complaint.status === "OPEN") await postpone(ctx, one, `${reason} (the refund is blocked)`);
}

async function referenceOf(ctx: OrdersContext, { referenceForm }: Connector, { provider, order }: ProviderComplaint): Promise<string> {
  return referenceForm ? await ctx.references.allocate(provider, referenceForm, order.orderId) : order.orderId;
}

function wordsOf(result: { readonly kind: "refused"; readonly reason: string } | { readonly kind: "unavailable"; readonly why: string }) {
  return result.kind === "refused" ? `Refused: ${result.reason}` : `No answer: ${result.why}`;
}

/** The interval doubles from a minute to an hour. */
async function postpone(ctx: OrdersContext, one: ProviderComplaint, answer: string): Promise<void> {
  const delay = Math.min(LONGEST_MILLISECONDS, MINUTE * 2 ** Math.min(one.tries, 10));
  await postponeProviderComplaint(ctx.sql, one, answer.slice(0, LONGEST_ANSWER), ctx.clock.now() + delay);
}
