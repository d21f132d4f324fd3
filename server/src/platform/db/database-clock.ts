import { createServiceClock, type DatabaseReading, type ServiceClock } from "../core/clock.ts";
import type { Log } from "../observability/log.ts";
import type { Queryable, Sql } from "./connection.ts";

/** How far this machine's clock may be from the database's. Nonces are kept for so much longer than they could be used. */
export const MAX_SKEW_SECONDS = 60;

export type ClockReading = DatabaseReading & {
  /** How far the machine's own clock is ahead of the database's; 0 while they may be equal. */
  readonly skewMilliseconds: number;
};

/** Reads the database's clock beside both clocks of this machine. */
export async function readClocks(sql: Queryable, steady: () => number = () => performance.now()): Promise<ClockReading> {
  const [before, wallBefore] = [steady(), Date.now()];
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  const [after, wallAfter] = [steady(), Date.now()];
  const databaseMilliseconds = row?.now.getTime() ?? wallAfter;
  return { before, databaseMilliseconds, after, skewMilliseconds: skewOf(wallBefore, databaseMilliseconds, wallAfter) };
}

// Read somewhere between the two, so a slow answer proves nothing; a clock that was set meanwhile shows at the next reading.
function skewOf(wallBefore: number, database: number, wallAfter: number): number {
  const [from, to] = wallBefore <= wallAfter ? [wallBefore, wallAfter] : [wallAfter, wallBefore];
  if (database < from) return from - database;
  return database > to ? to - database : 0;
}

/** Why a service with this clock must not serve; null when it may. For staff and logs. */
export function clockFault({ skewMilliseconds }: ClockReading): string | null {
  const seconds = Math.round(Math.abs(skewMilliseconds) / 1000);
  if (seconds <= MAX_SKEW_SECONDS) return null;
  const where = skewMilliseconds > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${seconds} seconds ${where} the database's, more than the ${MAX_SKEW_SECONDS} that are tolerated: set both by NTP`;
}

/** The service's time is the database's; a machine whose own clock is far from it is not fit to serve. */
export async function startClock(sql: Sql, offsetSeconds: number): Promise<ServiceClock> {
  const reading = await readClocks(sql);
  const fault = clockFault(reading);
  if (fault !== null) throw new Error(`The service does not start: ${fault}.`);
  return createServiceClock({ offsetSeconds, reading });
}

export type ClockWatch = {
  readonly check: () => Promise<void>;
  /** To be repeated for as long as the service runs. */
  readonly job: { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<void> };
  /** Why client calls are refused now; null when they are served. */
  readonly fault: () => string | null;
};

export type ClockWatchOptions = {
  readonly sql: Sql;
  readonly clock: ServiceClock;
  readonly log: Log;
  /** Makes due again what a clock that was set has put off. Safe to repeat. */
  readonly redate: () => Promise<void>;
  readonly read?: (sql: Sql) => Promise<ClockReading>;
};

// What was under way when the clock was set may still be written with a time of before.
const REDATE_MILLISECONDS = 15_000;
const CHECK_MILLISECONDS = 1_000;

/** Keeps the service's clock with the database's, once a second. */
export function createClockWatch({ sql, clock, log, redate, read = (by) => readClocks(by, clock.steady) }: ClockWatchOptions): ClockWatch {
  let fault: string | null = null;
  let redatesUntil = Number.NEGATIVE_INFINITY;
  const check = async () => {
    const reading = await read(sql);
    const before = fault;
    fault = clockFault(reading);
    if (fault !== null && before === null) log.error({ skewMilliseconds: reading.skewMilliseconds }, `client calls are refused: ${fault}`);
    if (fault === null && before !== null) log.info({}, "the machine's clock is right again: client calls are served");
    const step = clock.follow(reading);
    if (step !== 0) {
      log.warn({ seconds: Math.round(step / 1000) }, "the database's clock was set; the service follows, and what is due gets a new time");
      redatesUntil = clock.steady() + REDATE_MILLISECONDS;
    }
    if (clock.steady() < redatesUntil) await redate();
  };
  return { fault: () => fault, check, job: { name: "clock", everyMilliseconds: CHECK_MILLISECONDS, run: check } };
}
