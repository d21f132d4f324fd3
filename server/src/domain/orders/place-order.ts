import { steadyNow } from "../../platform/core/clock.ts";
import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Account } from "../accounts/account.ts";
import { readWallet } from "../ledger/store.ts";
import type { Refusal } from "../shared/refusals.ts";
import { acceptWithin, type Within } from "./accept-within.ts";
import { chooseProviders, type ProviderPlan } from "./choose-providers.ts";
import type { OrdersContext } from "./context.ts";
import { dispatchOrder, keepPending, providerRequest } from "./dispatch-order.ts";
import { replyWatcher } from "./no-answer.ts";
import type { OpenOrder, Standing } from "./open-orders.ts";
import type { Accept } from "./operations.ts";
import type { Order } from "./order.ts";
import { findById, findByReference, type Reference } from "./store.ts";

/** What a service asks for, once it has found nothing against it. */
export type NewOrder = Pick<
  Order,
  "service" | "reference" | "call" | "fingerprint" | "amount" | "amountText" | "fee" | "credit" | "target" | "operator" | "circle"
> & {
  readonly account: Account;
  /** The fee was told to the client before, with what was agreed on then. */
  readonly quoted?: boolean;
  /** Null where the account's daily limit does not apply. */
  readonly dailyLimit: Money | null;
  /** What must be true, and change, together with the order. */
  readonly within?: Within;
  /** The only provider that can do it, where something of it was arranged there before. */
  readonly provider?: string;
  /** For the provider's eyes only; kept in memory until it is sent. */
  readonly details?: JsonObject;
};

export type Placed =
  | ({ readonly kind: "order" } & Standing)
  /** The reference belongs to an order with other details. */
  | { readonly kind: "other details"; readonly order: Order }
  | { readonly kind: "thin" }
  | { readonly kind: "daily limit" }
  | { readonly kind: "busy" }
  /** Nobody can do it; nothing was created. */
  | { readonly kind: "no provider" }
  /** By `within`. */
  | Refusal;

/** Makes the order, or finds the one its reference has, and waits for how it stands until the reply is due. */
export function placeOrder(ctx: OrdersContext, request: NewOrder): Promise<Placed> {
  const deadline = performance.now() + ctx.replyWaitMilliseconds;
  const { service, reference, call } = request;
  const key = keyOf({ accountId: request.account.accountId, service, reference, call });
  const underWay = ctx.open.byKey(key);
  return underWay ? placeBeside(ctx, request, key, deadline, underWay) : placeNew(ctx, request, key, deadline);
}

/** Another request for the same reference came before. */
async function placeBeside(ctx: OrdersContext, request: NewOrder, key: string, deadline: number, before: OpenOrder): Promise<Placed> {
  for (let underWay: OpenOrder | undefined = before; underWay; underWay = ctx.open.byKey(key)) {
    const first = await waitFor(underWay, deadline).catch(() => null);
    const order = first?.order ?? (await findById(ctx.sql, underWay.orderId, request.account.accountId));
    // The first was refused, so nothing was created: this request is as good as new.
    if (order) return await answerKnown(ctx, request.fingerprint, order, deadline);
    if (performance.now() >= deadline) return { kind: "busy" };
    if (ctx.open.byKey(key) === underWay) ctx.open.close(key);
  }
  return await placeNew(ctx, request, key, deadline);
}

async function placeNew(ctx: OrdersContext, request: NewOrder, key: string, deadline: number): Promise<Placed> {
  if (ctx.writer.waitSeconds(request.account.accountId) > MOST_WAIT_SECONDS) return { kind: "busy" };
  const now = ctx.clock.now();
  const orderId = ctx.ids.order(now);
  const plan = planOf(ctx, request, orderId, now);
  if (plan.providers.length === 0 && plan.against.length === 0) return await knownOrUnserved(ctx, request, deadline);
  const order = newOrder(ctx, request, orderId, plan.providers[0] ?? "none", now);
  const open = ctx.open.open(key, orderId, now);
  const accepted = await accept(ctx, order, request, key, open);
  if (accepted.kind === "known") return await answerKnown(ctx, request.fingerprint, accepted.order, deadline);
  if (accepted.kind !== "accepted") return accepted;
  ctx.open.awaitReply(orderId, now);
  void carryOut(ctx, accepted.order, plan, open, key, request.details);
  try {
    // Pending when the reply is due first.
    const standing = await waitFor(open, deadline);
    if (standing) return { kind: "order", ...standing };
    await keepPending(ctx, open, accepted.order, "no answer before the reply was due");
    return { kind: "order", ...(await open.standing) };
  } catch (error) {
    // The client gets a 5xx for an order that exists: that is no answer.
    replyWatcher(ctx, accepted.order)(false);
    throw error;
  }
}

/** Contract, section 9a: refused before anything is charged; a known reference is answered all the same. */
async function knownOrUnserved(ctx: OrdersContext, request: NewOrder, deadline: number): Promise<Placed> {
  const { account, service, reference, call } = request;
  const order = await findByReference(ctx.sql, { accountId: account.accountId, service, reference, call });
  return order ? await answerKnown(ctx, request.fingerprint, order, deadline) : { kind: "no provider" };
}

