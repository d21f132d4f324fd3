import type { Fragment } from "postgres";
import { ALWAYS_ACTIVE, type FollowedActivity, startInterval } from "../../platform/core/activity.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";

/** A changed part of the settings. Most listeners only reload it. */
export type Change = {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  /** The audit entry's details as JSON text. */
  readonly details: string;
};

export type ChangeFeed = {
  /** Undefined when memory is recent enough, otherwise a promise that resolves when it is. */
  readonly ensureFresh: () => Promise<void> | undefined;
  /** Applies everything that was committed before the call. */
  readonly refresh: () => Promise<void>;
  /**
   * While the process is quiet, the feed does not poll: the check for due work tells it the log's last entry. Returns
   * whether there are changes, which are then applied. `asOf` is when that check began, as `performance.now()`.
   */
  readonly noteHead: (seq: bigint, asOf: number) => boolean;
  readonly close: () => void;
};

export type FeedOptions = {
  readonly sql: Sql;
  /** Applies the changes to memory; completes before they count as seen. */
  readonly apply: (changes: readonly Change[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** The audit sequence number up to which memory was loaded. */
  readonly from: bigint;
  readonly activity?: FollowedActivity;
};

const POLL_MILLISECONDS = 400;
// Contract, section 8: a change applies in other processes within one second.
const MAX_AGE_MILLISECONDS = 900;

/** The number of the last audit entry. */
export function auditHead(sql: Queryable): Fragment {
  return sql`(select seq from audit_head)`;
}

export async function audited(sql: Sql): Promise<bigint> {
  const [head] = await sql<{ seq: bigint | null }[]>`select ${auditHead(sql)} as seq`;
  return head?.seq ?? 0n;
}

/** Follows the audit log, whose order is that of the commits, and updates memory. */
export function followChanges(options: FeedOptions): ChangeFeed {
  let seen = options.from;
  let freshAsOf = performance.now();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function poll(): Promise<void> {
    const startedAt = performance.now();
    const rows = await options.sql<{ seq: bigint; kind: string; id: string; action: string; details: string }[]>`
      select seq, subject_kind as kind, subject_id as id, action, details from audit_log where seq > ${seen} order by seq`;
    const last = rows.at(-1);
    if (last) {
      await options.apply(rows);
      seen = last.seq;
    }
    freshAsOf = startedAt;
  }

  function start(): Promise<void> {
    running = poll().finally(() => {
      running = null;
    });
    return running;
  }

  // A running poll may have read before the caller's commit, so the caller needs the next one.
  function refresh(): Promise<void> {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        // A poll that has started meanwhile also started after the call.
        return running ?? start();
      });
    return next;
  }

  const pollNow = () => {
    if (!running) start().catch(options.onError);
  };
  const intervals = { everyMilliseconds: POLL_MILLISECONDS, quietMilliseconds: null };
  const close = startInterval(pollNow, intervals, options.activity ?? ALWAYS_ACTIVE);

  return {
    ensureFresh: () => (performance.now() - freshAsOf <= MAX_AGE_MILLISECONDS ? undefined : refresh()),
    refresh,
    noteHead: (seq, asOf) => {
      if (seq > seen) {
        pollNow();
        return true;
      }
      freshAsOf = Math.max(freshAsOf, asOf);
      return false;
    },
    close,
  };
}
