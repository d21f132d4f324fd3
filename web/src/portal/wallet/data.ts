import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { Option } from "../../ui/field.tsx";

export type Wallet = {
  readonly balance: string;
  readonly held: string;
  readonly threshold: string | null;
  readonly mail_to: readonly string[];
  readonly below: boolean;
  readonly chart: readonly { readonly day: string; readonly balance: string }[];
};

export type Line = {
  readonly entry_id: string;
  readonly at: string;
  readonly type: string;
  /** Signed change of the balance. */
  readonly amount: string;
  readonly balance_after: string;
  readonly order_id: string;
  readonly urid: string;
  readonly service: string;
  readonly narration: string;
};

export const walletQuery = queryOptions({
  queryKey: ["/wallet"],
  queryFn: ({ signal }) => get<Wallet>("/wallet", {}, signal),
  refetchInterval: 15_000,
});

const TYPES: Readonly<Record<string, string>> = {
  debit: "Debit",
  refund: "Refund",
  reversal: "Reversal",
  topup: "Top-up",
  adjustment: "Adjustment",
  aeps_credit: "AEPS credit",
  commission: "Commission",
};

export const TYPE_OPTIONS: readonly Option[] = Object.entries(TYPES).map(([value, label]) => ({ value, label }));

export function typeText(type: string): string {
  return TYPES[type] ?? type;
}
