import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

type Buckets = {
  readonly available: string;
  readonly held: string;
  readonly cleared: string;
  readonly funding: string;
  readonly fees: string;
  readonly sum: string;
};

export const BUCKETS = [
  { bucket: "available", name: "Available", description: "Clients can spend it" },
  { bucket: "held", name: "Held", description: "Reserved for pending transactions" },
  { bucket: "cleared", name: "Cleared", description: "Owed to providers for successful orders" },
  { bucket: "funding", name: "Funding", description: "Paid in by clients, as a negative amount" },
  { bucket: "fees", name: "Fees", description: "Earned fees less commissions" },
] as const;

export type Side = Buckets & {
  readonly wallets: number;
  readonly unbalanced: number;
  readonly overdraft: string;
  readonly overdrawn: string;
};

export type Wallet = Buckets & {
  readonly account_id: string;
  readonly account_name: string;
  readonly sandbox: boolean;
  readonly overdraft: string;
  readonly entries: number;
};

export type TrialBalance = Schemas["TrialBalance"];

export type Entry = Schemas["LedgerEntry"];

export type Check = Schemas["LedgerCheck"];

export type ContinuousCheckState = Schemas["ContinuousLedgerCheck"];

const REFRESH_MILLISECONDS = 15_000;

export const trialBalanceQuery = queryOptions({
  queryKey: ["/ledger/trial-balance"],
  queryFn: ({ signal }) => get("/ledger/trial-balance", {}, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});

export const continuousCheckQuery = queryOptions({
  queryKey: ["/ledger/continuous-check"],
  queryFn: ({ signal }) => get("/ledger/continuous-check", {}, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});

export function walletQuery(accountId: string) {
  return queryOptions({
    queryKey: ["/ledger/wallets", accountId],
    queryFn: async ({ signal }) => {
      const { items } = await get("/ledger/wallets", { search: accountId }, signal);
      return items.find((wallet) => wallet.account_id === accountId) ?? null;
    },
  });
}

export function entryQuery(entryId: string) {
  return queryOptions({
    queryKey: ["/ledger/entries", entryId],
    queryFn: ({ signal }) => get("/ledger/entries/:entry_id", { entry_id: entryId }, signal),
  });
}
