import type { Money } from "../../platform/core/money.ts";
import { createKeyedLimit, type KeyedLimit } from "../../platform/db/keyed-limit.ts";
import type { Order } from "./order.ts";
import type { OrderKey } from "./store.ts";

/** How an order stands, with the money its account can spend then. */
export type Standing = { readonly order: Order; readonly available: Money };

/** An order this process is working on. */
export type OpenOrder = {
  readonly orderId: string;
  readonly startedAt: number;
  /** Resolves once: final, or said to be pending. Rejects when it could not be written. */
  readonly standing: Promise<Standing>;
  readonly resolve: (standing: Standing) => void;
  readonly reject: (error: unknown) => void;
  watched: boolean;
};

/** How far this process has looked for orders of its own that are in the database with nobody working on them. */
export type Search = {
  /** Everything before was looked through, but for what was under way; null before the first search. */
  until: number | null;
  /** When something last went wrong with an order, by the steady clock. */
  lastFailureAt: number | null;
};

/** What is under way here: a second request with the same reference waits for the first. */
export type OpenOrders = {
  readonly open: (key: string, orderId: string, startedAt: number) => OpenOrder;
  readonly close: (key: string) => void;
  readonly byKey: (key: string) => OpenOrder | undefined;
  readonly ids: () => readonly string[];
  /** A reply for this order has to go out; until then a crash leaves its client without an answer. */
  readonly awaitReply: (orderId: string, startedAt: number) => void;
  readonly replied: (orderId: string) => void;
  /** Its reply was lost, and that could not be written down yet. */
  readonly lost: (order: OrderKey) => void;
  readonly takeLost: () => readonly OrderKey[];
  readonly search: Search;
  /** Of each account, those that wait for its wallet with a connection of their own. */
  readonly accepts: KeyedLimit;
  readonly size: () => number;
  /** When the oldest order under way or not yet answered began; null when there is none. */
  readonly oldest: () => number | null;
  /** Resolves when none is left. */
  readonly drained: () => Promise<void>;
};

// More at once would take the connections of other accounts while this one's wallet is locked.
const MOST_ACCEPTS_AN_ACCOUNT = 3;

export function openOrders(): OpenOrders {
  const orders = new Map<string, OpenOrder>();
  const unanswered = new Map<string, number>();
  let lost: OrderKey[] = [];
  let waiting: (() => void)[] = [];
  return {
    open: (key, orderId, startedAt) => {
      const made = openOrder(orderId, startedAt);
      orders.set(key, made);
      return made;
    },
    close: (key) => {
      if (!orders.delete(key) || orders.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    byKey: (key) => orders.get(key),
    ids: () => [...orders.values()].map((one) => one.orderId),
    awaitReply: (orderId, startedAt) => unanswered.set(orderId, startedAt),
    replied: (orderId) => unanswered.delete(orderId),
    lost: (order) => lost.push(order),
    takeLost: () => {
      const taken = lost;
      lost = [];
      return taken;
    },
    search: { until: null, lastFailureAt: null },
    accepts: createKeyedLimit(MOST_ACCEPTS_AN_ACCOUNT),
    size: () => orders.size,
    // A Map keeps the order of insertion, so the first is the oldest.
    oldest: () => {
      const times = [orders.values().next().value?.startedAt, unanswered.values().next().value].filter((time) => time !== undefined);
      return times.length === 0 ? null : Math.min(...times);
    },
    drained: () => (orders.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function openOrder(orderId: string, startedAt: number): OpenOrder {
  let resolve: (standing: Standing) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const standing = new Promise<Standing>((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  // Nobody may be waiting any more when it fails.
  standing.catch(() => {});
  return { orderId, startedAt, standing, resolve, reject, watched: false };
}
