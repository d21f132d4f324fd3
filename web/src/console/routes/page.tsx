import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { Plus, Route as RouteIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useList } from "../api.ts";
import type { Route } from "../providers/provider.ts";
import { OPERATIONS, useMay } from "../session.ts";
import { BreakerList } from "./breaker-list.tsx";
import { CurrentRouting } from "./current-routing.tsx";
import { NewRoute } from "./new-route.tsx";
import { breakersQuery, operatorText, routeParams, serviceText } from "./route.ts";
import { RouteState } from "./route-state.tsx";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "service", label: "Service", placeholder: "recharge or *" },
  { kind: "text", name: "operator", label: "Operator", placeholder: "AT or *" },
  { kind: "text", name: "provider", label: "Provider", placeholder: "Name" },
];

const COLUMNS: readonly Column<Route>[] = [
  {
    header: "Orders for",
    cell: (row) => (
      <span className="block">
        {serviceText(row.service)}
        <span className="block font-normal text-soft text-xs">{operatorText(row.operator)}</span>
      </span>
    ),
  },
  { header: "Provider", cell: (row) => row.provider },
  { header: "Priority", right: true, cell: (row) => <span className="tabular-nums">{row.priority}</span> },
  { header: "Weight", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.weight}</span> },
  { header: "State", cell: (row) => <RouteState enabled={row.enabled} /> },
];

/** The routes, the current routing of an operator, and the breakers. */
export function RoutesPage(): ReactNode {
  const { service, operator, provider } = useSearch({ from: "/console/routes" });
  const filters = { service, operator, provider };
  const isAllowed = useMay(OPERATIONS);
  const list = useList("/routes", { ...filters, limit: 100 });
  const breakers = useQuery(breakersQuery);
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      New route
    </Button>
  );
  return (
    <>
      <PageHeader title="Routes" {...(isAllowed ? { actions: add } : {})}>
        Only the most specific routes of an operator apply. Lower priorities are tried first. Among equal priorities, the weight sets how
        often each provider is tried first.
      </PageHeader>
      <div className="space-y-8">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <CurrentRouting />
          <Card title="Breakers" hint="Providers that did not respond to this process.">
            <QueryView query={breakers} skeleton={<Skeleton className="h-12" />}>
              {({ items }) => <BreakerList breakers={items} isAllowed={isAllowed} />}
            </QueryView>
          </Card>
        </div>
        <section aria-label="All routes">
          <FilterBar filters={FILTERS} />
          <Card flush>
            <ListTable
              label="Routes"
              columns={COLUMNS}
              list={list}
              rowKey={(row) => routeParams(row).route}
              link={(row) => ({ to: "/routes/$route", params: routeParams(row), search: true })}
              empty={<EmptyState icon={RouteIcon}>No route matches these filters. Change or clear the filters to see more.</EmptyState>}
            />
          </Card>
        </section>
      </div>
      {adding && <NewRoute preset={filters} onClose={() => setAdding(false)} />}
      <Outlet />
    </>
  );
}
