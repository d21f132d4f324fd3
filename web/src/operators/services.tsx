import type { ReactNode } from "react";
import { operatorsText } from "../messages/en/operators.ts";
import { Badge, Status } from "../ui/formats/badge.tsx";
import { Code } from "../ui/formats/copy.tsx";
import type { Column } from "../ui/lists/data-table.tsx";
import type { Fact } from "../ui/page.tsx";
import { hoursText } from "./labels.ts";
import type { Service } from "./operator.ts";

export function ServiceState({ service }: { readonly service: Service }): ReactNode {
  return service.state === "open" ? <Status value="up" label={operatorsText.open} /> : <Status value={service.state} />;
}

export const HOURS_COLUMN: Column<Service> = {
  header: operatorsText.hoursIst,
  cell: (row) => <span className="tabular-nums">{hoursText(row)}</span>,
};

export const SIGNING_COLUMN: Column<Service> = {
  header: operatorsText.signing,
  wideOnly: true,
  cell: (row) => <Badge tone={row.signing === "required" ? "accent" : "plain"}>{signingText(row)}</Badge>,
};

function signingText({ signing }: Pick<Service, "signing">): string {
  return signing === "required" ? operatorsText.required : operatorsText.optional;
}

export function serviceFacts(service: Service, state: ReactNode): readonly Fact[] {
  return [
    [operatorsText.code, <Code key="code" text={service.service} />],
    [operatorsText.state, state],
    [operatorsText.hoursIst, hoursText(service)],
    [operatorsText.signing, signingText(service)],
  ];
}
