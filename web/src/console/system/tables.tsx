import { ListTodo, Server } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import { durationText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { type Job, type Process, type Setting, sizeText } from "./data.ts";

const PROCESSES: readonly Column<Process>[] = [
  { header: "Process", cell: (row) => `${row.host}, ${row.pid}` },
  { header: "State", cell: (row) => <ProcessState process={row} /> },
  { header: "Version", cell: (row) => row.version ?? "–", wideOnly: true },
  { header: "Memory", right: true, cell: (row) => (row.memory_bytes === null ? "–" : sizeText(row.memory_bytes)), wideOnly: true },
  { header: "Started", cell: (row) => <Time value={row.started_at} />, wideOnly: true },
];

export function ProcessesCard({ processes }: { readonly processes: readonly Process[] }): ReactNode {
  return (
    <Card title="Processes" hint="All processes that use this database." flush>
      <DataTable
        label="Processes"
        columns={PROCESSES}
        rows={processes}
        rowKey={(row) => row.process_id}
        link={(row) => ({ to: "/system/processes/$processId", params: { processId: row.process_id } })}
        empty={<EmptyState icon={Server}>Processes will appear here within a second of their start.</EmptyState>}
      />
    </Card>
  );
}

export function ProcessState({ process }: { readonly process: Process }): ReactNode {
  if (!process.alive) return <Badge tone="bad">Not responding</Badge>;
  const hasProblems = (process.failing_jobs?.length ?? 0) > 0 || (process.open_breakers?.length ?? 0) > 0;
  return hasProblems ? <Badge tone="wait">Has problems</Badge> : <Status value="active" label="Running" />;
}

const JOBS: readonly Column<Job>[] = [
  { header: "Job", cell: (row) => <span className="first-letter:uppercase">{row.name}</span> },
  { header: "Last run", cell: (row) => <LastRun job={row} /> },
  { header: "Every", right: true, cell: (row) => everyText(row.every_seconds), wideOnly: true },
  { header: "Duration", right: true, cell: (row) => (row.took_ms === null ? "–" : `${row.took_ms} ms`), wideOnly: true },
  { header: "Last success", cell: (row) => <Time value={row.succeeded_at} />, wideOnly: true },
];

export function JobsCard({ jobs }: { readonly jobs: readonly Job[] }): ReactNode {
  return (
    <Card title="Scheduled jobs" hint="Jobs of the process that served this page: polls, checks and clean-up." flush>
      <DataTable
        label="Scheduled jobs"
        columns={JOBS}
        rows={jobs}
        rowKey={(row) => row.name}
        empty={<EmptyState icon={ListTodo}>Scheduled jobs will appear here within a few seconds of the start.</EmptyState>}
      />
    </Card>
  );
}

function LastRun({ job }: { readonly job: Job }): ReactNode {
  if (job.failures > 0)
    return (
      <span className="text-bad">
        Failed {job.failures === 1 ? "once" : `${job.failures} times in a row`}: {job.error}
      </span>
    );
  return job.ran_at === null ? <span className="text-soft">Not yet</span> : <Status value="done" label="Succeeded" />;
}

function everyText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : durationText(seconds);
}

const SETTINGS: readonly Column<Setting>[] = [
  { header: "Variable", cell: (row) => <code className="break-all font-mono text-xs">{row.name}</code> },
  {
    header: "Value",
    cell: (row) =>
      row.value === null ? <span className="text-soft">Not set</span> : <span className="break-all font-mono text-xs">{row.value}</span>,
  },
];

export function SettingsCard({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  return (
    <Card title="Configuration" hint="Environment of the process that served this page. Secrets are shown only as set or not set." flush>
      <DataTable label="Configuration" columns={SETTINGS} rows={settings} rowKey={(row) => row.name} empty={null} />
    </Card>
  );
}
