import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { type OnboardingSummary, STATES } from "./onboarding.ts";

export function StateBadge({ state }: { readonly state: OnboardingSummary["state"] }): ReactNode {
  return <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>;
}

export function Pending({ done, label }: { readonly done: boolean; readonly label: string }): ReactNode {
  return <Badge tone={done ? "good" : "wait"}>{done ? label : "Pending"}</Badge>;
}
