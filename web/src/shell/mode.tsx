import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Badge } from "../ui/badge.tsx";
import { sessionQuery } from "../ui/session.ts";

const TRIAL = "trial: no real money moves";

/** Whether real money moves; null until the first page has asked. */
export function useMode(): "trial" | "live" | null {
  return useQuery(sessionQuery).data?.mode ?? null;
}

/** Stands in every page's header. A narrow one has no room for the trial's sentence: see TrialStrip. */
export function ModeBadge(): ReactNode {
  const mode = useMode();
  if (mode === null) return null;
  if (mode === "live") return <Badge tone="good">live</Badge>;
  return (
    <span className="hidden lg:inline">
      <Badge tone="wait">{TRIAL}</Badge>
    </span>
  );
}

/** The same sentence below a narrow header. */
export function TrialStrip(): ReactNode {
  if (useMode() !== "trial") return null;
  return <p className="bg-wait-tint px-4 py-1 text-center font-medium text-wait text-xs lg:hidden print:hidden">{TRIAL}</p>;
}
