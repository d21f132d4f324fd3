import type { ReactNode } from "react";
import { Badge, Status } from "../../ui/badge.tsx";
import type { Service } from "../catalogue.ts";

export function hoursText({ opens_at: opens, closes_at: closes }: Service): string {
  return opens === null || closes === null ? "All day" : `${opens} to ${closes}`;
}

const KINDS: Readonly<Record<string, string>> = { mobile_prepaid: "Mobile, prepaid", mobile_postpaid: "Mobile, postpaid", dth: "DTH" };

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export function rateText(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}

export function ServiceState({ service }: { readonly service: Service }): ReactNode {
  if (!service.enabled) return <Badge>Not switched on</Badge>;
  return service.state === "open" ? <Status value="up" label="Open" /> : <Status value={service.state} />;
}
