import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { logsText } from "../../messages/en/logs.ts";
import { fill } from "../../messages/fill.ts";
import type { Schemas } from "../../portal-api.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { get } from "../api.ts";

type Group = Schemas["CallGroup"];

const COLUMNS: readonly Column<Group>[] = [
  { header: logsText.error, cell: (row) => <code className="font-mono text-[0.8125rem]">{row.error}</code> },
  { header: logsText.path, wideOnly: true, cell: (row) => <code className="break-all font-mono text-[0.8125rem]">{row.path}</code> },
  { header: logsText.calls, right: true, cell: (row) => <span className="tabular-nums">{countText(row.count)}</span> },
  { header: logsText.lastCall, wideOnly: true, cell: (row) => <Time value={row.last_at} /> },
  {
    header: logsText.list,
    right: true,
    cell: (row) => (
      <Link
        to="/logs"
        search={{ error: row.error, path: row.path }}
        aria-label={fill(logsText.showTheCallsWithAt, { error: row.error, path: row.path })}
        className="link relative z-10 whitespace-nowrap"
      >
        {logsText.showCalls}
      </Link>
    ),
  },
];

export function Groups(): ReactNode {
  const groups = useQuery({
    queryKey: ["/logs/groups"],
    queryFn: ({ signal }) => get("/logs/groups", { hours: "24" }, signal),
    refetchInterval: 10_000,
  });
  if (groups.error && groups.data === undefined) return <ErrorCard error={groups.error} onRetry={() => void groups.refetch()} />;
  return (
    <Card title={logsText.refusalsOfTheLast24} hint={logsText.groupedByErrorAndPath} flush>
      <DataTable
        label={logsText.groupedErrors}
        columns={COLUMNS}
        rows={groups.data?.items}
        rowKey={(row) => `${row.error} ${row.path}`}
        link={(row) => ({ to: "/logs/$callId", params: { callId: row.example }, search: true })}
        empty={
          <EmptyState
            icon={CircleCheck}
            code={`curl "${location.origin}/api/corp/v1/recharge?urid=unknown" -H "X-Api-Token: $API_TOKEN"`}
            codeTitle={logsText.aCallThatWillBe}
          >
            {logsText.noCallsWereRefusedIn}
          </EmptyState>
        }
      />
    </Card>
  );
}
