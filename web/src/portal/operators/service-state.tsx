import type { ReactNode } from "react";
import { operatorsText } from "../../messages/en/operators.ts";
import { ServiceState } from "../../operators/services.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import type { Service } from "../catalogue.ts";

/** The state of a service, or that the account may not use it. */
export function AccountServiceState({ service }: { readonly service: Service }): ReactNode {
  return service.enabled ? <ServiceState service={service} /> : <Badge>{operatorsText.notEnabled}</Badge>;
}
