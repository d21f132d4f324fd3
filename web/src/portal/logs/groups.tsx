import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Schemas } from "../../portal-api.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";

type Group = Schemas["CallGroup"];

const COLUMNS: readonly Column<Group>[] = [
  { header: "Error", cell: (row) => <code className="font-mono text-[0.8125rem]">{row.error}</code> },
  { header: "Path", wideOnly: true, cell: (row) => <code className="break-all font-mono text-[0.8125rem]">{row.path}</code> },
  { header: "Calls", right: true, cell: (row) => <span className="tabular-nums">{countText(row.count)}</span> },
  { header: "Last call", wideOnly: true, cell: (row) => <Time value={row.last_at} /> },
  {
    header: "List",
    right: true,
    cell: (row) => (
      <Link
        to="/logs"
        search={{ error: row.error, path: row.path }}
        aria-label={`Show the calls with ${row.error} at ${row.path}`}
        className="link relative z-10 whitespace-nowrap"
      >
        Show calls
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
    <Card title="Refusals of the last 24 hours" hint="Grouped by error and path. A row opens its latest call." flush>
      <DataTable
        label="Grouped errors"
        columns={COLUMNS}
        rows={groups.data?.items}
        rowKey={(row) => `${row.error} ${row.path}`}
        link={(row) => ({ to: "/logs/$callId", params: { callId: row.example }, search: true })}
        empty={
          <EmptyState
            icon={CircleCheck}
            code={`curl ${location.origin}/api/corp/v1/recharge?urid=unknown -H "X-Api-Token: $API_TOKEN"`}
            codeTitle="A call that will be refused"
          >
            No calls were refused in the last 24 hours. Refused calls will appear here, grouped by error and path.
          </EmptyState>
        }
      />
    </Card>
  );
}
