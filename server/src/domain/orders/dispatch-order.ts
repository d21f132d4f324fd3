import type { JsonObject } from "../../platform/core/strict-json.ts";
import { readWallet } from "../ledger/store.ts";
import type { Connector, Outcome, ProviderRequest, Recorder } from "../providers/connector.ts";
import { NoFreeReference } from "../providers/references.ts";
import type { Failure } from "../shared/failure.ts";
import type { AttemptRecord } from "./attempts/store.ts";
import { callWithEvidence } from "./attempts/with-evidence.ts";
import type { ProviderChoice, UnsuitableProvider } from "./choose-providers.ts";
import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { OrderInProgress } from "./orders-in-progress.ts";
import { connectorOf, requestToSend } from "./provider-request.ts";
import { nextPollDelay, pollingOf } from "./recovery/poll-schedule.ts";
import { type Settlement, settleOrder } from "./settle-order.ts";

// A process that is silent for longer counts as dead and others poll its orders, so a later send could come after such a poll.
const SEND_WITHIN_MILLISECONDS = 10_000;

/**
 * Sends an accepted order to its providers in turn. The next provider is tried only after one has declined
 * or provably never received the order, never after one that may have carried it out. A decline that is about the
 * customer or the number is final: every other provider would say the same.
 */
export async function dispatchOrder(
  ctx: OrdersContext,
  accepted: Order,
  { providers, unsuitable }: ProviderChoice,
  inProgress: OrderInProgress,
  details?: JsonObject,
): Promise<void> {
  let order = accepted;
  let failure = failureWithoutProvider(unsuitable);
  let evidence: AttemptRecord | null = null;
  for (let place = 0; place < providers.length; place++) {
    const sent = await sendTo(ctx, order, details);
    const { outcome } = sent;
    evidence = sent.evidence;
    if (outcome.kind === "succeeded")
      return void (await settleOrder(ctx, inProgress, order, { to: "SUCCESS", failure: null, ...successFields(outcome), evidence }));
    if (outcome.kind === "pending" || outcome.kind === "unknown")
      return keepPending(ctx, inProgress, order, `${outcome.kind}: ${outcome.why}`, evidence);
    failure = failureAfter(place === 0 ? null : failure, outcome);
    const next = nextProvider(providers, place, outcome);
    if (next === undefined) break;
    const moved = { provider: next, providerVersion: ctx.providerRegistry.versionFor(next, order.orderId) };
    const written = await ctx.writer.write({ kind: "fail over", order, outcome: outcome.kind, detail: failure.words, evidence, ...moved });
    if (written.kind === "found") return inProgress.resolve({ order: written.order, available: written.available });
    order = { ...order, ...moved, attempt: order.attempt + 1, updatedAt: written.kind === "done" ? written.at : ctx.clock.now() };
  }
  await settleOrder(ctx, inProgress, order, { to: "FAILED", operatorRef: null, failure, evidence });
}

export const WITHOUT_PROVIDER: Failure = { code: "unavailable", words: "No provider is available for this operator." };

/** The failure of an order that no provider can take. */
function failureWithoutProvider(unsuitable: readonly UnsuitableProvider[]): Failure {
  const [first] = unsuitable;
  if (!first) return WITHOUT_PROVIDER;
  return { code: first.failure, words: unsuitable.map(({ provider, why }) => `${provider} cannot take it: ${why}`).join("; ") };
}

type Unsuccessful = Extract<Outcome, { readonly kind: "declined" | "not_sent" }>;

function nextProvider(providers: readonly string[], place: number, outcome: Unsuccessful): string | undefined {
  return outcome.kind === "declined" && outcome.decline === "final" ? undefined : providers[place + 1];
}

/** A decline tells the client more than a later provider's unreachability, so its code is kept. */
function failureAfter(before: Failure | null, outcome: Unsuccessful): Failure {
  if (outcome.kind === "declined") return { code: outcome.failure ?? "declined", words: outcome.reason };
  return { code: before?.code ?? outcome.failure ?? "unavailable", words: outcome.why };
}

type Success = Extract<Outcome, { readonly kind: "succeeded" }>;

