import type { Sql } from "../../../platform/db/connection.ts";
import type { JobStatus } from "../../../platform/observability/job-statuses.ts";

/** A process's report about itself, as JSON in process_reports. */
export type ProcessReport = {
  readonly version: string;
  readonly node: string;
  readonly memory_bytes: number;
  readonly ledger: { readonly violations: number; readonly checked_at: number | null };
  readonly breakers: readonly { readonly provider: string; readonly operator: string }[];
  readonly jobs: readonly JobStatus[];
  /** How far its clock is behind the database's; negative when it is ahead. */
  readonly clock_behind_milliseconds: number;
  /** The current master key's id, if this process does not have that key. */
  readonly missing_key_id: string | null;
  /** Whether its environment makes the installation live. */
  readonly set_live?: boolean;
};

export type ProcessRow = {
  readonly processId: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly isAlive: boolean;
  /** Null before its first report. */
  readonly report: ProcessReport | null;
};

// The same limit as in domain/orders/recovery/heartbeat.ts: a process that is silent for longer counts as dead.
const ALIVE_MILLISECONDS = 15_000;

type Row = {
  readonly process_id: string;
  readonly host: string;
  readonly pid: number;
  readonly started_at: Date;
  readonly seen_at: Date;
  readonly report: ProcessReport | null;
};

/** All processes that have not stopped cleanly, oldest first. */
export async function readProcesses(sql: Sql, now: number): Promise<readonly ProcessRow[]> {
  const rows = await sql<Row[]>`
    select p.process_id, p.host, p.pid, p.started_at, p.seen_at, r.report
    from processes p left join process_reports r on r.process_id = p.process_id order by p.started_at, p.process_id`;
  return rows.map((row) => ({
    processId: row.process_id,
    host: row.host,
    pid: row.pid,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    isAlive: Math.abs(now - row.seen_at.getTime()) <= ALIVE_MILLISECONDS,
    report: row.report,
  }));
}
