import { steadyNow } from "../../platform/core/clock.ts";
import { add } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { rememberOrigin } from "../../platform/observability/traces/origins.ts";
import type { Account } from "../accounts/account.ts";
import { readWallet } from "../ledger/store.ts";
import type { Refusal } from "../shared/refusals.ts";
import { serviceDefinition } from "../shared/service-definition.ts";
import { type AcceptGuard, acceptWithGuard } from "./accept-with-guard.ts";
import { chooseProviders, type ProviderChoice } from "./choose-providers.ts";
import type { OrdersContext } from "./context.ts";
import { dispatchOrder, keepPending } from "./dispatch-order.ts";
import { findKnown, type Known } from "./find-known.ts";
import { isSameFingerprint } from "./fingerprint.ts";
import { NO_PROVIDER, type Order } from "./order.ts";
import type { OrderInProgress, OrderResult } from "./orders-in-progress.ts";
import { providerRequest } from "./provider-request.ts";
import { createReplyRecorder } from "./recovery/unanswered-requests.ts";
import type { Reference } from "./reference-digest.ts";
import { findById } from "./store.ts";
import { isReplyDue, waitFor, waitForOtherProcess } from "./wait-for-result.ts";
import type { Accept } from "./write/operations.ts";

/** An order request that its service has validated. */
export type NewOrder = Pick<
  Order,
  "service" | "reference" | "operation" | "fingerprint" | "amount" | "amountText" | "fee" | "credit" | "target" | "operator" | "circle"
> & {
  readonly account: Account;
  /** The fee was quoted to the client before and already includes the agreed fee. */
  readonly quoted?: boolean;
  /** The service's own check and writes in the accepting transaction. */
  readonly guard?: AcceptGuard;
  /** The only provider that can carry the order out, because an earlier step was arranged with it. */
  readonly provider?: string;
  /** Other providers that may be tried too; with `provider` absent, the only ones. */
  readonly allows?: (provider: string) => boolean;
  /** Sent to the provider and never stored. */
  readonly details?: JsonObject;
};

export type Placed =
  | ({ readonly kind: "order" } & OrderResult)
  /** The reference belongs to an order with other details. */
  | { readonly kind: "other details"; readonly order: Order }
  /** The reference belongs to an order whose month was archived and has left the database. */
  | { readonly kind: "archived"; readonly orderId: string }
  | { readonly kind: "insufficient funds" }
  | { readonly kind: "daily limit" }
  | { readonly kind: "busy" }
  /** No provider can carry it out; nothing was created. */
  | { readonly kind: "no provider" }
  /** The guard refused. */
  | Refusal;

/** Creates the order, or finds the one with the same reference, and waits for its result until the reply is due. */
export function placeOrder(ctx: OrdersContext, request: NewOrder): Promise<Placed> {
  const deadline = performance.now() + ctx.replyWaitMilliseconds;
  const { service, reference, operation } = request;
  const key = keyOf({ accountId: request.account.accountId, service, reference, operation });
  const underWay = ctx.inProgress.byKey(key);
  return underWay ? joinExisting(ctx, request, key, deadline, underWay) : placeNew(ctx, request, key, deadline);
}

/** Handles a request whose reference is already in progress. */
async function joinExisting(
  ctx: OrdersContext,
  request: NewOrder,
  key: string,
  deadline: number,
  before: OrderInProgress,
): Promise<Placed> {
  for (let underWay: OrderInProgress | undefined = before; underWay; underWay = ctx.inProgress.byKey(key)) {
    const first = await waitFor(ctx, underWay, deadline).catch(() => null);
    const order = first?.order ?? (await findById(ctx.sql, underWay.orderId, request.account.accountId));
    // If the first request was refused, nothing was created and this request starts anew.
    if (order) return await answerExisting(ctx, request.fingerprint, order, deadline);
    if (isReplyDue(ctx, deadline)) return { kind: "busy" };
    if (ctx.inProgress.byKey(key) === underWay) ctx.inProgress.remove(key);
  }
  return await placeNew(ctx, request, key, deadline);
}

async function placeNew(ctx: OrdersContext, request: NewOrder, key: string, deadline: number): Promise<Placed> {
  if (ctx.writer.waitSeconds(request.account.accountId) > MAX_WAIT_SECONDS) return { kind: "busy" };
  const now = ctx.clock.now();
  const orderId = ctx.ids.order(now);
  rememberOrigin(orderId);
  const plan = planOf(ctx, request, orderId, now);
  if (plan.providers.length === 0 && plan.unsuitable.length === 0) return await answerExistingOrRefuse(ctx, request, deadline);
  const order = newOrder(ctx, request, orderId, plan.providers[0] ?? NO_PROVIDER, now);
  const inProgress = ctx.inProgress.add(key, orderId, now);
  const accepted = await accept(ctx, order, request, key, inProgress);
  if (accepted.kind === "known") return await answerExisting(ctx, request.fingerprint, accepted.order, deadline);
  if (accepted.kind !== "accepted") return accepted;
  ctx.inProgress.awaitReply(orderId, now);
  void dispatch(ctx, accepted.order, plan, inProgress, key, request.details);
  try {
    // The order is answered pending when the deadline comes first.
    const result = await waitFor(ctx, inProgress, deadline);
    if (result) return { kind: "order", ...result };
    await keepPending(ctx, inProgress, accepted.order, "no answer before the reply was due");
    return { kind: "order", ...(await inProgress.result) };
  } catch (error) {
    // The client gets a 5xx for an order that exists, which counts as no answer.
    createReplyRecorder(ctx, accepted.order)(false);
    throw error;
  }
}

