import type { Sql } from "../../platform/db/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { Call } from "./call.ts";
import { copyCalls } from "./copy-calls.ts";
import { fold } from "./fold.ts";
import { addHours, addUsages, insertLocked, insertRefusedSignatures } from "./store.ts";
import { createTally, type Tallied } from "./usage.ts";

export type CallLog = {
  /** Takes a call that was answered; costs the caller next to nothing. */
  readonly record: (call: Call) => void;
  /** Writes what waits, now. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly waiting: () => number;
  /** Calls that were lost because the database was too slow, or would not take them. */
  readonly dropped: () => number;
};

export type CallLogOptions = {
  readonly sql: Sql;
  readonly log: { readonly warn: (details: object, message: string) => void };
  readonly metrics?: Pick<Metrics, "gauge">;
  /** More than that wait only while the database lags; then the oldest go. */
  readonly mostWaiting?: number;
};

const FLUSH_MILLISECONDS = 200;
const USAGE_MILLISECONDS = 5_000;
const MAX_WAITING = 20_000;
const ROWS_A_STATEMENT = 2_000;
const DROPPED_AT_ONCE = 1_000;
const SIGNATURES_A_FLUSH = 50;
const SIGNATURES_PER_ACCOUNT = 200;

/** The log of client API calls (docs/decisions/0010): collected in memory, written a few times a second. */
export function createCallLog(options: CallLogOptions): CallLog {
  const { sql, log, mostWaiting = MAX_WAITING } = options;
  const tally = createTally();
  let waiting: Call[] = [];
  let dropped = 0;
  let running: Promise<void> | null = null;
  let tallying: Promise<void> | null = null;
  let left: Tallied = NOTHING;

  function drop(count: number, why: object): void {
    dropped += count;
    log.warn({ ...why, calls: count, dropped }, "calls are missing in the log of client API calls");
  }

  function record(call: Call): void {
    if (waiting.length >= mostWaiting) drop(waiting.splice(0, Math.min(DROPPED_AT_ONCE, mostWaiting)).length, { why: "the database lags" });
    waiting.push(call);
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, ROWS_A_STATEMENT);
      waiting = waiting.slice(ROWS_A_STATEMENT);
      try {
        await write(sql, batch);
      } catch (error) {
        if (isRefusal(error)) drop(batch.length, { err: error });
        else {
          waiting = [...batch, ...waiting];
          throw error;
        }
      }
      for (const call of batch) tally.add(call);
    }
  }

  async function writeUsage(): Promise<void> {
    // What could not be written the last time goes first, and alone: a statement cannot change a row twice.
    if (left === NOTHING) left = tally.take();
    if (left.usages.length > 0) await addUsages(sql, left.usages);
    left = { usages: [], hours: left.hours };
    if (left.hours.length > 0) await addHours(sql, left.hours);
    left = NOTHING;
  }

  /** Never two at once; a failure is tried again with the next one. */
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
  const told = (error: unknown) => log.warn({ err: error }, "the log of client API calls could not be written; it is tried again");
  const timers = [
    setInterval(() => {
      if (waiting.length > 0) flushCalls().catch(told);
    }, FLUSH_MILLISECONDS),
    setInterval(() => void flushUsage().catch(told), USAGE_MILLISECONDS),
  ];
  for (const timer of timers) timer.unref();
  options.metrics?.gauge("corprail_call_log_waiting", "Client API calls that wait to be written to the log.", () => waiting.length);
  options.metrics?.gauge("corprail_call_log_dropped", "Client API calls that are missing in the log; should be 0.", () => dropped);
  const flush = async () => {
    await flushCalls();
    await flushUsage();
  };
  return {
    record,
    flush,
    waiting: () => waiting.length,
    dropped: () => dropped,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      // One that is under way may have begun before the last calls came.
      await running?.catch(told);
      await tallying?.catch(told);
      await flush();
    },
  };
}

const NOTHING: Tallied = { usages: [], hours: [] };

async function write(sql: Sql, calls: readonly Call[]): Promise<void> {
  const refused = calls.flatMap((call) => (call.lines === null ? [] : [{ call, lines: call.lines }]));
  if (refused.length > 0) await insertRefusedSignatures(sql, refused.slice(-SIGNATURES_A_FLUSH), SIGNATURES_PER_ACCOUNT);
  const folded = fold(calls);
  try {
    await copyCalls(sql, folded);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Refused for a row that is there since a reply was lost, or for one that no table can hold.
    await insertLocked(sql, folded);
  }
}

/** The database has read it and does not want it: it would not the next time either. 25P02 is what follows such a refusal. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:22|23|42|25P02)/.test(String(error.code));
}
