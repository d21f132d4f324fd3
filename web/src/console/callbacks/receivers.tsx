import { useNavigate } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { KIND_NAMES } from "../../callbacks/callback.ts";
import { LastResponse } from "../../callbacks/delivery.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { TARGET_STATES, type Target, waitingText } from "./target.ts";

const COLUMNS: readonly Column<Target>[] = [
  {
    header: "Client",
    cell: (row) => (
      <span className="block">
        {row.account_name}
        <span className="block font-normal text-soft text-xs">{KIND_NAMES[row.kind]} callbacks</span>
      </span>
    ),
  },
  { header: "State", cell: (row) => <Badge tone={TARGET_STATES[row.state].tone}>{TARGET_STATES[row.state].label}</Badge> },
  { header: "Failures in a row", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.failures}</span> },
  { header: "Waiting", right: true, cell: (row) => <span className="tabular-nums">{waitingText(row)}</span> },
  { header: "Oldest", wideOnly: true, cell: (row) => <Time value={row.oldest_at} /> },
  { header: "Last response", wideOnly: true, cell: (row) => <LastResponse row={row} /> },
];

/** Receivers that do not accept the callbacks waiting for them. */
export function Receivers({ state, accountId }: { readonly state: string | undefined; readonly accountId: string | undefined }): ReactNode {
  const navigate = useNavigate();
  const list = useList("/callbacks/targets", { state, account_id: accountId, limit: 20 }, 5_000);
  const choose = (receivers: string | undefined) =>
    void navigate({ to: ".", search: ((before: object) => ({ ...before, receivers })) as never, replace: true, resetScroll: false });
  const choice = (
    <select
      aria-label="Receiver state"
      className="input w-44"
      value={state ?? ""}
      onChange={(event) => choose(event.target.value === "" ? undefined : event.target.value)}
    >
      <option value="">All with problems</option>
      {Object.entries(TARGET_STATES).map(([value, { label }]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
  return (
    <Card title="Receivers with problems" hint="Clients' servers with undelivered callbacks." actions={choice} flush>
      <ListTable
        label="Receivers with problems"
        columns={COLUMNS}
        list={list}
        rowKey={(row) => `${row.account_id} ${row.kind}`}
        link={(row) => ({ to: "/callbacks/receivers/$receiver", params: { receiver: `${row.account_id}.${row.kind}` }, search: true })}
        empty={
          <EmptyState icon={CircleCheck}>
            {state === undefined
              ? "All receivers accept their callbacks. Receivers with problems will appear here."
              : "No receiver is in this state."}
          </EmptyState>
        }
      />
    </Card>
  );
}