/** Contract, section 9a: an order without a provider is refused before anything is charged, unless its reference is known. */
async function answerExistingOrRefuse(ctx: OrdersContext, request: NewOrder, deadline: number): Promise<Placed> {
  const { account, service, reference, operation } = request;
  const known = await findKnown(ctx.sql, { accountId: account.accountId, service, reference, operation });
  return known ? await answerKnown(ctx, request.fingerprint, known, deadline) : { kind: "no provider" };
}

function planOf(ctx: OrdersContext, request: NewOrder, orderId: string, now: number): ProviderChoice {
  const { account, provider, allows, details } = request;
  const asked = providerRequest(orderId, request, now);
  return chooseProviders(ctx, { request: details ? { ...asked, details } : asked, sandbox: account.sandbox, provider, allows });
}

type Accepted =
  | { readonly kind: "accepted"; readonly order: Order }
  | { readonly kind: "known"; readonly order: Order }
  | { readonly kind: "archived"; readonly orderId: string }
  | { readonly kind: "insufficient funds" }
  | { readonly kind: "daily limit" }
  | Refusal;

async function accept(ctx: OrdersContext, order: Order, request: NewOrder, key: string, inProgress: OrderInProgress): Promise<Accepted> {
  try {
    const dailyLimit = serviceDefinition(order.service).hasDailyLimit ? request.account.dailyLimit : null;
    const operation: Accept = { kind: "accept", order, dailyLimit };
    const written = request.guard ? await acceptWithGuard(ctx, operation, request.guard) : await ctx.writer.write(operation);
    if (written.kind === "done") return { kind: "accepted", order: { ...order, createdAt: written.at, updatedAt: written.at } };
    if (written.kind === "found") {
      inProgress.resolve({ order: written.order, available: written.available });
      ctx.inProgress.remove(key);
      return { kind: "known", order: written.order };
    }
    if (
      written.kind !== "insufficient funds" &&
      written.kind !== "daily limit" &&
      written.kind !== "refused" &&
      written.kind !== "archived"
    )
      throw new Error(`An accept was answered ${written.kind}.`);
    inProgress.reject(new Error("nothing was created"));
    ctx.inProgress.remove(key);
    return written;
  } catch (error) {
    // The order may exist all the same. Recovery finds it once this process no longer lists it as in progress.
    ctx.inProgress.search.lastFailureAt = steadyNow(ctx.clock);
    inProgress.reject(error);
    ctx.inProgress.remove(key);
    throw error;
  }
}

/** Dispatches the order after its acceptance, whether or not a request still waits for the result. */
async function dispatch(
  ctx: OrdersContext,
  order: Order,
  plan: ProviderChoice,
  inProgress: OrderInProgress,
  key: string,
  details: JsonObject | undefined,
): Promise<void> {
  try {
    await dispatchOrder(ctx, order, plan, inProgress, details);
  } catch (error) {
    ctx.inProgress.search.lastFailureAt = steadyNow(ctx.clock);
    ctx.log.error({ err: error, order: inProgress.orderId }, "order dispatch failed; the provider will be polled");
    inProgress.reject(error);
  } finally {
    ctx.inProgress.remove(key);
  }
}

/** Answers a request whose reference was used before. */
export async function answerKnown(ctx: OrdersContext, fingerprint: string, known: Known, deadline: number): Promise<Placed> {
  return known.kind === "archived" ? known : await answerExisting(ctx, fingerprint, known.order, deadline);
}

/** Answers a request whose reference already has an order, and waits until `deadline` while that order is in progress. */
async function answerExisting(ctx: OrdersContext, fingerprint: string, order: Order, deadline: number): Promise<Placed> {
  if (!isSameFingerprint(order.fingerprint, fingerprint)) return { kind: "other details", order };
  const current = order.state === "pending" ? await waitForOtherProcess(ctx, order, deadline) : order;
  const { available } = await readWallet(ctx.sql, order.accountId);
  if (current.state !== "pending" || current.answeredPending) return { kind: "order", order: current, available };
  const written = await ctx.writer.write({
    kind: "schedule poll",
    order: current,
    why: "a retry was answered pending",
    dueAt: ctx.clock.now(),
    answered: true,
  });
  return { kind: "order", order: written.kind === "found" ? written.order : { ...current, answeredPending: true }, available };
}

/** Admission rejects requests that would wait longer; the queue may have grown since. */
const MAX_WAIT_SECONDS = 2;

function newOrder(ctx: OrdersContext, request: NewOrder, orderId: string, provider: string, now: number): Order {
  const { accountId } = request.account;
  const agreed = ctx.pricing.agree(accountId, request.service, request.operator, request.amount, now);
  return {
    accountId,
    orderId,
    service: request.service,
    reference: request.reference,
    operation: request.operation,
    fingerprint: request.fingerprint,
    state: "pending",
    amount: request.amount,
    amountText: request.amountText,
    fee: request.quoted ? request.fee : add(request.fee, agreed.fee),
    commission: agreed.commission,
    credit: request.credit,
    refunded: null,
    target: request.target,
    operator: request.operator,
    circle: request.circle,
    provider,
    providerVersion: ctx.providerRegistry.versionFor(provider, orderId),
    attempt: 1,
    operatorRef: null,
    failure: null,
    answeredPending: false,
    createdAt: now,
    updatedAt: now,
  };
}

function keyOf(reference: Reference): string {
  return `${reference.accountId}/${reference.service}/${reference.reference}/${reference.operation}`;
}
