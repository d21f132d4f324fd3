import { type BatcherOptions, createBatcher, type ObserveBatch } from "../../../platform/db/batching/batcher.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { isOutage } from "../../../platform/db/database-errors.ts";
import type { Log } from "../../../platform/observability/log.ts";
import { type AttemptRecord, insertRecordsUnflushed } from "./store.ts";

/** Writes records that are not written together with an order's change: those of queries, and large ones. */
export type AttemptRecords = {
  /**
   * Resolves when the record is committed. Never rejects: an order must be settled even if its evidence cannot be written. Such
   * a record is logged and counted as dropped.
   */
  readonly write: (record: AttemptRecord) => Promise<void>;
  readonly waiting: () => number;
  /** Records that are missing because too many waited or the database refused them. */
  readonly dropped: () => number;
};

export type AttemptRecordsOptions = {
  readonly sql: Sql;
  readonly log: Log;
  readonly observe?: ObserveBatch;
  /** The limit of waiting records. Above it, new ones are dropped. */
  readonly maxWaiting?: number;
  /** How long a record waits for a database that is away. */
  readonly outageMilliseconds?: number;
};

// A record has up to 16 kB for each exchange, so this is some tens of megabytes at most.
const MAX_WAITING = 2_000;
const MAX_ITEMS = 100;
const MAX_IN_FLIGHT = 2;
const OUTAGE_MILLISECONDS = 60_000;
const RETRY_MILLISECONDS = 250;

export function createAttemptRecords(options: AttemptRecordsOptions): AttemptRecords {
  const { sql, log, maxWaiting = MAX_WAITING, outageMilliseconds = OUTAGE_MILLISECONDS } = options;
  let dropped = 0;
  const run: BatcherOptions<AttemptRecord, unknown>["run"] = (records) => writeBatch(sql, records);
  const batcher = createBatcher<AttemptRecord, unknown>({
    run,
    maxItems: MAX_ITEMS,
    maxInFlight: MAX_IN_FLIGHT,
    ownerOf: (record) => record.accountId,
    observe: options.observe,
  });

  function drop(record: AttemptRecord, why: object): void {
    dropped++;
    log.error({ ...why, order: record.orderId, provider: record.provider, dropped }, "evidence of an attempt could not be written");
  }

  return {
    waiting: batcher.load,
    dropped: () => dropped,
    write: async (record) => {
      if (record.exchanges.length === 0 && record.facts === null) return;
      if (batcher.load() >= maxWaiting) {
        drop(record, { why: "the database lags" });
        return;
      }
      const until = performance.now() + outageMilliseconds;
      for (;;) {
        const error = await batcher.submit(record).catch((failed: unknown) => failed ?? new Error("The batch failed."));
        if (error === null) return;
        if (!isOutage(error) || performance.now() > until) {
          drop(record, { err: error });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      }
    },
  };
}

/** Answers null or an error for each record. One record that the database refuses must not take the others with it. */
async function writeBatch(sql: Sql, records: readonly AttemptRecord[]): Promise<readonly unknown[]> {
  try {
    await insertRecordsUnflushed(sql, records);
    return records.map(() => null);
  } catch (error) {
    if (records.length === 1 || isOutage(error)) return records.map(() => error);
    const answers: unknown[] = [];
    for (const record of records) answers.push(...(await writeBatch(sql, [record])));
    return answers;
  }
}