/** The settlement fields of a successful outcome. */
export function successFields(outcome: Success): Pick<Settlement, "operatorRef" | "recheckAt" | "result"> {
  return {
    operatorRef: outcome.operatorRef,
    ...(outcome.recheckAt === undefined ? {} : { recheckAt: outcome.recheckAt }),
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
  };
}

type Sent = { readonly outcome: Outcome; readonly evidence: AttemptRecord | null };

async function sendTo(ctx: OrdersContext, order: Order, details?: JsonObject): Promise<Sent> {
  const { provider } = order;
  const connector = connectorOf(ctx, order);
  if (!connector) return notCalled({ kind: "not_sent", why: `The provider ${provider} is not running.`, fault: "connector" });
  // The order was accepted just before the installation went live; the simulator must not act on a live account now.
  if (isBarred(ctx, order))
    return notCalled({ kind: "not_sent", why: "The installation went live before this was sent.", fault: "connector" });
  // The providers were chosen when the order was accepted, and the one before may have taken long to decline it.
  if (!ctx.providerRegistry.mayServe(provider, ctx.isSandbox(order.accountId)))
    return notCalled({ kind: "not_sent", why: `The provider ${provider} was switched off before this was sent.`, fault: "connector" });
  const prepared = requestToSend(ctx, connector, order, details);
  const request = prepared instanceof Promise ? await prepared.catch(withoutReference) : prepared;
  if (request === null) return notCalled({ kind: "not_sent", why: WITHOUT_REFERENCE, fault: "order", failure: "unavailable" });
  if (ctx.clock.now() - order.updatedAt > SEND_WITHIN_MILLISECONDS)
    return notCalled({ kind: "unknown", why: "it was delayed too long before it could be sent" });
  const { finding, evidence } = await callWithEvidence(ctx, order, (record) => sendOnce(ctx, order, connector, request, record));
  const isBarredCredit = order.credit && finding.kind === "succeeded" && isBarred(ctx, order);
  return { outcome: isBarredCredit ? { kind: "declined", reason: "The trial ended before this transaction did." } : finding, evidence };
}

export const WITHOUT_REFERENCE = "no reference of the form that the provider demands is free";

/** Answers null when no reference of the provider's form is free; other errors are passed on. */
export function withoutReference(error: unknown): null {
  if (error instanceof NoFreeReference) return null;
  throw error;
}

function notCalled(outcome: Outcome): Sent {
  return { outcome, evidence: null };
}

/** Sends a request and counts its outcome for the provider. */
export async function sendOnce(
  ctx: OrdersContext,
  { orderId, provider, service, operator }: Order,
  connector: Connector,
  request: ProviderRequest,
  record: Recorder,
): Promise<Outcome> {
  const startedAt = performance.now();
  let outcome: Outcome;
  try {
    outcome = await connector.send(request, ctx.stopping, record);
  } catch (error) {
    // The connector interface forbids throwing. One that throws anyway may have sent the request.
    ctx.log.error({ err: error, order: orderId }, "connector threw an error");
    outcome = { kind: "unknown", why: "the connector failed", fault: "connector" };
  }
  ctx.providerRegistry.noteOutcome(provider, { service, operator }, outcome, performance.now() - startedAt);
  return outcome;
}

function isBarred(ctx: OrdersContext, order: Order): boolean {
  return ctx.providerRegistry.isBarred(order.provider, ctx.isSandbox(order.accountId));
}

/** Records that an order is pending and schedules its poll, before the client is answered that it is pending. */
export async function keepPending(
  ctx: OrdersContext,
  inProgress: OrderInProgress,
  order: Order,
  why: string,
  evidence: AttemptRecord | null = null,
): Promise<void> {
  const policy = pollingOf(connectorOf(ctx, order), order);
  const dueAt = ctx.clock.now() + (nextPollDelay(0, 0, policy) ?? 0);
  const written = await ctx.writer.write({ kind: "schedule poll", order, why, dueAt, answered: true, evidence });
  inProgress.hasPoll = true;
  if (written.kind === "found") inProgress.resolve({ order: written.order, available: written.available });
  else if (written.kind === "done") {
    const { available } = await readWallet(ctx.sql, order.accountId);
    inProgress.resolve({ order: { ...order, answeredPending: true }, available });
  }
}
