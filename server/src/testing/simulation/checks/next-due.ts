import type { Storage } from "../environment/storage.ts";
import type { Bug } from "./bugs.ts";

// Prepared, because planning it takes longer than running it.
const PREPARED = `
  prepare next_due (boolean) as select (extract(epoch from least(
    (select min(due_at) from pending_polls where not needs_human),
    (select min(coalesce(m.ends_at, greatest(c.next_at, case when c.retry_tier = 1 then t.probe_at end)))
      from callbacks c left join callback_claims m using (account_id, kind, callback_id)
      left join callback_targets t using (account_id, kind) where c.state = 'waiting')
    )) * 1000)::bigint, (select extract(epoch from min(due_at)) * 1000 from orphan_searches where $1)::bigint,
  (select count(*) from processes)`;

// Of the job that looks for due work every second, and of the one that searches for orders again every minute while quiet.
const LATE_MILLISECONDS = 5_000;
const LATE_SEARCH_MILLISECONDS = 70_000;

export type NextDue = {
  readonly at: number;
  /** From then on it is an error if the work has not begun. */
  readonly lateAt: number;
};

export function prepareNextDue(storage: Storage): void {
  storage.execute(PREPARED);
}

/**
 * When the database has the next work for a periodic job, in wall time; null while that cannot be told. Until then such jobs
 * find nothing to do, so that the simulation can skip that time.
 */
export function nextDue(storage: Storage, running: number, bug: Bug | null): NextDue | null {
  if (!storage.isFree()) return null;
  const [row] = storage.execute(`execute next_due (${bug?.withoutJob === undefined})`);
  // The orders of a process that is gone are looked for as soon as it counts as dead, unless nobody does that.
  if (!bug?.withoutRecovery && Number(row?.[2]) !== running) return null;
  const [work, search] = [timeOf(row?.[0]), timeOf(row?.[1])];
  return { at: Math.min(work, search), lateAt: Math.min(work + LATE_MILLISECONDS, search + LATE_SEARCH_MILLISECONDS) };
}

const timeOf = (value: unknown) => (value == null ? Number.POSITIVE_INFINITY : Number(value));

/** What the heartbeats of running processes would have written in idle time that was skipped. */
export function beatMeanwhile(storage: Storage, processIds: readonly string[], milliseconds: number): void {
  if (processIds.length === 0) return;
  const named = processIds.map((one) => `'${one}'`).join(", ");
  storage.execute(
    `update processes set seen_at = seen_at + interval '${Math.round(milliseconds)} milliseconds' where process_id in (${named})`,
  );
}
