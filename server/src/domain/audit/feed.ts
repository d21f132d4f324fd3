import type { Sql } from "../../platform/db/connection.ts";

/** A part of the settings that some process has changed, and how: most need no more than to read it again. */
export type Change = {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  /** As it stands in the log: JSON. */
  readonly details: string;
};

export type ChangeFeed = {
  /** Undefined when what is in memory is recent enough, else a promise of that. */
  readonly ensureFresh: () => Promise<void> | undefined;
  /** Takes in everything that was committed before the call. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
};

export type FeedOptions = {
  readonly sql: Sql;
  /** Takes the changes into memory; runs before they count as seen. */
  readonly apply: (changes: readonly Change[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** The audit sequence up to which memory was loaded. */
  readonly from: bigint;
};

const POLL_MILLISECONDS = 250;
// Contract, section 8: a change holds in other processes within one second.
const MAX_AGE_MILLISECONDS = 900;

export async function audited(sql: Sql): Promise<bigint> {
  const [head] = await sql<{ seq: bigint }[]>`select seq from audit_head`;
  return head?.seq ?? 0n;
}

/** Follows the audit log, whose order is that of the commits, and keeps memory in step with it. */
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

  // A poll under way may have read before the caller's commit, so the caller needs the one after it.
  function refresh(): Promise<void> {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        // One that has begun meanwhile began after the call as well.
        return running ?? start();
      });
    return next;
  }

  const timer = setInterval(() => {
    if (!running) start().catch(options.onError);
  }, POLL_MILLISECONDS);

  return {
    ensureFresh: () => (performance.now() - freshAsOf <= MAX_AGE_MILLISECONDS ? undefined : refresh()),
    refresh,
    close: () => clearInterval(timer),
  };
}
