import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { hoursText } from "../../operators/labels.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { type Service, servicesQuery } from "./services.ts";

const COLUMNS: readonly Column<Service>[] = [
  {
    header: "Service",
    cell: (row) => (
      <span className="block">
        {row.name}
        <span className="block font-mono font-normal text-soft text-xs">{row.service}</span>
      </span>
    ),
  },
  { header: "State", cell: (row) => <ServiceState service={row} /> },
  { header: "Hours (IST)", cell: (row) => <span className="tabular-nums">{hoursText(row)}</span> },
  {
    header: "Signing",
    wideOnly: true,
    cell: (row) => (
      <Badge tone={row.signing === "required" ? "accent" : "plain"}>{row.signing === "required" ? "Required" : "Optional"}</Badge>
    ),
  },
];

export function ServiceState({ service }: { readonly service: Service }): ReactNode {
  return service.state === "open" ? <Status value="up" label="Open" /> : <Status value={service.state} />;
}

/** The services of the installation with their switches and opening hours. */
export function ServicesPage(): ReactNode {
  const { data, error, refetch } = useQuery(servicesQuery);
  return (
    <>
      <PageHeader title="Services">
        Switches and opening hours for the whole installation. Set the services of a client in its account.
      </PageHeader>
      <Card flush>
        {error && data === undefined ? (
          <div className="p-5">
            <ErrorCard error={error} onRetry={() => void refetch()} />
          </div>
        ) : (
          <DataTable
            label="Services"
            columns={COLUMNS}
            rows={data}
            rowKey={(row) => row.service}
            link={(row) => ({ to: "/services/$service", params: { service: row.service } })}
            empty={<EmptyState icon={Layers}>The services of this installation will appear here.</EmptyState>}
          />
        )}
      </Card>
      <Outlet />
    </>
  );
}
