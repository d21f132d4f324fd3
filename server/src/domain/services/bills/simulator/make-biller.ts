import { type Money, parseMoney } from "../../../../platform/core/money.ts";
import type { Biller, BillerParam } from "../billers/biller.ts";

/** A biller in the simulator's tables. By default it accepts the usual payment modes and charges no fee. */
export type Written = Pick<Biller, "billerId" | "name" | "flow" | "exactness" | "params"> & {
  readonly takes: readonly [least: string, most: string];
  readonly flatFee?: string;
  /** In hundredths of a percent. */
  readonly basisPoints?: bigint;
  readonly paymentModes?: readonly string[];
  readonly active?: false;
};

export const MODES = ["CASH", "UPI", "DEBIT_CARD", "INTERNET_BANKING", "WALLET"] as const;
export const MODES_WITHOUT_CASH = ["UPI", "DEBIT_CARD", "INTERNET_BANKING"] as const;
export const MODES_WITH_CARDS = ["UPI", "DEBIT_CARD", "CREDIT_CARD", "INTERNET_BANKING", "WALLET"] as const;

export function billersOf(category: string, written: readonly Written[]): readonly Biller[] {
  return written.map(({ takes, flatFee = "0", basisPoints = 0n, paymentModes = MODES, active = true, ...biller }) => ({
    ...biller,
    category,
    minAmount: rupees(takes[0]),
    maxAmount: rupees(takes[1]),
    fee: { flat: rupees(flatFee), basisPoints },
    paymentModes,
    active,
  }));
}

export function param(name: string, label: string, pattern: RegExp, example: string): BillerParam {
  return { name, label, pattern, example, optional: false };
}

export function optionalParam(name: string, label: string, pattern: RegExp, example: string): BillerParam {
  return { ...param(name, label, pattern, example), optional: true };
}

export function rupees(text: string): Money {
  const amount = parseMoney(text);
  if (amount === null) throw new Error(`${text} is not an amount.`);
  return amount;
}
