import type { SimulatedProvider, Truth } from "../actors/provider.ts";
import type { Received, Receivers } from "../actors/receiver.ts";
import type { Storage } from "../environment/storage.ts";
import { keyOf, type Model, type Purchase } from "./model.ts";

type OrderRow = {
  readonly accountId: string;
  readonly orderId: string;
  readonly urid: string;
  readonly state: "pending" | "SUCCESS" | "FAILED";
  readonly amount: number;
  readonly provider: string;
  readonly needsHuman: boolean;
};

export type Parts = {
  readonly model: Model;
  readonly storage: Storage;
  readonly providers: readonly SimulatedProvider[];
  readonly receivers: Receivers;
};

const STATES = ["pending", "SUCCESS", "FAILED"] as const;
const UNITS = 10_000;

/** What must be true at every moment. Returns what is not. */
export function lastingViolations(parts: Parts): readonly string[] {
  return checkWallets(parts, readOrders(parts.storage));
}

/** Orders that are pending although their provider has long been able to tell their end. */
export function lateOrders(parts: Parts, decidedBefore: number): readonly string[] {
  return readOrders(parts.storage)
    .filter(({ state, needsHuman }) => state === "pending" && !needsHuman)
    .filter(({ orderId, provider }) => {
      const truth = parts.providers.find((one) => one.name === provider)?.truths.get(orderId);
      return truth === undefined || (truth.decidedAt !== null && truth.decidedAt < decidedBefore);
    })
    .map(({ orderId, provider }) => `The order ${orderId} is pending although ${provider} has long known its end.`);
}

/** What must be true once everything has been well for long enough. Returns what is not. */
export function finalViolations(parts: Parts): readonly string[] {
  const orders = readOrders(parts.storage);
  return [
    ...parts.receivers.violations,
    ...orders.flatMap((order) => [...checkPurchase(parts, order), ...checkProviders(parts, order), ...checkCallbacks(parts, order)]),
    ...checkPromises(parts, orders),
    ...checkWallets(parts, orders),
  ];
}

function readOrders(storage: Storage): readonly OrderRow[] {
  const rows = storage.execute(`
    select o.account_id, o.order_id, o.reference, o.state, o.amount, o.provider, coalesce(p.needs_human, false)
    from orders o left join pending_polls p using (account_id, order_id) order by o.order_id`);
  return rows.map(([accountId, orderId, urid, state, amount, provider, needsHuman]) => ({
    accountId: accountId ?? "",
    orderId: orderId ?? "",
    urid: urid ?? "",
    state: STATES[Number(state)] ?? "pending",
    amount: Number(amount) / UNITS,
    provider: provider ?? "",
    needsHuman: needsHuman === "t",
  }));
}

function purchaseOf({ model }: Parts, { accountId, urid }: OrderRow): Purchase | undefined {
  return model.purchases.get(keyOf(accountId, urid));
}

function checkPurchase(parts: Parts, order: OrderRow): readonly string[] {
  const purchase = purchaseOf(parts, order);
  if (!purchase) return [`The order ${order.orderId} belongs to no purchase.`];
  const { finalReply, orderId, amount } = purchase;
  const isReversed = finalReply?.state === "SUCCESS" && order.state === "FAILED";
  return [
    ...(amount === order.amount ? [] : [`The order ${order.orderId} costs ${order.amount} instead of ${amount}.`]),
    ...(orderId === null || orderId === order.orderId ? [] : [`The client was told ${orderId}, the order is ${order.orderId}.`]),
    ...(finalReply === null || finalReply.state === order.state || isReversed
      ? []
      : [`The client was told ${finalReply.state}, the order ${order.orderId} is ${order.state}.`]),
    ...(order.state === "pending" && !order.needsHuman ? [`The order ${order.orderId} is still pending although everything is well.`] : []),
  ];
}

