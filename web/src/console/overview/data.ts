import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

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

export type Overview = Schemas["Overview"];

/** Reads the overview when the page opens and while the live stream is interrupted. */
export const overviewQuery = queryOptions({
  queryKey: ["/overview"],
  queryFn: ({ signal }) => get("/overview", {}, signal),
});
