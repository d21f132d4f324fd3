import type { Plan } from "../../catalog/numbering.ts";

/** What a provider says about a number, with our codes. */
export type FoundNumber = { readonly operator: string; readonly circle: string | null; readonly ported: boolean };

/** A provider's queries for this service. What it does not offer is null. A query that cannot be answered now throws. */
export type RechargeProviderService = {
  readonly plans: ((operator: string, circle: string | null) => Promise<readonly Plan[]>) | null;
  /** Null as a result: the provider does not know the number. */
  readonly lookUp: ((number: string) => Promise<FoundNumber | null>) | null;
};

/** The simulator knows the built-in plans and series only. */
export const SIMULATED_RECHARGE: RechargeProviderService = { plans: null, lookUp: null };
