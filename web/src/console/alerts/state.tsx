import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { type AlertState, STATES } from "./alert.ts";

export function AlertBadge({ state }: { readonly state: AlertState }): ReactNode {
  const { label, tone } = STATES[state];
  return (
    <Badge tone={tone}>
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {label}
    </Badge>
  );
}
