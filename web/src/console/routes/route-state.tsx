import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";

export function RouteState({ enabled }: { readonly enabled: boolean }): ReactNode {
  return enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>;
}
