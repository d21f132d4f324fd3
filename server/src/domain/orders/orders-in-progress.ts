import type { Money } from "../../platform/core/money.ts";
import { createShortLivedMap, createShortLivedSet, type ShortLivedSet } from "../../platform/core/short-lived.ts";
import { createKeyedLimit, type KeyedLimit } from "../../platform/db/batching/keyed-limit.ts";
import type { Order } from "./order.ts";
import type { OrderKey } from "./store.ts";

/** An order's current state and its account's available balance at that time. */
export type OrderResult = { readonly order: Order; readonly available: Money };

/** An order that this process is working on. */
export type OrderInProgress = {
  readonly orderId: string;
  readonly startedAt: number;
  /** Resolves when the order is final or is answered pending. Rejects when it could not be written. */
  readonly result: Promise<OrderResult>;
  readonly resolve: (result: OrderResult) => void;
  readonly reject: (error: unknown) => void;
  hasPoll: boolean;
};

/** How far this process has searched for its own orders that are in the database although it does not work on them. */
export type Search = {
  /** Everything earlier was searched, except orders then in progress; null before the first search. */
  until: number | null;
  /** When an operation on an order last failed, by the monotonic clock. */
  lastFailureAt: number | null;
};

/** The orders in progress in this process. A second request with the same reference waits for the first. */
export type OrdersInProgress = {
  readonly add: (key: string, orderId: string, startedAt: number) => OrderInProgress;
  readonly remove: (key: string) => void;
  readonly byKey: (key: string) => OrderInProgress | undefined;
  readonly ids: () => readonly string[];
  /** A reply for this order is still owed. If the process crashes before `replied`, the client has got no answer. */
  readonly awaitReply: (orderId: string, startedAt: number) => void;
  readonly replied: (orderId: string) => void;
  /** The reply was lost, and that could not be recorded yet. */
  readonly lost: (order: OrderKey) => void;
  readonly takeLostReplies: () => readonly OrderKey[];
  readonly search: Search;
  /** Limits, for each account, the requests that hold a connection while they wait for the wallet. */
  readonly accepts: KeyedLimit;
  readonly size: () => number;
  /** When the oldest order in progress or unanswered began; null when there is none. */
  readonly oldest: () => number | null;
  /** Each request that waits for a result adds a function that ends its wait. */
  readonly waits: ShortLivedSet<() => void>;
  /** Ends all waits for results, now and later: the requests are answered pending, because the process stops. */
  readonly endWaits: () => void;
  readonly waitsEnded: AbortSignal;
  /** Resolves when no order is in progress. */
  readonly drained: () => Promise<void>;
};

// More at once would use up connections that other accounts need while this wallet is locked.
const MAX_ACCEPTS_PER_ACCOUNT = 3;

export function createOrdersInProgress(): OrdersInProgress {
  const orders = createShortLivedMap<OrderInProgress>();
  const unanswered = createShortLivedMap<number>();
  const waits = createShortLivedSet<() => void>();
  const ending = new AbortController();
  let lost: OrderKey[] = [];
  let waiting: (() => void)[] = [];
  return {
    add: (key, orderId, startedAt) => {
      const made = createOrderInProgress(orderId, startedAt);
      orders.set(key, made);
      return made;
    },
    remove: (key) => {
      if (!orders.delete(key) || orders.size() > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    byKey: (key) => orders.get(key),
    ids: () => orders.values().map((one) => one.orderId),
    awaitReply: (orderId, startedAt) => unanswered.set(orderId, startedAt),
    replied: (orderId) => void unanswered.delete(orderId),
    lost: (order) => lost.push(order),
    takeLostReplies: () => {
      const taken = lost;
      lost = [];
      return taken;
    },
    search: { until: null, lastFailureAt: null },
    accepts: createKeyedLimit(MAX_ACCEPTS_PER_ACCOUNT),
    size: orders.size,
    // All of them: after the clock was set back, a later entry has an earlier time.
    oldest: () => {
      let oldest: number | null = null;
      for (const { startedAt } of orders.values()) if (oldest === null || startedAt < oldest) oldest = startedAt;
      for (const startedAt of unanswered.values()) if (oldest === null || startedAt < oldest) oldest = startedAt;
      return oldest;
    },
    endWaits: () => {
      ending.abort();
      for (const end of waits.items()) end();
    },
    waits,
    waitsEnded: ending.signal,
    drained: () => (orders.size() === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function createOrderInProgress(orderId: string, startedAt: number): OrderInProgress {
  let resolve: (result: OrderResult) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const result = new Promise<OrderResult>((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  // The promise may reject when nobody awaits it any more.
  result.catch(() => {});
  return { orderId, startedAt, result, resolve, reject, hasPoll: false };
}
