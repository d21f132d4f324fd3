import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { Badge } from "../ui/formats/badge.tsx";
import { sessionQuery } from "../ui/requests/session.ts";

const TRIAL = shellText.trialNoRealMoneyMoves;

/** The installation's mode; null until the session has been read. */
export function useMode(): "trial" | "live" | null {
  return useQuery(sessionQuery).data?.mode ?? null;
}

/** Shown in every page's header. Narrow screens show the trial text in TrialStrip instead. */
export function ModeBadge(): ReactNode {
  const mode = useMode();
  if (mode === null) return null;
  return (
    <span className="hidden lg:inline">
      {mode === "live" ? <Badge tone="good">{shellText.liveInstallation}</Badge> : <Badge tone="wait">{TRIAL}</Badge>}
    </span>
  );
}

/** The trial text below the header of a narrow screen. */
export function TrialStrip(): ReactNode {
  if (useMode() !== "trial") return null;
  return <p className="bg-wait-tint px-4 py-1 text-center font-medium text-wait text-xs lg:hidden print:hidden">{TRIAL}</p>;
}
