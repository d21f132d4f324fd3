import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { NameAndCode } from "../../operators/operators.tsx";
import { HOURS_COLUMN, ServiceState, SIGNING_COLUMN } from "../../operators/services.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { wholeList } from "../../ui/lists/list.ts";
import { Card, PageHeader } from "../../ui/page.tsx";
import { type Service, servicesQuery } from "./services.ts";

const COLUMNS: readonly Column<Service>[] = [
  { header: "Service", cell: (row) => <NameAndCode name={row.name} code={row.service} /> },
  { header: "State", cell: (row) => <ServiceState service={row} /> },
  HOURS_COLUMN,
  SIGNING_COLUMN,
];

/** The services of the installation with their switches and opening hours. */
export function ServicesPage(): ReactNode {
  const query = useQuery(servicesQuery);
  return (
    <>
      <PageHeader title="Services">
        Switches and opening hours for the whole installation. Set the services of a client in its account.
      </PageHeader>
      <Card flush>
        <ListTable
          label="Services"
          columns={COLUMNS}
          list={wholeList(query)}
          rowKey={(row) => row.service}
          link={(row) => ({ to: "/services/$service", params: { service: row.service } })}
          empty={<EmptyState icon={Layers}>The services of this installation will appear here.</EmptyState>}
        />
      </Card>
      <Outlet />
    </>
  );
}
