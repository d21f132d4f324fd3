import type { Money } from "../../../platform/core/money.ts";
import type { Bill, Biller, Params } from "./billers/biller.ts";

/** A provider's queries for this service. None of them charges anything. A query that cannot be answered now throws. */
export type BillsProviderService = {
  readonly billers: () => Promise<readonly Biller[]>;
  /** Fetches a customer's bills, or validates the customer. */
  readonly fetch: (question: FetchQuery) => Promise<FetchFinding>;
  /** Queries the result of an earlier fetch that was answered pending. */
  readonly ask: (question: FetchQuery) => Promise<FetchFinding>;
};

export type FetchQuery = {
  /** Our reference, unique forever. */
  readonly fetchRef: string;
  readonly billerId: string;
  readonly params: Params;
  /** The first required parameter. */
  readonly target: string;
  readonly customerMobile: string;
  /** When it was first requested, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The provider's own id of the fetch; empty until an answer had one. */
  readonly providerRef: string;
};

export type FetchFinding =
  /** `bills` is empty after a validation; `range` is the bills' own limits where they are narrower than the biller's. */
  | { readonly kind: "found"; readonly bills: readonly Bill[]; readonly range?: AmountRange; readonly providerRef?: string }
  | { readonly kind: "pending"; readonly providerRef?: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "no bill due" };

export type AmountRange = { readonly least: Money; readonly most: Money };
