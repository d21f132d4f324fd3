import { formatMoney, type Money } from "../../../../platform/core/money.ts";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { FailureCode } from "../../../shared/failure.ts";

/** A time, with the text that stands for it where no filter says otherwise. */
export type Time = { readonly kind: "time"; readonly at: number; readonly text: string };
export type Many = { readonly kind: "many"; readonly items: readonly JsonValue[] | { readonly [name: string]: JsonValue } };
/** What a placeholder stands for. A bigint is an amount. */
export type Value = string | Money | Time | Many;

/** The kinds that filters distinguish. */
export type ValueKind = "text" | "amount" | "time" | "many";

/** A value that the provider's format cannot express, so that the request is not sent. */
export class Inexpressible extends Error {
  /** The failure code that the client sees. */
  readonly failure: FailureCode;

  constructor(why: string, failure: FailureCode = "unavailable") {
    super(why);
    this.failure = failure;
  }
}

export type AmountFormat = "two_places" | "four_places" | "shortest" | "whole" | "paise";

/** Writes an amount. Never rounded, because the carried out amount must equal the paid amount. */
export const AMOUNTS: Readonly<Record<AmountFormat, (amount: Money) => string>> = {
  four_places: formatMoney,
  two_places: (amount) => cut(amount, 2),
  whole: (amount) => cut(amount, 0),
  shortest: (amount) => withoutFinalZeros(formatMoney(amount)),
  paise: (amount) => {
    if (amount % 100n !== 0n) throw new Inexpressible("this provider accepts whole paise only", "amount_not_accepted");
    return (amount / 100n).toString();
  },
};

function cut(amount: Money, places: 0 | 2): string {
  const text = formatMoney(amount);
  const rest = places === 0 ? ".0000" : "00";
  if (!text.endsWith(rest))
    throw new Inexpressible(`this provider accepts ${places === 0 ? "whole rupees" : "at most two decimals"} only`, "amount_not_accepted");
  return text.slice(0, -rest.length);
}

export function withoutFinalZeros(decimal: string): string {
  let end = decimal.length;
  while (decimal[end - 1] === "0") end -= 1;
  return decimal.slice(0, decimal[end - 1] === "." ? end - 1 : end);
}
