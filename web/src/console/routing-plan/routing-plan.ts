import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import type { Tone } from "../../ui/formats/badge.tsx";
import { get } from "../api.ts";

export type RoutingStep = Schemas["RoutingStep"];

export type RoutingPlan = Schemas["RoutingPlan"];

/** The routing plan of an operator's orders, optionally without one provider's route. */
export function useRoutingPlan(service: string, operator: string, without?: string) {
  return useQuery({
    queryKey: ["/routes", "plan", service, operator, without],
    queryFn: ({ signal }) => get("/routes/plan", { service, operator, without }, signal),
  });
}

type SkipReason = { readonly label: string; readonly tone: Tone; readonly why: string };

export const SKIP_REASONS: Readonly<Record<NonNullable<RoutingStep["passed_over"]>, SkipReason>> = {
  route_off: { label: "Route off", tone: "plain", why: "The route is switched off." },
  provider_off: { label: "Provider off", tone: "plain", why: "The provider is switched off." },
  incomplete: { label: "Incomplete", tone: "bad", why: "A secret of the provider is missing, or its definition has an error." },
  unable: { label: "Not supported", tone: "bad", why: "The provider does not support this service for this operator." },
  simulator: { label: "Ignored", tone: "plain", why: "The installation is live, so the simulator serves only sandbox accounts." },
  breaker_open: { label: "Breaker open", tone: "wait", why: "The provider did not respond five times in a row." },
};

/** The providers that are tried, as one line of text. */
export function triedText(steps: readonly RoutingStep[]): string {
  const tried = steps.filter((step) => step.passed_over === null).map((step) => step.provider);
  return tried.length === 0 ? "no provider" : tried.join(", then ");
}
