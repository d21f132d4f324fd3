import type { JobStatuses } from "../../../platform/observability/job-statuses.ts";
import { redact } from "../../../platform/observability/redact.ts";
import type { OverviewContext } from "../context.ts";
import type { ProcessReport } from "./processes.ts";

export type ReportContext = Pick<OverviewContext, "sql" | "clock" | "vault"> & {
  readonly processId: string;
  readonly version: string;
  readonly jobStatuses: JobStatuses;
  /** Whether this process's environment makes the installation live. */
  readonly isSetLive: boolean;
  /** The open breakers of this process. */
  readonly openBreakers: () => readonly { readonly provider: string; readonly operator: string }[];
};

export const REPORT_MILLISECONDS = 5_000;
export const QUIET_REPORT_MILLISECONDS = 30_000;

/** Publishes what only this process knows. */
export async function reportProcess(ctx: ReportContext): Promise<void> {
  const { sql } = ctx;
  const behind = await clockBehind(ctx);
  const report: ProcessReport = {
    version: ctx.version,
    node: process.version,
    memory_bytes: process.memoryUsage.rss(),
    ledger: { violations: ctx.jobStatuses.ledger().violations, checked_at: ctx.jobStatuses.ledger().checkedAt },
    breakers: ctx.openBreakers().map(({ provider, operator }) => ({ provider, operator })),
    jobs: ctx.jobStatuses.jobs(),
    clock_behind_milliseconds: behind,
    missing_key_id: await missingKey(ctx),
    set_live: ctx.isSetLive,
  };
  await sql`
    insert into process_reports (process_id, at, report)
    values (${ctx.processId}, ${new Date(ctx.clock.now())}, ${redact(JSON.stringify(report))}::text::jsonb)
    on conflict (process_id) do update set at = excluded.at, report = excluded.report`;
  await sql`delete from process_reports r where not exists (select from processes p where p.process_id = r.process_id)`;
}

// The machine's real clock, because a clock offset in tests is intentional.
async function clockBehind({ sql }: ReportContext): Promise<number> {
  const before = Date.now();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  const after = Date.now();
  const theirs = row?.now.getTime() ?? after;
  // The database's time lies somewhere in this interval, so a slow answer proves nothing.
  if (theirs >= before && theirs <= after) return 0;
  return theirs > after ? theirs - after : theirs - before;
}

async function missingKey({ sql, vault }: ReportContext): Promise<string | null> {
  const [row] = await sql<{ key_id: string }[]>`select master_key_id as key_id from installation`;
  if (!row || vault.keyring().has(row.key_id)) return null;
  await vault.reload();
  return vault.keyring().has(row.key_id) ? null : row.key_id;
}
