import { Outlet, useSearch } from "@tanstack/react-router";
import { BellRing } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { AssignedName } from "../work/assigned-name.tsx";
import { useAssigneeFilter } from "../work/work.ts";
import { type Alert, KINDS, kindText, STATES } from "./alert.ts";
import { useAlertQueue } from "./queue.ts";
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
  { header: "State", cell: AlertState },
  { header: "Message", cell: (alert) => <span className="line-clamp-2 max-w-prose">{alert.message}</span>, wideOnly: true },
  { header: "Opened", cell: (alert) => <Time value={alert.opened_at} />, wideOnly: true },
];

/** All alerts, open and closed. */
export function AlertsPage(): ReactNode {
  const search = useSearch({ from: "/console/alerts" });
  const list = useAlertQueue();
  const assignee = useAssigneeFilter();
  const filtered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Alerts"
        actions={
          <LinkButton to="/alerts/settings" search={search}>
            Alert settings
          </LinkButton>
        }
      >
        Problems of the installation, newest first. An alert closes automatically when its condition has cleared.
      </PageHeader>
      <FilterBar filters={[...FILTERS, assignee]} />
      <Card flush>
        <ListTable
          label="Alerts"
          list={list}
          columns={COLUMNS}
          rowKey={(alert) => alert.alert_id}
          link={(alert) => ({ to: "/alerts/$alertId", params: { alertId: alert.alert_id }, search })}
          empty={
            <EmptyState icon={BellRing}>
              {filtered
                ? "No alert matches these filters. Change or clear the filters to see more."
                : "There have been no alerts yet. Problems will appear here."}
            </EmptyState>
          }
        />
      </Card>
      <Outlet />
    </>
  );
}

function AlertState(alert: Alert): ReactNode {
  return (
    <>
      <AlertBadge state={alert.state} />
      <AssignedName userId={alert.assigned_to} />
    </>
  );
}
