import type { Cell } from "../cells/cell.ts";
import { hasDueApprovals } from "../domain/approvals/store.ts";
import { auditHead } from "../domain/audit/feed.ts";
import { mayHaveDueCallbacks } from "../domain/callbacks/delivery/store.ts";
import { hasOpenJobs } from "../domain/jobs/store.ts";
import { hasDuePolls } from "../domain/orders/recovery/pending-poll-store.ts";
import { type Activity, TICK_MILLISECONDS } from "../platform/core/activity.ts";
import type { Clock } from "../platform/core/clock.ts";
import { untilMultipleOf } from "../platform/core/until-multiple.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { Log } from "../platform/observability/log.ts";

/** What a check for due work needs of a cell. */
type WatchedCell = Pick<Cell, "feed"> & { readonly database: { readonly sql: Sql } };

type Dependencies = {
  readonly activity: Pick<Activity, "note" | "isQuiet" | "update">;
  readonly cells: () => readonly WatchedCell[];
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
};

/**
 * While the process is quiet, one statement for each cell replaces the polls for changed settings, due callbacks, due polls of
 * orders, jobs and approvals. What it finds makes the process active, and all of them poll as usual. Returns the function that ends it.
 */
export function watchDueWork(dependencies: Dependencies): () => Promise<void> {
  const { activity, cells } = dependencies;
  const checks = new Map<WatchedCell, Promise<void>>();
  const start = (cell: WatchedCell) => {
    // A check that takes this long must not delay the work that it would find.
    if (checks.has(cell)) return activity.note();
    const check = checkCell(cell, dependencies).finally(() => checks.delete(cell));
    checks.set(cell, check);
  };
  let timer = setTimeout(tick, TICK_MILLISECONDS);
  function tick(): void {
    const rest = untilMultipleOf(TICK_MILLISECONDS);
    // A timer may end a little early.
    timer = setTimeout(tick, rest < TICK_MILLISECONDS / 2 ? rest + TICK_MILLISECONDS : rest);
    activity.update();
    if (activity.isQuiet()) for (const cell of cells()) start(cell);
  }
  return async () => {
    clearTimeout(timer);
    await Promise.all(checks.values());
  };
}

async function checkCell({ database, feed }: WatchedCell, { activity, clock, log }: Dependencies): Promise<void> {
  const startedAt = performance.now();
  try {
    const { auditSeq, isDue } = await findDueWork(database.sql, clock.now());
    if (feed.noteHead(auditSeq, startedAt) || isDue) activity.note();
  } catch (error) {
    log.warn({ err: error }, "the check for due work failed; every module polls on its own");
    activity.note();
  }
}

export type DueWork = {
  /** The number of the last audit entry. */
  readonly auditSeq: bigint;
  /** Whether a callback, an order's poll, a job or an approval may be due. */
  readonly isDue: boolean;
};

export async function findDueWork(sql: Sql, now: number): Promise<DueWork> {
  const at = new Date(now);
  const [row] = await sql<{ seq: bigint | null; is_due: boolean }[]>`
    select ${auditHead(sql)} as seq,
      ${hasDuePolls(sql, at)} or ${hasOpenJobs(sql)} or ${hasDueApprovals(sql, at)} or ${mayHaveDueCallbacks(sql, at)} as is_due`;
  return { auditSeq: row?.seq ?? 0n, isDue: row?.is_due ?? false };
}
