import { Outlet, useSearch } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { ErrorName, shortCall, statusTone, wholePath } from "../../api-log/call.tsx";
import type { Schemas } from "../../operator-api.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import { AccountName } from "../clients/account-name.tsx";

type Call = Schemas["CallOfAccount"];

const STATUSES = ["2xx", "4xx", "5xx", "400", "401", "403", "404", "409", "429", "500", "503"];

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "request_id", label: "Request id", placeholder: "X-Request-Id of the reply" },
  ACCOUNT_FILTER,
  { kind: "text", name: "path", label: "Path", placeholder: "/recharge" },
  { kind: "choice", name: "status", label: "HTTP status", options: STATUSES.map((value) => ({ value, label: value })) },
  { kind: "text", name: "code", label: "Code", placeholder: "331" },
  { kind: "text", name: "urid", label: "Client's reference", placeholder: "urid or request_id" },
  { kind: "day", name: "since", label: "From day" },
  { kind: "day", name: "until", label: "Before day" },
];

const COLUMNS: readonly Column<Call>[] = [
  {
    header: "Call",
    cell: (row) => (
      <span className="block max-w-52 truncate font-mono text-[0.8125rem] sm:max-w-64" title={`${row.method} ${row.path}`}>
        {shortCall(row)}
      </span>
    ),
  },
  { header: "Client", wideOnly: true, cell: (row) => <AccountName accountId={row.account_id} /> },
  { header: "Time", wideOnly: true, cell: (row) => <Time value={row.at} /> },
  { header: "Status", sort: (row) => row.status, cell: (row) => <Badge tone={statusTone(row.status)}>{row.status}</Badge> },
  { header: "Error", wideOnly: true, cell: (row) => <ErrorName call={row} /> },
  { header: "Address", wideOnly: true, leftOutFirst: true, cell: (row) => row.address },
  {
    header: "Duration",
    right: true,
    wideOnly: true,
    leftOutFirst: true,
    sort: (row) => row.milliseconds,
    cell: (row) => <span className="tabular-nums">{Math.ceil(row.milliseconds)} ms</span>,
  },
];

/** The requests of all clients to the client API. */
export function ApiLogPage(): ReactNode {
  const chosen = useSearch({ from: "/console/api-log" });
  const query = chosen.path === undefined ? chosen : { ...chosen, path: wholePath(chosen.path) };
  const list = useList("/api-calls", query);
  const filtered = Object.keys(chosen).length > 0;
  return (
    <>
      <PageHeader title="API log">
        The requests of all clients to the client API. Failures have their bodies, with secrets and identities hidden.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="API calls"
          columns={COLUMNS}
          list={list}
          rowKey={(row) => `${row.account_id}-${row.call_id}`}
          link={(row) => ({
            to: "/api-log/$accountId/$callId",
            params: { accountId: row.account_id, callId: row.call_id },
            search: true,
          })}
          empty={
            <EmptyState icon={ScrollText}>
              {filtered
                ? "No call matches these filters. Change or clear the filters to see more."
                : "Every call with a client's token will appear here, including refused calls."}
            </EmptyState>
          }
        />
      </Card>
      <Outlet />
    </>
  );
}
