import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play, Radio, ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { countText } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useList } from "../api.ts";
import { type Call, statusTone } from "./call.ts";
import { useLiveCalls } from "./live.ts";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "urid", label: "Your reference", placeholder: "urid or request_id" },
  {
    kind: "choice",
    name: "method",
    label: "Method",
    options: [
      { value: "GET", label: "GET" },
      { value: "POST", label: "POST" },
    ],
  },
  { kind: "text", name: "path", label: "Path", placeholder: "/recharge" },
  {
    kind: "choice",
    name: "status",
    label: "HTTP status",
    options: ["2xx", "4xx", "5xx", "400", "401", "403", "404", "409", "429"].map((value) => ({ value, label: value })),
  },
  { kind: "text", name: "error", label: "Error", placeholder: "not_found" },
  { kind: "day", name: "since", label: "From day" },
  { kind: "day", name: "until", label: "Before day" },
];

const PREFIX = "/api/corp/v1";

const COLUMNS: readonly Column<Call>[] = [
  {
    header: "Call",
    cell: (row) => (
      <span className="block max-w-52 sm:max-w-64">
        <span className="block truncate font-mono text-[0.8125rem]" title={`${row.method} ${row.path}`}>
          {row.method} {row.path.startsWith(`${PREFIX}/`) ? row.path.slice(PREFIX.length) : row.path}
        </span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={row.at} />
        </span>
      </span>
    ),
  },
  { header: "Time", wideOnly: true, cell: (row) => <Time value={row.at} /> },
  { header: "Status", cell: (row) => <Badge tone={statusTone(row.status)}>{row.status}</Badge> },
  { header: "Error", wideOnly: true, cell: (row) => <ErrorName call={row} /> },
  { header: "Your reference", wideOnly: true, cell: (row) => <span className="block max-w-40 truncate">{row.urid ?? "–"}</span> },
  { header: "Address", wideOnly: true, cell: (row) => row.address },
  {
    header: "Duration",
    right: true,
    wideOnly: true,
    cell: (row) => <span className="tabular-nums">{Math.ceil(row.milliseconds)} ms</span>,
  },
];

function ErrorName({ call }: { readonly call: Call }): ReactNode {
  if (call.error === null) return <span className="text-soft">–</span>;
  return (
    <span className="whitespace-nowrap">
      <code className="font-mono text-[0.8125rem]">{call.error}</code>
      {call.times > 1 && <span className="text-soft"> × {countText(call.times)}</span>}
    </span>
  );
}

/** Completes a path without the API prefix, as the list shows it. */
function wholePath(text: string): string {
  const path = text.trim().startsWith("/") ? text.trim() : `/${text.trim()}`;
  return path.startsWith("/api/") ? path : PREFIX + path;
}

/** The list of calls, with live calls on top. */
export function Calls(): ReactNode {
  const { view: _view, live, ...chosen } = useSearch({ from: "/shell/logs" });
  const query = chosen.path === undefined ? chosen : { ...chosen, path: wholePath(chosen.path) };
  const { since: _since, until: _until, ...tail } = query;
  const [paused, setPaused] = useState(false);
  const list = useList("/logs", query);
  const stream = useLiveCalls(live === "1", paused, tail, list.refetch);
  const known = new Set(stream.calls.map((call) => call.call_id));
  const rows = list.rows && [...stream.calls, ...list.rows.filter((call) => !known.has(call.call_id))];
  return (
    <>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <LiveBar on={live === "1"} paused={paused} stream={stream} onPause={setPaused} />
        <ListTable
          label="API calls"
          columns={COLUMNS}
          list={{ ...list, rows }}
          rowKey={(row) => row.call_id}
          link={(row) => ({ to: "/logs/$callId", params: { callId: row.call_id }, search: true })}
          empty={Object.keys(query).length > 0 ? <NoMatchingCalls /> : <NoCalls />}
        />
      </Card>
    </>
  );
}

type LiveBarProps = {
  readonly on: boolean;
  readonly paused: boolean;
  readonly stream: ReturnType<typeof useLiveCalls>;
  readonly onPause: (paused: boolean) => void;
};

function LiveBar({ on, paused, stream, onPause }: LiveBarProps): ReactNode {
  const navigate = useNavigate();
  const toggle = () => {
    onPause(false);
    void navigate({ to: ".", search: ((before: object) => ({ ...before, live: on ? undefined : "1" })) as never, resetScroll: false });
  };
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-2 px-5 py-2">
      <p role="status" className="flex items-center gap-2 text-soft tabular-nums">
        {liveText(on, paused, stream)}
      </p>
      <div className="flex flex-wrap gap-2">
        {on && (
          <Button icon={paused ? Play : Pause} onClick={() => onPause(!paused)}>
            {paused ? "Resume" : "Pause"}
          </Button>
        )}
        <Button icon={Radio} look={on ? "primary" : "plain"} aria-pressed={on} onClick={toggle}>
          Live tail
        </Button>
      </div>
    </div>
  );
}

function liveText(on: boolean, paused: boolean, { state, calls, held }: LiveBarProps["stream"]): string {
  if (!on) return "Newest first";
  if (state === "broken") return "The live tail was interrupted. Reconnecting…";
  if (state !== "open") return "Connecting…";
  return paused ? `Paused. New calls: ${countText(held)}` : `Live. New calls: ${countText(calls.length)}`;
}

function NoMatchingCalls(): ReactNode {
  return <EmptyState icon={ScrollText}>No call matches these filters. Change or clear the filters to see more.</EmptyState>;
}

function NoCalls(): ReactNode {
  return (
    <EmptyState
      icon={ScrollText}
      code={`curl ${location.origin}/api/corp/v1/balance -H "X-Api-Token: $API_TOKEN"`}
      codeTitle="Make the first call"
    >
      Every call with your token will appear here, including refused calls.
    </EmptyState>
  );
}
