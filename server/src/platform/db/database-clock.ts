import { createServiceClock, type DatabaseReading, type ServiceClock } from "../core/clock.ts";
import type { Log } from "../observability/log.ts";
import type { Queryable, Sql } from "./connection.ts";

/** The allowed difference between this machine's clock and the database's. Nonces are kept this much longer. */
export const MAX_SKEW_SECONDS = 60;

export type ClockReading = DatabaseReading & {
  /** How far the machine's clock is ahead of the database's; 0 if the difference is within the reading's duration. */
  readonly skewMilliseconds: number;
};

/** Reads the database's clock and both clocks of this machine. */
export async function readClocks(sql: Queryable, steady: () => number = () => performance.now()): Promise<ClockReading> {
  const finish = startReading(steady);
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return finish(row?.now ?? new Date());
}

/** Begins a reading before a statement is sent. The returned function ends it with the `clock_timestamp()` of the answer. */
export function startReading(steady: () => number = () => performance.now()): (databaseTime: Date) => ClockReading {
  const [before, wallBefore] = [steady(), Date.now()];
  return (databaseTime) => {
    const databaseMilliseconds = databaseTime.getTime();
    return { before, databaseMilliseconds, after: steady(), skewMilliseconds: skewOf(wallBefore, databaseMilliseconds, Date.now()) };
  };
}

// The database was read between the two, so a slow answer is no skew. A clock set meanwhile shows in the next reading.
function skewOf(wallBefore: number, database: number, wallAfter: number): number {
  const [from, to] = wallBefore <= wallAfter ? [wallBefore, wallAfter] : [wallAfter, wallBefore];
  if (database < from) return from - database;
  return database > to ? to - database : 0;
}

/** Why the service must not serve with this clock, in words for staff and logs; null if it may. */
export function clockFault({ skewMilliseconds }: ClockReading): string | null {
  const seconds = Math.round(Math.abs(skewMilliseconds) / 1000);
  if (seconds <= MAX_SKEW_SECONDS) return null;
  const where = skewMilliseconds > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${seconds} seconds ${where} the database's, more than the tolerated ${MAX_SKEW_SECONDS}: synchronise both with NTP`;
}

/** Starts the service's clock from the database's time. Throws if the machine's clock differs too much. */
export async function startClock(sql: Sql, offsetSeconds: number): Promise<ServiceClock> {
  const reading = await readClocks(sql);
  const fault = clockFault(reading);
  if (fault !== null) throw new Error(`The service cannot start: ${fault}.`);
  return createServiceClock({ offsetSeconds, reading });
}

export type ClockWatch = {
  readonly check: () => Promise<void>;
  /** Takes a reading that another statement has brought along, which saves the next check its own. */
  readonly take: (reading: ClockReading) => void;
  /** Must run periodically while the service runs. */
  readonly job: { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<void> };
  /** Why client requests are refused now; null if they are served. */
  readonly fault: () => string | null;
};

export type ClockWatchOptions = {
  readonly sql: Sql;
  readonly clock: ServiceClock;
  readonly log: Log;
  /** Corrects due times that a clock step has put too far in the future. Idempotent. `isSetBack` the first time after a step back. */
  readonly redate: (isSetBack: boolean) => Promise<void>;
  /** Called with the new time before the clock is set back. The clock waits until it has succeeded. */
  readonly beforeSetBack?: (now: number) => Promise<void>;
  readonly read?: (sql: Sql) => Promise<ClockReading>;
};

// Operations in flight during the step may still write times of the old clock.
const REDATE_MILLISECONDS = 15_000;
const CHECK_MILLISECONDS = 1_000;
// Readings that are taken come once a second too, and may be a little late.
const TAKEN_MILLISECONDS = 1_500;

/** Synchronises the service's clock with the database's once a second. */
export function createClockWatch(options: ClockWatchOptions): ClockWatch {
  const { sql, clock, log, redate, beforeSetBack, read = (by) => readClocks(by, clock.steady) } = options;
  let fault: string | null = null;
  let redatesUntil = Number.NEGATIVE_INFINITY;
  let appliedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  const apply = async (reading: ClockReading) => {
    const before = fault;
    fault = clockFault(reading);
    if (fault !== null && before === null)
      log.error({ skewMilliseconds: reading.skewMilliseconds }, `client requests are refused: ${fault}`);
    if (fault === null && before !== null) log.info({}, "machine clock is correct again: client requests are served");
    const coming = clock.stepOf(reading);
    if (coming < 0) await beforeSetBack?.(clock.now() + coming);
    const step = clock.follow(reading);
    if (step !== 0) {
      log.warn({ seconds: Math.round(step / 1000) }, "database clock was set: the service follows it and redates due work");
      redatesUntil = clock.steady() + REDATE_MILLISECONDS;
    }
    if (clock.steady() < redatesUntil) await redate(step < 0);
  };
  // One reading at a time: an older one must not be applied after a newer one.
  const start = (reading: ClockReading | Promise<ClockReading>) => {
    running = Promise.resolve(reading)
      .then(apply)
      .then(() => {
        appliedAt = clock.steady();
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const check = async () => {
    await running?.catch(() => {});
    await start(read(sql));
  };
  const take = (reading: ClockReading) => {
    // If it cannot be applied, the job checks on its own, and reports what is wrong.
    if (running === null) start(reading).catch(() => {});
  };
  const run = async () => {
    if (running !== null) await running;
    else if (clock.steady() - appliedAt > TAKEN_MILLISECONDS) await check();
  };
  return { fault: () => fault, check, take, job: { name: "clock", everyMilliseconds: CHECK_MILLISECONDS, run } };
}
