import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { Alert } from "../alerts/alert.ts";

export type Counts = {
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
  readonly success_rate: number | null;
  readonly median_ms: number | null;
};
/** Includes attempts that a provider did not carry out and that were passed on to another provider. */
export type ProviderCounts = Counts & { readonly passed_on: number };

export type Provider = { readonly provider: string; readonly last_15m: ProviderCounts; readonly last_1h: ProviderCounts };
export type Operator = { readonly operator: string; readonly name: string; readonly last_15m: Counts; readonly last_1h: Counts };
export type ProviderDay = { readonly provider: string; readonly orders: number; readonly owed: string };

export type Overview = {
  readonly at: string;
  readonly ts: number;
  /** False while minutes are still being counted. */
  readonly complete: boolean;
  readonly orders_per_second: number;
  readonly minutes: readonly { readonly at: string; readonly success: number; readonly failed: number; readonly pending: number }[];
  readonly providers: readonly Provider[];
  readonly operators: readonly Operator[];
  readonly pending: {
    readonly under_1m: number;
    readonly under_10m: number;
    readonly under_1h: number;
    readonly over_1h: number;
    readonly in_doubt: number;
    readonly human_tasks: number;
  };
  readonly callbacks: {
    readonly waiting: number;
    readonly oldest_due_seconds: number | null;
    readonly oldest_due_account_id: string | null;
    readonly targets: { readonly waiting: number; readonly broken: number; readonly parked: number; readonly paused: number };
  };
  readonly float: {
    readonly available: string;
    readonly held: string;
    readonly accounts: number;
    readonly complete: boolean;
    readonly providers_today: readonly ProviderDay[];
  };
  readonly complaints: { readonly open: number; readonly due_today: number; readonly overdue: number; readonly refund_blocked: number };
  readonly approvals: { readonly waiting: number };
  readonly alerts: readonly Alert[];
};

/** Reads the overview when the page opens and while the live stream is interrupted. */
export const overviewQuery = queryOptions({
  queryKey: ["/overview"],
  queryFn: ({ signal }) => get<Overview>("/overview", {}, signal),
});
