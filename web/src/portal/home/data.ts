import { queryOptions } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";

export type Step = {
  readonly step: "token" | "address" | "first_call" | "signing_secret" | "callback_2xx" | "version_3";
  readonly done: boolean;
  readonly at: string | null;
};

export type Home = {
  readonly balance: string;
  readonly held: string;
  readonly low_balance: { readonly threshold: string; readonly below: boolean } | null;
  readonly today: {
    readonly value: string;
    readonly count: number;
    readonly success: number;
    readonly failed: number;
    readonly pending: number;
    readonly success_rate: number | null;
  };
  readonly pending_old: { readonly count: number };
  readonly callbacks_failing: { readonly count: number };
  readonly checklist: readonly Step[];
  readonly is_new: boolean;
};

export type HomeCharts = {
  readonly per_hour: readonly { readonly at: string; readonly success: number; readonly failed: number; readonly pending: number }[];
  readonly time_to_final: readonly { readonly bucket: string; readonly count: number }[];
};

export const homeQuery = queryOptions({
  queryKey: ["/home"],
  queryFn: ({ signal }) => get<Home>("/home", {}, signal),
  // Always read again, so that a completed checklist step shows immediately.
  staleTime: 0,
  refetchInterval: 15_000,
});

export const chartsQuery = queryOptions({
  queryKey: ["/home/charts"],
  queryFn: ({ signal }) => get<HomeCharts>("/home/charts", { hours: 24 }, signal),
  refetchInterval: 60_000,
});
