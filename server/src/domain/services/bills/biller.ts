import type { Money } from "../../../platform/core/money.ts";
import type { Rate } from "../../../platform/core/rate.ts";

/** How a biller is paid: after a fetch of its bills, after a check of the customer, or at once. */
export const FLOWS = ["fetch", "validate", "direct"] as const;
export type Flow = (typeof FLOWS)[number];

/** Which amounts a bill takes beside what is due. */
export const EXACTNESSES = ["exact", "exact_up", "exact_down", "range", "any"] as const;
export type Exactness = (typeof EXACTNESSES)[number];

/** What a payment is held against. Kept with a fetch, so that what was quoted stays true. */
export type Terms = {
  readonly name: string;
  readonly category: string;
  readonly flow: Flow;
  readonly exactness: Exactness;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly fee: Rate;
  /** What the account's own fee is reckoned by, beside the biller's; none in the catalogue, which is the same for all. */
  readonly charge?: Rate;
  readonly paymentModes: readonly string[];
};

export type BillerParam = {
  readonly name: string;
  readonly label: string;
  readonly pattern: RegExp;
  readonly example: string;
  readonly optional: boolean;
};

export type Biller = Terms & {
  readonly billerId: string;
  readonly params: readonly BillerParam[];
  readonly active: boolean;
};

/** A biller's parameters as a customer has given them. */
export type Params = Readonly<Record<string, string>>;

/** Contract, section 6: what replies, callbacks and the simulator's digits go by is the first required parameter. */
export function targetOf(biller: Biller, params: Params): string {
  const first = biller.params.find((one) => !one.optional);
  return first ? (params[first.name] ?? "") : "";
}

export type Bill = {
  readonly billNumber: string;
  readonly amount: Money;
  readonly customerName: string;
  readonly billDate: string;
  readonly dueDate: string;
};