function planOf(ctx: OrdersContext, request: NewOrder, orderId: string, now: number): ProviderPlan {
  const { account, provider, details } = request;
  const asked = providerRequest({ ...request, orderId, createdAt: now });
  return chooseProviders(ctx, { request: details ? { ...asked, details } : asked, sandbox: account.sandbox, provider });
}

type Accepted =
  | { readonly kind: "accepted"; readonly order: Order }
  | { readonly kind: "known"; readonly order: Order }
  | { readonly kind: "thin" }
  | { readonly kind: "daily limit" }
  | Refusal;

async function accept(ctx: OrdersContext, order: Order, request: NewOrder, key: string, open: OpenOrder): Promise<Accepted> {
  try {
    const operation: Accept = { kind: "accept", order, dailyLimit: request.dailyLimit };
    const written = request.within ? await acceptWithin(ctx, operation, request.within) : await ctx.writer.write(operation);
    if (written.kind === "done") return { kind: "accepted", order: { ...order, createdAt: written.at, updatedAt: written.at } };
    if (written.kind === "found") {
      open.resolve({ order: written.order, available: written.available });
      ctx.open.close(key);
      return { kind: "known", order: written.order };
    }
    if (written.kind !== "thin" && written.kind !== "daily limit" && written.kind !== "refused")
      throw new Error(`An accept was answered ${written.kind}.`);
    open.reject(new Error("nothing was created"));
    ctx.open.close(key);
    return written;
  } catch (error) {
    // It may be there all the same: the recovery finds it once this process no longer counts it as under way.
    ctx.open.search.lastFailureAt = steadyNow(ctx.clock);
    open.reject(error);
    ctx.open.close(key);
    throw error;
  }
}

/** What goes on after the acceptance, whether or not anybody waits for it; whoever does is told. */
async function carryOut(
  ctx: OrdersContext,
  order: Order,
  plan: ProviderPlan,
  open: OpenOrder,
  key: string,
  details: JsonObject | undefined,
): Promise<void> {
  try {
    await dispatchOrder(ctx, order, plan, open, details);
  } catch (error) {
    ctx.open.search.lastFailureAt = steadyNow(ctx.clock);
    ctx.log.error({ err: error, order: open.orderId }, "an order could not be taken further; it will be asked about");
    open.reject(error);
  } finally {
    ctx.open.close(key);
  }
}

/** The reply for a reference that has an order already; waits for it until `deadline` when it is still under way. */
export async function answerKnown(ctx: OrdersContext, fingerprint: string, order: Order, deadline: number): Promise<Placed> {
  if (order.fingerprint !== fingerprint) return { kind: "other details", order };
  const current = order.state === "pending" ? await waitElsewhere(ctx, order, deadline) : order;
  const { available } = await readWallet(ctx.sql, order.accountId);
  if (current.state !== "pending" || current.answeredPending) return { kind: "order", order: current, available };
  const written = await ctx.writer.write({
    kind: "watch",
    order: current,
    why: "a retry was answered pending",
    dueAt: ctx.clock.now(),
    answered: true,
  });
  return { kind: "order", order: written.kind === "found" ? written.order : { ...current, answeredPending: true }, available };
}

/** The gate lets in what should not wait longer; more may have come in meanwhile. */
const MOST_WAIT_SECONDS = 2;
const LOOK_AGAIN_MILLISECONDS = 100;
const TIMER_STEP_MILLISECONDS = 20;

/** Another process has it: look until it is final or said to be pending, or the reply is due. */
async function waitElsewhere(ctx: OrdersContext, order: Order, deadline: number): Promise<Order> {
  let current = order;
  while (current.state === "pending" && !current.answeredPending && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLISECONDS));
    current = (await findById(ctx.sql, order.orderId, order.accountId)) ?? current;
  }
  return current;
}

/** The standing of an order under way; null when the deadline comes first. */
function waitFor(open: OpenOrder, deadline: number): Promise<Standing | null> {
  return new Promise((resolve, reject) => {
    // In whole steps: timers of one length cost Node next to nothing.
    const steps = Math.ceil(Math.max(0, deadline - performance.now()) / TIMER_STEP_MILLISECONDS);
    const timer = setTimeout(resolve, steps * TIMER_STEP_MILLISECONDS, null);
    const stop = () => clearTimeout(timer);
    open.standing.then(resolve, reject).then(stop);
  });
}

function newOrder(ctx: OrdersContext, request: NewOrder, orderId: string, provider: string, now: number): Order {
  const { accountId } = request.account;
  const agreed = ctx.pricing.agree(accountId, request.service, request.operator, request.amount, now);
  return {
    accountId,
    orderId,
    service: request.service,
    reference: request.reference,
    call: request.call,
    fingerprint: request.fingerprint,
    state: "pending",
    amount: request.amount,
    amountText: request.amountText,
    fee: request.quoted ? request.fee : ((request.fee + agreed.fee) as Money),
    commission: agreed.commission,
    credit: request.credit,
    refunded: null,
    target: request.target,
    operator: request.operator,
    circle: request.circle,
    provider,
    attempt: 1,
    operatorRef: null,
    failure: null,
    answeredPending: false,
    createdAt: now,
    updatedAt: now,
  };
}

function keyOf(reference: Reference): string {
  return `${reference.accountId}/${reference.service}/${reference.reference}/${reference.call}`;
}
