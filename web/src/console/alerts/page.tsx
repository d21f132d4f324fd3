import { Outlet, useSearch } from "@tanstack/react-router";
import { BellRing } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { useList } from "../../ui/list.ts";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { type Alert, KINDS, kindText, STATES } from "./alert.ts";
import { AlertBadge } from "./state.tsx";

const FILTERS: readonly Filter[] = [
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
  },
  { kind: "choice", name: "kind", label: "Kind", options: Object.entries(KINDS).map(([value, label]) => ({ value, label })) },
];

const COLUMNS: readonly Column<Alert>[] = [
  { header: "Alert", cell: (alert) => kindText(alert.kind) },
  { header: "State", cell: (alert) => <AlertBadge state={alert.state} /> },
  { header: "It says", cell: (alert) => <span className="line-clamp-2 max-w-prose">{alert.message}</span>, wideOnly: true },
  { header: "Since", cell: (alert) => <Time value={alert.opened_at} />, wideOnly: true },
];

const REFETCH_MILLISECONDS = 10_000;

/** Every alert there was, with those that stand. */
export function AlertsPage(): ReactNode {
  const search = useSearch({ from: "/console/alerts" });
  const list = useList<Alert>("/alerts", search, REFETCH_MILLISECONDS);
  const filtered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Alerts"
        actions={
          <LinkButton to="/alerts/settings" search={search}>
            When to tell
          </LinkButton>
        }
      >
        What is not as it should be, newest first. An alert opens once, stays while it is so, and is over by itself.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Alerts"
          list={list}
          columns={COLUMNS}
          rowKey={(alert) => alert.alert_id}
          link={(alert) => ({ to: "/alerts/$alertId", params: { alertId: alert.alert_id }, search })}
          empty={
            <EmptyState icon={BellRing}>
              {filtered ? "No alert fits these filters." : "Nothing has gone wrong so far. What does will stand in this list."}
            </EmptyState>
          }
        />
      </Card>
      <Outlet />
    </>
  );
}
