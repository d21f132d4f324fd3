import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play, Radio, ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ErrorName, shortCall, statusTone, wholePath } from "../../api-log/call.tsx";
import { logsText } from "../../messages/en/logs.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import type { Call } from "./call.ts";
import { useLiveCalls } from "./live.ts";

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "urid", label: logsText.yourReference, placeholder: logsText.uridOrRequestId },
  {
    kind: "choice",
    name: "method",
    label: logsText.method,
    options: [
      { value: "GET", label: "GET" },
      { value: "POST", label: "POST" },
    ],
  },
  { kind: "text", name: "path", label: logsText.path, placeholder: "/recharge" },
  {
    kind: "choice",
    name: "status",
    label: logsText.httpStatus,
    options: ["2xx", "4xx", "5xx", "400", "401", "403", "404", "409", "429"].map((value) => ({ value, label: value })),
  },
  { kind: "text", name: "error", label: logsText.error, placeholder: "not_found" },
  { kind: "day", name: "since", label: logsText.fromDay },
  { kind: "day", name: "until", label: logsText.beforeDay },
];

const COLUMNS: readonly Column<Call>[] = [
  {
    header: logsText.call,
    cell: (row) => (
      <span className="block max-w-52 sm:max-w-64">
        <span className="block truncate font-mono text-[0.8125rem]" title={`${row.method} ${row.path}`}>
          {shortCall(row)}
        </span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={row.at} />
        </span>
      </span>
    ),
  },
  { header: logsText.time, wideOnly: true, cell: (row) => <Time value={row.at} /> },
  { header: logsText.status, cell: (row) => <Badge tone={statusTone(row.status)}>{row.status}</Badge> },
  { header: logsText.error, wideOnly: true, cell: (row) => <ErrorName call={row} /> },
  { header: logsText.yourReference, wideOnly: true, cell: (row) => <span className="block max-w-40 truncate">{row.urid ?? "–"}</span> },
  { header: logsText.address, wideOnly: true, leftOutFirst: true, cell: (row) => row.address },
  {
    header: logsText.duration,
    right: true,
    wideOnly: true,
    leftOutFirst: true,
    cell: (row) => <span className="tabular-nums">{fill(logsText.ms, { milliseconds: Math.ceil(row.milliseconds) })}</span>,
  },
];

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
          label={logsText.apiCalls}
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
            {paused ? logsText.resume : logsText.pause}
          </Button>
        )}
        <Button icon={Radio} look={on ? "primary" : "plain"} aria-pressed={on} onClick={toggle}>
          {logsText.liveTail}
        </Button>
      </div>
    </div>
  );
}

function liveText(on: boolean, paused: boolean, { state, calls, held }: LiveBarProps["stream"]): string {
  if (!on) return logsText.newestFirst;
  if (state === "broken") return logsText.theLiveTailWasInterrupted;
  if (state !== "open") return logsText.connecting;
  return paused
    ? fill(logsText.pausedNewCalls, { held: countText(held) })
    : fill(logsText.liveNewCalls, { length: countText(calls.length) });
}

function NoMatchingCalls(): ReactNode {
  return <EmptyState icon={ScrollText}>{logsText.noCallMatchesTheseFilters}</EmptyState>;
}

function NoCalls(): ReactNode {
  return (
    <EmptyState
      icon={ScrollText}
      code={`curl ${location.origin}/api/corp/v1/balance -H "X-Api-Token: $API_TOKEN"`}
      codeTitle={logsText.makeTheFirstCall}
    >
      {logsText.everyCallWithYourToken}
    </EmptyState>
  );
}
