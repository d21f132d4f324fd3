import type { ReactNode } from "react";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import type { Provider } from "./provider.ts";

export function ProviderStatus({ status }: Pick<Provider, "status">): ReactNode {
  return status === "incomplete" ? <Badge tone="bad">Incomplete</Badge> : <Status value={status} />;
}
