import type { Bug } from "./bugs.ts";
import type { Storage } from "./storage.ts";

// Prepared, because planning it takes longer than running it.
const PREPARED = `
  prepare next_due (boolean) as select (extract(epoch from least(
    (select min(due_at) from pending_polls where not needs_human),
    (select min(due_at) from orphan_searches where $1),
    (select min(coalesce(m.ends_at, greatest(c.next_at, case when c.retry_tier = 1 then t.probe_at end)))
      from callbacks c left join callback_claims m using (account_id, kind, callback_id)
      left join callback_targets t using (account_id, kind) where c.state = 'waiting')
    )) * 1000)::bigint, (select count(*) from processes)`;

export function prepareNextDue(storage: Storage): void {
  storage.execute(PREPARED);
}

/**
 * When the database has the next work for a periodic job, in wall time; null while that cannot be told. Until then such jobs
 * find nothing to do, so that the simulation can skip that time.
 */
export function nextDue(storage: Storage, running: number, bug: Bug | null): number | null {
  if (!storage.isFree()) return null;
  const [row] = storage.execute(`execute next_due (${bug?.withoutJob === undefined})`);
  // The orders of a process that is gone are looked for as soon as it counts as dead, unless nobody does that.
  if (!bug?.withoutRecovery && Number(row?.[1]) !== running) return null;
  return row?.[0] == null ? Number.POSITIVE_INFINITY : Number(row[0]);
}

/** What the heartbeats of running processes would have written in idle time that was skipped. */
export function beatMeanwhile(storage: Storage, processIds: readonly string[], milliseconds: number): void {
  if (processIds.length === 0) return;
  const named = processIds.map((one) => `'${one}'`).join(", ");
  storage.execute(
    `update processes set seen_at = seen_at + interval '${Math.round(milliseconds)} milliseconds' where process_id in (${named})`,
  );
}
