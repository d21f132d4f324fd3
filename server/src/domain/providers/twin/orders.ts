import type { TransactionName } from "@corprail/connector";
import { type Money, NO_MONEY, parseMoney, requireMoney, subtract } from "../../../platform/core/money.ts";
import type { Behaviour } from "./behaviour.ts";
import type { Found } from "./match-template.ts";

/** An order that the twin has received. */
export type TwinOrder = {
  readonly operation: TransactionName;
  readonly reference: string;
  readonly providerRef: string;
  readonly operatorRef: string;
  /** What its calls have said so far. */
  readonly found: Found;
  /** Chosen anew until the money moves, because the first call may not name the target. */
  behaviour: Behaviour;
  readonly at: number;
  /** How often the call that moves the money came; more than once is a fault of the sender. */
  sends: number;
};

export type TwinOrders = {
  readonly receive: (order: Pick<TwinOrder, "operation" | "reference" | "found" | "behaviour" | "at">) => TwinOrder;
  /** By our reference, by the provider's own, or by that of the fetch which the order pays. */
  readonly find: (reference: string) => TwinOrder | undefined;
  readonly all: () => readonly TwinOrder[];
  /** What is left of the money after the orders that succeeded. */
  readonly balance: (now: number) => Money;
};

const OPENING_BALANCE = requireMoney("100000");

export function createOrders(delayMilliseconds: number): TwinOrders {
  const orders = new Map<string, TwinOrder>();
  const all = () => [...orders.values()];
  return {
    receive: (order) => {
      const known = orders.get(order.reference);
      if (known !== undefined) return known;
      const number = orders.size + 1;
      const made = { ...order, providerRef: `TWIN${1000 + number}`, operatorRef: `OP${700_000 + number}`, sends: 0 };
      orders.set(order.reference, made);
      return made;
    },
    find: (reference) =>
      orders.get(reference) ??
      all().find((order) => order.providerRef === reference || order.found.get("details.fetch_provider_ref") === reference),
    all,
    balance: (now) =>
      all()
        .filter((order) => order.sends > 0 && resultOf(order, now, delayMilliseconds) === "success")
        .reduce((rest, { found }) => subtract(rest, parseMoney(found.get("amount") ?? "") ?? NO_MONEY), OPENING_BALANCE),
  };
}

/** The name of the sample that says what has become of an order. */
export function resultOf({ behaviour, at }: TwinOrder, now: number, delayMilliseconds: number): string {
  return behaviour.later !== undefined && now - at >= delayMilliseconds ? behaviour.later : behaviour.now;
}
