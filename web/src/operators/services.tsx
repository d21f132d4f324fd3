import type { ReactNode } from "react";
import { Badge, Status } from "../ui/badge.tsx";
import { Code } from "../ui/copy.tsx";
import type { Column } from "../ui/data-table.tsx";
import type { Fact } from "../ui/page.tsx";
import { hoursText } from "./labels.ts";
import type { Service } from "./operator.ts";

export function ServiceState({ service }: { readonly service: Service }): ReactNode {
  return service.state === "open" ? <Status value="up" label="Open" /> : <Status value={service.state} />;
}

export const HOURS_COLUMN: Column<Service> = {
  header: "Hours (IST)",
  cell: (row) => <span className="tabular-nums">{hoursText(row)}</span>,
};

export const SIGNING_COLUMN: Column<Service> = {
  header: "Signing",
  wideOnly: true,
  cell: (row) => <Badge tone={row.signing === "required" ? "accent" : "plain"}>{signingText(row)}</Badge>,
};

function signingText({ signing }: Pick<Service, "signing">): string {
  return signing === "required" ? "Required" : "Optional";
}

export function serviceFacts(service: Service, state: ReactNode): readonly Fact[] {
  return [
    ["Code", <Code key="code" text={service.service} />],
    ["State", state],
    ["Hours (IST)", hoursText(service)],
    ["Signing", signingText(service)],
  ];
}