/** Exactly once: no provider got an order twice, and no two carried it out; and our state agrees with theirs. */
function checkProviders({ providers, model }: Parts, { orderId, state }: OrderRow): readonly string[] {
  const truths = providers.map(({ truths: all }) => all.get(orderId)).filter((truth): truth is Truth => truth !== undefined);
  const done = truths.filter((truth) => truth.state === "succeeded" || truth.state === "reversed");
  const found = [
    ...truths
      .filter((truth) => truth.arrivals > 1)
      .map((truth) => `The order ${orderId} was sent to ${truth.provider} ${truth.arrivals} times.`),
    ...(done.length > 1 ? [`The order ${orderId} was carried out by ${done.length} providers.`] : []),
  ];
  // After a lie, or when staff have decided, the states may differ.
  if (truths.some((truth) => truth.lied) || model.touchedByStaff.has(orderId)) return found;
  const isDone = truths.some((truth) => truth.state === "succeeded");
  const wasDone = done.length > 0;
  if (state === "SUCCESS" && !wasDone) found.push(`The order ${orderId} is SUCCESS, but no provider has carried it out.`);
  if (state === "FAILED" && isDone) found.push(`The order ${orderId} is FAILED, but a provider has carried it out.`);
  return found;
}

/** A client that does not know an order's end gets it by a callback, and the ends come in their order. */
function checkCallbacks(parts: Parts, order: OrderRow): readonly string[] {
  const purchase = purchaseOf(parts, order);
  if (!purchase || purchase.account.host === null || order.state === "pending") return [];
  const received = (parts.receivers.received.get(order.orderId) ?? []).filter((one) => one.accepted);
  const wasSuccess = purchase.finalReply?.state === "SUCCESS" || received.some((one) => one.status === "SUCCESS");
  const isOwed =
    purchase.answeredPending || (purchase.replyLost && purchase.account.version === 3) || (wasSuccess && order.state === "FAILED");
  const firstFailure = received.findIndex((one) => one.status === "FAILED");
  const firstSuccess = received.findIndex((one) => one.status === "SUCCESS");
  return [
    ...(isOwed && !hasStatus(received, order.state) ? [`No callback reported that the order ${order.orderId} is ${order.state}.`] : []),
    ...(firstFailure >= 0 && firstSuccess > firstFailure
      ? [`The callbacks of the order ${order.orderId} reported FAILED and then SUCCESS.`]
      : []),
    ...(order.state === "SUCCESS" && firstFailure >= 0
      ? [`A callback reported that the order ${order.orderId} is FAILED; it is SUCCESS.`]
      : []),
  ];
}

function hasStatus(received: readonly Received[], status: string): boolean {
  return received.some((one) => one.status === status);
}

/** Every order that a reply named exists. */
function checkPromises({ model }: Parts, orders: readonly OrderRow[]): readonly string[] {
  const ids = new Set(orders.map((order) => order.orderId));
  return [...model.purchases.values()]
    .filter(({ orderId }) => orderId !== null && !ids.has(orderId))
    .map(({ urid, orderId }) => `The client was told the order ${orderId} of ${urid}, which does not exist.`);
}

/** Money is neither made nor lost: what came in, less what was spent and what is held, is what is there. */
function checkWallets({ model, storage }: Parts, orders: readonly OrderRow[]): readonly string[] {
  const rows = storage.execute("select account_id, available, held from wallets order by account_id");
  const booked = storage.execute("select account_id, reference from transfers where kind = 'topup' order by account_id, seq");
  const references = new Set(booked.map(([accountId, reference]) => `${accountId}/${reference}`));
  const missing = model.topUps.filter((one) => one.acknowledged && !references.has(`${one.accountId}/${one.reference}`));
  const sum = (accountId: string, state: string) =>
    orders.reduce((all, one) => all + (one.accountId === accountId && one.state === state ? one.amount : 0), 0);
  return [
    ...missing.map((one) => `The top-up ${one.reference} was acknowledged and is missing.`),
    ...rows.flatMap(([accountId = "", available, held]) => {
      const id = accountId ?? "";
      const topped = model.topUps.filter((one) => one.accountId === id && references.has(`${id}/${one.reference}`));
      const expected = topped.reduce((all, one) => all + one.amount, 0) - sum(id, "SUCCESS") - sum(id, "pending");
      return [
        ...(Number(available) / UNITS === expected ? [] : [`The wallet of ${id} has ${Number(available) / UNITS} instead of ${expected}.`]),
        ...(Number(held) / UNITS === sum(id, "pending")
          ? []
          : [`The wallet of ${id} holds ${Number(held) / UNITS} instead of ${sum(id, "pending")}.`]),
      ];
    }),
  ];
}
