import type { Money } from "../../../platform/core/money.ts";
import type { FinalState, Order } from "../order.ts";
import type { Accept, Cancel, FailOver, Reverse, SchedulePoll, Settle, TopUp } from "../write/operations.ts";
import { ids, money } from "./fixture.ts";

// Operations with nothing special about them, for tests that are about something else.

export function accept(order: Order, dailyLimit: Money | null = null): Accept {
  return { kind: "accept", order, dailyLimit };
}

const DECLINED = { code: "declined", words: "declined" } as const;

export function settle(order: Order, to: FinalState, more: Partial<Settle> = {}): Settle {
  const ended = to === "SUCCESS" ? { operatorRef: "OP1", failure: null } : { operatorRef: null, failure: DECLINED };
  return { kind: "settle", order, to, ...ended, hasPoll: true, callbackId: ids.entry(Date.now()), ...more };
}

export function reverse(order: Order): Reverse {
  return {
    kind: "reverse",
    order,
    failure: { code: "reversed", words: "taken back" },
    callbackId: ids.entry(Date.now()),
    cause: "reversed",
  };
}

export function cancel(order: Order, rupees: number, whole: boolean): Cancel {
  const now = Date.now();
  const refund = money(rupees);
  return {
    kind: "cancel",
    order,
    cancelId: ids.entry(now),
    refund,
    whole,
    failure: { code: "cancelled", words: "" },
    callbackId: ids.entry(now),
  };
}

export function watch(order: Order): SchedulePoll {
  return { kind: "schedule poll", order, why: "test", dueAt: Date.now(), answered: true };
}

export function topUp(accountId: string, rupees: number, reference: string): TopUp {
  return { kind: "topup", accountId, amount: money(rupees), reference, note: "test" };
}

export function failOver(order: Order, provider: string): FailOver {
  return { kind: "fail over", order, outcome: "declined", detail: "no", provider, providerVersion: null };
}
