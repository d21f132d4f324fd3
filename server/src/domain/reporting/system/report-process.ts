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

/** Publishes what only this process knows. */
export async function reportProcess(ctx: ReportContext): Promise<void> {
  const { sql } = ctx;
  const { behind, keyId } = await readClockAndKey(ctx);
  const report: ProcessReport = {
    version: ctx.version,
    node: process.version,
    memory_bytes: process.memoryUsage.rss(),
    ledger: { violations: ctx.jobStatuses.ledger().violations, checked_at: ctx.jobStatuses.ledger().checkedAt },
    breakers: ctx.openBreakers().map(({ provider, operator }) => ({ provider, operator })),
    jobs: ctx.jobStatuses.jobs(),
    clock_behind_milliseconds: behind,
    missing_key_id: await missingKey(ctx, keyId),
    set_live: ctx.isSetLive,
  };
  await sql`
    with gone as (
      delete from process_reports r
      where r.process_id <> ${ctx.processId} and not exists (select from processes p where p.process_id = r.process_id))
    insert into process_reports (process_id, at, report)
    values (${ctx.processId}, ${new Date(ctx.clock.now())}, ${redact(JSON.stringify(report))}::text::jsonb)
    on conflict (process_id) do update set at = excluded.at, report = excluded.report`;
}

// The machine's real clock, because a clock offset in tests is intentional.
async function readClockAndKey({ sql }: ReportContext): Promise<{ readonly behind: number; readonly keyId: string | null }> {
  const before = Date.now();
  const [row] = await sql<{ now: Date; key_id: string | null }[]>`
    select clock_timestamp() as now, (select master_key_id from installation) as key_id`;
  const after = Date.now();
  const theirs = row?.now.getTime() ?? after;
  return { behind: behindOf(before, theirs, after), keyId: row?.key_id ?? null };
}

// The database's time lies somewhere in this interval, so a slow answer proves nothing.
function behindOf(before: number, theirs: number, after: number): number {
  if (theirs >= before && theirs <= after) return 0;
  return theirs > after ? theirs - after : theirs - before;
}

async function missingKey({ vault }: ReportContext, keyId: string | null): Promise<string | null> {
  if (keyId === null || vault.keyring().has(keyId)) return null;
  await vault.reload();
  return vault.keyring().has(keyId) ? null : keyId;
}
