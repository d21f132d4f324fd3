import type { Money } from "../../../platform/core/money.ts";
import type { Bill, Biller, Params } from "./biller.ts";

/** What a provider does for this service beside its transactions. None of it charges anything. Whatever cannot be done now is thrown. */
export type BillsProviderService = {
  readonly billers: () => Promise<readonly Biller[]>;
  /** Asks a biller for its bills, or whether it knows the customer. */
  readonly fetch: (question: FetchQuestion) => Promise<FetchFinding>;
  /** Asks about an earlier question that was answered pending. */
  readonly ask: (question: FetchQuestion) => Promise<FetchFinding>;
};

export type FetchQuestion = {
  /** Ours, unique for ever. */
  readonly fetchRef: string;
  readonly billerId: string;
  readonly params: Params;
  /** The first required parameter. */
  readonly target: string;
  readonly customerMobile: string;
  /** Milliseconds since 1970 at which it was asked first. */
  readonly createdAt: number;
};

export type FetchFinding =
  /** `bills` is empty where a customer was only checked; `range` is what these bills take, where it is less than the biller takes. */
  | { readonly kind: "found"; readonly bills: readonly Bill[]; readonly range?: AmountRange }
  | { readonly kind: "pending" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "no bill due" };

export type AmountRange = { readonly least: Money; readonly most: Money };
