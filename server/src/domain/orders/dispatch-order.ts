import type { JsonObject } from "../../platform/core/strict-json.ts";
import { readWallet } from "../ledger/store.ts";
import type { Outcome, ProviderRequest } from "../providers/connector.ts";
import type { Failure } from "../shared/failure.ts";
import type { Against, ProviderPlan } from "./choose-providers.ts";
import type { OrdersContext } from "./context.ts";
import type { OpenOrder } from "./open-orders.ts";
import type { Order } from "./order.ts";
import { nextPollDelay } from "./poll-schedule.ts";
import { type Ending, settleOrder } from "./settle-order.ts";

// A process that is silent for longer may be taken for dead, and its orders be asked about: what is sent then would be sent too late.
const SEND_WITHIN_MILLISECONDS = 10_000;

/**
 * Takes an accepted order to its providers, one after the other. The next one is tried only after one has
 * declined or provably never saw it; never after one that may have done it.
 */
export async function dispatchOrder(
  ctx: OrdersContext,
  accepted: Order,
  { providers, against }: ProviderPlan,
  open: OpenOrder,
  details?: JsonObject,
): Promise<void> {
  let order = accepted;
  let failure = failureOfNone(against);
  for (let place = 0; place < providers.length; place++) {
    const outcome = await sendTo(ctx, order, details);
    if (outcome.kind === "succeeded")
      return void (await settleOrder(ctx, open, order, { to: "SUCCESS", failure: null, ...successFields(outcome) }));
    if (outcome.kind === "pending" || outcome.kind === "unknown") return keepPending(ctx, open, order, `${outcome.kind}: ${outcome.why}`);
    failure = failureAfter(place === 0 ? null : failure, outcome);
    const next = providers[place + 1];
    if (next === undefined) break;
    const written = await ctx.writer.write({ kind: "fail over", order, outcome: outcome.kind, detail: failure.words, provider: next });
    if (written.kind === "found") return open.resolve({ order: written.order, available: written.available });
    order = { ...order, provider: next, attempt: order.attempt + 1, updatedAt: written.kind === "done" ? written.at : ctx.clock.now() };
  }
  await settleOrder(ctx, open, order, { to: "FAILED", operatorRef: null, failure });
}

/** What an order fails with that nobody can be sent. */
function failureOfNone(against: readonly Against[]): Failure {
  const [first] = against;
  if (!first) return { code: "unavailable", words: "No provider is available for this operator." };
  return { code: first.failure, words: against.map(({ provider, why }) => `${provider} cannot take it: ${why}`).join("; ") };
}

type NoSuccess = Extract<Outcome, { readonly kind: "declined" | "not_sent" }>;

/** A provider's word about the customer tells the client more than that another could not be reached. */
function failureAfter(before: Failure | null, outcome: NoSuccess): Failure {
  if (outcome.kind === "declined") return { code: outcome.failure ?? "declined", words: outcome.reason };
  return { code: before?.code ?? outcome.failure ?? "unavailable", words: outcome.why };
}

type Success = Extract<Outcome, { readonly kind: "succeeded" }>;

/** What a success says of itself. */
export function successFields(outcome: Success): Pick<Ending, "operatorRef" | "recheckAt" | "result"> {
  return {
    operatorRef: outcome.operatorRef,
    ...(outcome.recheckAt === undefined ? {} : { recheckAt: outcome.recheckAt }),
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
  };
}

type RequestedOrder = Pick<Order, "orderId" | "service" | "call" | "operator" | "target" | "amount" | "circle" | "createdAt">;

async function sendTo(ctx: OrdersContext, order: Order, details?: JsonObject): Promise<Outcome> {
  const { provider } = order;
  const connector = ctx.providerRegistry.connector(provider);
  if (!connector) return { kind: "not_sent", why: `The provider ${provider} is not open.`, fault: "connector" };
  // Accepted in the trial's last moment: nothing simulated happens to a live account any more.
  if (isBarred(ctx, order)) return { kind: "not_sent", why: "The installation went live before this was sent.", fault: "connector" };
  if (ctx.clock.now() - order.updatedAt > SEND_WITHIN_MILLISECONDS)
    return { kind: "unknown", why: "it was held up before it could be sent" };
  const startedAt = performance.now();
  const request = providerRequest(order);
  let outcome: Outcome;
  try {
    outcome = await connector.send(details ? { ...request, details } : request, ctx.stopping);
  } catch (error) {
    // A connector never throws by its contract; one that does all the same may have sent the request.
    ctx.log.error({ err: error, order: order.orderId }, "a connector threw");
    outcome = { kind: "unknown", why: "the connector failed", fault: "connector" };
  }
  ctx.providerRegistry.noteOutcome(provider, order.operator, outcome, performance.now() - startedAt);
  const isBarredCredit = order.credit && outcome.kind === "succeeded" && isBarred(ctx, order);
  return isBarredCredit ? { kind: "declined", reason: "The trial ended before this transaction did." } : outcome;
}

function isBarred(ctx: OrdersContext, order: Order): boolean {
  return ctx.providerRegistry.isBarred(order.provider, ctx.isSandbox(order.accountId));
}

export function providerRequest(order: RequestedOrder): ProviderRequest {
  return {
    reference: order.orderId,
    service: order.service,
    call: order.call,
    operator: order.operator,
    target: order.target,
    amount: order.amount,
    circle: order.circle,
    createdAt: order.createdAt,
  };
}

/** Writes down that an order is pending, so that somebody asks again, before anyone is told so. */
export async function keepPending(ctx: OrdersContext, open: OpenOrder, order: Order, why: string): Promise<void> {
  const dueAt = ctx.clock.now() + (nextPollDelay(0, 0) ?? 0);
  const written = await ctx.writer.write({ kind: "watch", order, why, dueAt, answered: true });
  open.watched = true;
  if (written.kind === "found") open.resolve({ order: written.order, available: written.available });
  else if (written.kind === "done") {
    const { available } = await readWallet(ctx.sql, order.accountId);
    open.resolve({ order: { ...order, answeredPending: true }, available });
  }
}
