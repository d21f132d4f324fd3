import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type CallFilter, type CallRow, callsSince } from "./read-calls.ts";

export type TailOptions = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly everyMilliseconds?: number;
};

const EVERY_MILLISECONDS = 1_000;
// An entry has the time of its request but is written after its reply, and processes write at different times.
const OVERLAP_MILLISECONDS = 60_000;
const MAX_AT_ONCE = 500;
// The viewer's access is checked again when the browser reconnects.
const LASTS_MILLISECONDS = 2 * 60_000;

/** Yields an account's requests from all processes as they arrive, each once, until the viewer leaves or the time is up. */
export async function* tailCalls(options: TailOptions, accountId: string, filter: CallFilter, left: AbortSignal): AsyncGenerator<CallRow> {
  const { sql, clock, everyMilliseconds = EVERY_MILLISECONDS } = options;
  let startedAt = clock.now();
  const ends = performance.now() + LASTS_MILLISECONDS;
  let seen = new Map<string, number>();
  while (!left.aborted && performance.now() < ends) {
    // After the clock was set back, new entries are older than the start.
    startedAt = Math.min(startedAt, clock.now());
    const from = Math.max(startedAt, clock.now() - OVERLAP_MILLISECONDS);
    const rows = await callsSince(sql, accountId, filter, new Date(from), MAX_AT_ONCE);
    for (const row of rows) {
      if (left.aborted) return;
      if (seen.has(row.request_id)) continue;
      seen.set(row.request_id, row.at.getTime());
      yield row;
    }
    seen = new Map([...seen].filter(([, at]) => at >= from));
    await wait(everyMilliseconds, undefined, { signal: left }).catch(() => {});
  }
}
