import { useQuery } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import type { Tone } from "../../ui/badge.tsx";

export type WayStep = {
  readonly provider: string;
  readonly priority: number;
  readonly weight: number;
  readonly share: number;
  readonly passed_over: "route_off" | "provider_off" | "incomplete" | "unable" | "simulator" | "resting" | null;
  readonly next_try_at: string | null;
};

export type Way = {
  readonly service: string;
  readonly operator: string;
  readonly level: { readonly service: string; readonly operator: string } | null;
  readonly steps: readonly WayStep[];
};

/** Where an operator's orders go now, or would without one provider's route. */
export function useWay(service: string, operator: string, without?: string) {
  return useQuery({
    queryKey: ["/routes", "way", service, operator, without],
    queryFn: ({ signal }) => get<Way>("/routes/way", { service, operator, without }, signal),
  });
}

type Why = { readonly label: string; readonly tone: Tone; readonly why: string };

export const PASSED_OVER: Readonly<Record<NonNullable<WayStep["passed_over"]>, Why>> = {
  route_off: { label: "Route off", tone: "plain", why: "Its route is switched off." },
  provider_off: { label: "Provider off", tone: "plain", why: "The provider is switched off." },
  incomplete: { label: "Incomplete", tone: "bad", why: "A secret of the provider is missing, or its description has a fault." },
  unable: { label: "Cannot do it", tone: "bad", why: "The provider cannot do this service for this operator." },
  simulator: { label: "Ignored", tone: "plain", why: "The installation is live: the simulator serves sandbox accounts only." },
  resting: { label: "Resting", tone: "wait", why: "It did not answer five times in a row." },
};

/** Those that are tried, in one line. */
export function triedText(steps: readonly WayStep[]): string {
  const tried = steps.filter((step) => step.passed_over === null).map((step) => step.provider);
  return tried.length === 0 ? "no provider" : tried.join(", then ");
}
