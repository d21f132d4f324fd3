import { queryOptions } from "@tanstack/react-query";
import { walletText } from "../../messages/en/wallet.ts";
import type { Schemas } from "../../portal-api.ts";
import type { Option } from "../../ui/forms/field.tsx";
import { get } from "../api.ts";

export type Wallet = Schemas["Wallet"];
export type Line = Schemas["StatementLine"];

export const walletQuery = queryOptions({
  queryKey: ["/wallet"],
  queryFn: ({ signal }) => get("/wallet", {}, signal),
  refetchInterval: 15_000,
});

const TYPES: Readonly<Record<string, string>> = {
  debit: walletText.debit,
  refund: walletText.refund,
  reversal: walletText.reversal,
  topup: walletText.topUp,
  adjustment: walletText.adjustment,
  aeps_credit: walletText.aepsCredit,
  commission: walletText.commission,
};

export const TYPE_OPTIONS: readonly Option[] = Object.entries(TYPES).map(([value, label]) => ({ value, label }));

export function typeText(type: string): string {
  return TYPES[type] ?? type;
}
