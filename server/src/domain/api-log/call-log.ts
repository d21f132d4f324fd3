import type { Sql } from "../../platform/db/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import { type Call, type MergedCalls, wasAdmitted } from "./call.ts";
import { copyCalls } from "./copy-calls.ts";
import { createBodyMasker } from "./kept-bodies.ts";
import { addHours, addUsages, insertLocked, insertRefusedSignatures } from "./store.ts";
import { createTally, type Tallied } from "./usage.ts";
import { createWaitingCalls } from "./waiting-calls.ts";

export type CallLog = {
  /** Records an answered request; this costs the caller almost nothing. */
  readonly record: (call: Call) => void;
  /** Writes all waiting entries now. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly waiting: () => number;
  /** Requests that were lost because the database was too slow or refused them. */
  readonly dropped: () => number;
};

export type CallLogOptions = {
  readonly sql: Sql;
  readonly log: { readonly warn: (details: object, message: string) => void };
  readonly metrics?: Pick<Metrics, "gauge">;
  /** The limit of waiting entries. Above it, the oldest are dropped. */
  readonly mostWaiting?: number;
};

const FLUSH_MILLISECONDS = 200;
const USAGE_MILLISECONDS = 5_000;
const MAX_WAITING = 20_000;
const ROWS_PER_STATEMENT = 2_000;
const SIGNATURES_PER_FLUSH = 50;
const SIGNATURES_PER_ACCOUNT = 200;

/** The log of client API requests (docs/decisions/0010): collected in memory, written several times a second. */
export function createCallLog(options: CallLogOptions): CallLog {
  const { sql, log, mostWaiting = MAX_WAITING } = options;
  const tally = createTally();
  const mask = createBodyMasker();
  const waiting = createWaitingCalls(mostWaiting, (count) => drop(count, { why: "the database lags" }));
  let dropped = 0;
  let running: Promise<void> | null = null;
  let tallying: Promise<void> | null = null;
  let left: Tallied = NOTHING;

  function drop(count: number, why: object): void {
    dropped += count;
    log.warn({ ...why, calls: count, dropped }, "client API log entries dropped");
  }

  async function writeAll(): Promise<void> {
    while (waiting.count() > 0) {
      const batch = waiting.take(ROWS_PER_STATEMENT);
      try {
        await write(sql, batch, mask);
      } catch (error) {
        if (isRefusal(error)) drop(batch.length, { err: error });
        else {
          waiting.putBack(batch);
          throw error;
        }
      }
      for (const call of batch) tally.add(call);
    }
  }

  async function writeUsage(): Promise<void> {
    // A batch that failed before is written first and alone, because one statement cannot update a row twice.
    if (left === NOTHING) left = tally.take();
    if (left.usages.length > 0) await addUsages(sql, left.usages);
    left = { usages: [], hours: left.hours };
    if (left.hours.length > 0) await addHours(sql, left.hours);
    left = NOTHING;
  }

  /** Never runs twice at once; the next run retries a failure. */
  const flushCalls = () => {
    running ??= writeAll().finally(() => {
      running = null;
    });
    return running;
  };
  const flushUsage = () => {
    tallying ??= writeUsage().finally(() => {
      tallying = null;
    });
    return tallying;
  };
  const logFailure = (error: unknown) => log.warn({ err: error }, "writing the client API log failed; will retry");
  const delayed = createDelayedRun(
    () => flushCalls().catch(logFailure),
    () => waiting.count() > 0,
  );
  const timer = setInterval(() => void flushUsage().catch(logFailure), USAGE_MILLISECONDS).unref();
  options.metrics?.gauge("corprail_call_log_waiting", "Client API requests that wait to be written to the log.", waiting.count);
  options.metrics?.gauge("corprail_call_log_dropped", "Client API requests that are missing in the log; should be 0.", () => dropped);
  const flush = async () => {
    await flushCalls();
    await flushUsage();
  };
  return {
    record: (call) => {
      waiting.add(call);
      delayed.schedule();
    },
    flush,
    waiting: waiting.count,
    dropped: () => dropped,
    close: async () => {
      delayed.close();
      clearInterval(timer);
      // The current run may have started before the last entries arrived.
      await running?.catch(logFailure);
      await tallying?.catch(logFailure);
      await flush();
    },
  };
}

/** Runs a while after something has arrived. There is a timer only then, so that an idle process is not woken for nothing. */
function createDelayedRun(run: () => Promise<void>, isNeeded: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const schedule = () => {
    if (isClosed || !isNeeded()) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void run().finally(schedule);
    }, FLUSH_MILLISECONDS).unref();
  };
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
  };
  return { schedule, close };
}

// In one flush this many refusals of an account get their own row; further similar ones are only counted.
const MAX_UNMERGED_REFUSALS = 10;
const NOTHING: Tallied = { usages: [], hours: [] };

async function write(sql: Sql, calls: readonly Call[], mask: ReturnType<typeof createBodyMasker>): Promise<void> {
  const refused = calls.flatMap((call) => (call.lines === null ? [] : [{ call, lines: call.lines }]));
  if (refused.length > 0) await insertRefusedSignatures(sql, refused.slice(-SIGNATURES_PER_FLUSH), SIGNATURES_PER_ACCOUNT);
  const merged = mergeRefusals(calls).map((one) => ({ ...one, bodies: mask(one.call.bodies) }));
  try {
    await copyCalls(sql, merged);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The batch was refused because of a row that exists since a lost reply, or of an invalid row.
    await insertLocked(sql, merged);
  }
}

/** The database refuses the data permanently. 25P02 follows such a refusal in the same transaction. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:22|23|42|25P02)/.test(String(error.code));
}

/**
 * No budget limits refused requests, so a caller could fill the table with them. Of the refusals in one flush, all but the
 * first few of an account are merged into one row per kind.
 */
function mergeRefusals(calls: readonly Call[]): readonly MergedCalls[] {
  const single = new Map<string, number>();
  const refusals = new Map<string, MergedCalls>();
  const merged: MergedCalls[] = [];
  for (const call of calls) {
    const known = wasAdmitted(call) ? undefined : similarRefusal(call, single, refusals);
    if (known) known.times++;
    else merged.push(addRow(call, refusals));
  }
  return merged;
}

function similarRefusal(call: Call, single: Map<string, number>, refusals: ReadonlyMap<string, MergedCalls>): MergedCalls | undefined {
  const { accountId } = call.account;
  const before = single.get(accountId) ?? 0;
  single.set(accountId, before + 1);
  return before < MAX_UNMERGED_REFUSALS ? undefined : refusals.get(kindOf(call));
}

function addRow(call: Call, refusals: Map<string, MergedCalls>): MergedCalls {
  const made: MergedCalls = { call, times: 1 };
  if (!wasAdmitted(call)) refusals.set(kindOf(call), made);
  return made;
}

function kindOf(call: Call): string {
  return `${call.account.accountId} ${call.method} ${call.path} ${call.error} ${call.address.toString()}`;
}
