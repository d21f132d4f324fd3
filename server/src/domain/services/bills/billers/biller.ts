import type { Money } from "../../../../platform/core/money.ts";
import type { Rate } from "../../../../platform/core/rate.ts";

/** How a biller is paid: after a fetch of its bills, after a validation of the customer, or directly. */
export const FLOWS = ["fetch", "validate", "direct"] as const;
export type Flow = (typeof FLOWS)[number];

/** Which amounts a bill accepts besides the due amount. */
export const EXACTNESSES = ["exact", "exact_up", "exact_down", "range", "any"] as const;
export type Exactness = (typeof EXACTNESSES)[number];

/** The terms of a payment. They are stored with a fetch, so that a quote stays valid. */
export type Terms = {
  readonly name: string;
  readonly category: string;
  readonly flow: Flow;
  readonly exactness: Exactness;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly fee: Rate;
  /** The account's fee rate in addition to the biller's; absent in the catalogue, which is the same for all accounts. */
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

/** A customer's values of a biller's parameters. */
export type Params = Readonly<Record<string, string>>;

/** Contract, section 6: the target in replies, callbacks and simulator rules is the first required parameter. */
export function targetOf(biller: Biller, params: Params): string {
  const target = targetParam(biller);
  return target ? (params[target.name] ?? "") : "";
}

export function targetParam({ params }: Biller): BillerParam | undefined {
  return params.find((one) => !one.optional);
}

export type Bill = {
  readonly billNumber: string;
  readonly amount: Money;
  readonly customerName: string;
  readonly billDate: string;
  readonly dueDate: string;
};
