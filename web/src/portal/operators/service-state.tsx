import type { ReactNode } from "react";
import { Badge, Status } from "../../ui/badge.tsx";
import type { Service } from "../catalogue.ts";

export function ServiceState({ service }: { readonly service: Service }): ReactNode {
  if (!service.enabled) return <Badge>Not enabled</Badge>;
  return service.state === "open" ? <Status value="up" label="Open" /> : <Status value={service.state} />;
}
