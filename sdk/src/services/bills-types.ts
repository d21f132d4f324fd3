import type { Open, SignedExtra } from "./shared.js";

export type BillFlow = Open<"fetch" | "validate" | "direct">;
export type Exactness = Open<"exact" | "exact_up" | "exact_down" | "range" | "any">;

/** `billers` says how many it has. */
export type BillCategory = { readonly category: string; readonly name: string; readonly billers: number };

export type Biller = {
  readonly billerId: string;
  readonly name: string;
  readonly category: string;
  readonly flow: BillFlow;
  readonly exactness: Exactness;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly params: readonly {
    readonly name: string;
    readonly label: string;
    readonly pattern: string;
    readonly example: string;
    readonly optional: boolean;
  }[];
  readonly fee: { readonly flat: string; readonly percent: string };
  readonly paymentModes: readonly string[];
  readonly status: Open<"active" | "inactive">;
};

/** By the names that the biller gives its parameters; they are sent as they are. */
export type BillerParams = Readonly<Record<string, string>>;

export type BillFetchInput = {
  readonly requestId: string;
  readonly billerId: string;
  readonly customerMobile: string;
  readonly params: BillerParams;
  readonly channel?: Open<"INT"> | undefined;
};

export type Bill = {
  readonly billNumber: string;
  readonly amount: string;
  readonly customerName: string;
  readonly billDate: string;
  readonly dueDate: string;
};

export type BillFetch = {
  readonly requestId: string;
  readonly fetchRef: string;
  readonly status: Open<"pending" | "SUCCESS" | "FAILED">;
  /** The status, and what became of a success. */
  readonly state: Open<"pending" | "SUCCESS" | "FAILED" | "paid" | "expired">;
  readonly message: string;
  readonly billerId: string;
  readonly flow: BillFlow;
  /** Unix seconds: 30 minutes from the fetch. */
  readonly validUntil: number;
  readonly bills: readonly Bill[];
  readonly exactness: Exactness;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly fee: string;
  readonly total: string;
};

/** What was fetched, or for a biller whose flow is `direct` what is to be paid. */
export type BillSubject =
  | { readonly fetchRef: string }
  | { readonly billerId: string; readonly params: BillerParams; readonly customerMobile: string };

export type BillPayInput = BillSubject & {
  readonly requestId: string;
  readonly amount: string;
  readonly paymentMode: string;
  readonly payerName: string;
  /** Needed from 50000.00. */
  readonly payerPan?: string | undefined;
};

export type BillExtra = SignedExtra & {
  readonly bill: {
    readonly billerId: string;
    readonly billerName: string;
    readonly category: string;
    readonly billNumber: string;
    /** Empty until the payment succeeds. */
    readonly bbpsRef: string;
    readonly customerName: string;
    readonly dueDate: string;
    readonly paymentMode: string;
  };
};
