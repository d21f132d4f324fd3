import { type Batcher, createBatcher } from "../db/batcher.ts";
import { attempt, destinationOf, factsOf } from "./attempt.ts";
import { backOffMilliseconds } from "./back-off.ts";
import type { CallbacksContext } from "./context.ts";
import { startLoop } from "./loop.ts";
import { type ClaimedRow, claimCallbacks, type Finish, finishCallbacks, releaseCallbacks } from "./store.ts";

export type Engine = {
  /** There may be something due; calls while it is being looked for are one. */
  readonly wake: () => void;
  readonly inFlight: () => number;
  /** Takes nothing more; ends what is under way, or gives it back when the time is over. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

const POLL_MILLISECONDS = 100;
const MAX_POLL_MILLISECONDS = 1_000;
const FINISH_RETRIES = 100;
const FINISH_RETRY_MILLISECONDS = 250;

/** An attempt under way. */
type Flight = { readonly row: ClaimedRow; readonly claimId: string; readonly abort: AbortController; released: boolean };

type Flights = Map<Flight, Promise<void>>;

/** What one process does: claim what is due, send it, record how it went. Many of them share one database. */
export function startEngine(ctx: CallbacksContext): Engine {
  const flights: Flights = new Map();
  let over = false;
  const finishes = finisher(ctx, () => over);
  const loop = startLoop(() => lookForWork(ctx, flights, launch));

  function launch(row: ClaimedRow, claimId: string, claimedAt: number): void {
    const flight: Flight = { row, claimId, abort: new AbortController(), released: false };
    const landed = fly(ctx, flight, claimedAt, finishes).finally(() => {
      flights.delete(flight);
      loop.wake();
    });
    flights.set(flight, landed);
  }

  async function close(graceMilliseconds: number): Promise<void> {
    await loop.stop();
    await within(graceMilliseconds, Promise.all(flights.values()));
    over = true;
    await giveBack(ctx, [...flights.keys()]);
  }

  return { wake: loop.wake, inFlight: () => flights.size, close };
}

type Launch = (row: ClaimedRow, claimId: string, claimedAt: number) => void;

/** Takes what is due, as far as there is room; answers when to look again. */
async function lookForWork(ctx: CallbacksContext, flights: Flights, launch: Launch): Promise<number> {
  const startedAt = performance.now();
  try {
    await claimSome(ctx, flights, launch);
  } catch (error) {
    ctx.log.warn({ err: error }, "callbacks could not be claimed; it is tried again");
    return MAX_POLL_MILLISECONDS;
  }
  // Where many targets wait, looking is not free: it may take a tenth of the time, not more.
  return Math.min(MAX_POLL_MILLISECONDS, Math.max(POLL_MILLISECONDS, 10 * (performance.now() - startedAt)));
}

async function claimSome(ctx: CallbacksContext, flights: Flights, launch: Launch): Promise<void> {
  const { limits } = ctx;
  const room = limits.inFlight - flights.size;
  if (room <= 0) return;
  const troubled = [...flights.keys()].filter((flight) => flight.row.troubled).length;
  const troubledRoom = Math.max(0, limits.troubledInFlight - troubled);
  const now = ctx.clock.now();
  const claimedAt = performance.now();
  const claimId = `${ctx.processId}/${ctx.ids.entry(now)}`;
  const rows = await claimCallbacks(ctx.sql, now, claimId, { ...limits, room, troubledRoom });
  for (const row of rows) launch(row, claimId, claimedAt);
}

async function fly(ctx: CallbacksContext, flight: Flight, claimedAt: number, finishes: Batcher<Finish, boolean>): Promise<void> {
  // A process that stood still since: the lease is almost over, and another one may be sending by now.
  if (performance.now() - claimedAt > ctx.limits.leaseMilliseconds / 2) return;
  try {
    const finish = await sendOnce(ctx, flight);
    if (!flight.released) await finishes.submit(finish);
  } catch (error) {
    ctx.log.error({ err: error, callback: flight.row.callback_id }, "an attempt could not be recorded; it will be repeated");
  }
}

async function giveBack(ctx: CallbacksContext, left: readonly Flight[]): Promise<void> {
  for (const flight of left) {
    flight.released = true;
    flight.abort.abort();
  }
  if (left.length === 0) return;
  await releaseCallbacks(ctx.sql, ctx.clock.now(), left.map(claimOf)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, "claims could not be given back; they end by themselves"),
  );
}

async function sendOnce(ctx: CallbacksContext, flight: Flight): Promise<Finish> {
  const { row, claimId } = flight;
  const startedAt = ctx.clock.now();
  const from = performance.now();
  const outcome = await attempt(ctx, factsOf(row), destinationOf(row), Number(row.ts), flight.abort.signal);
  const milliseconds = Math.round(performance.now() - from);
  if (!flight.released) ctx.metrics.attempted(row, outcome, startedAt, milliseconds);
  return {
    ...claimOf({ row, claimId }),
    delivered: outcome.error === null,
    httpStatus: outcome.httpStatus,
    error: outcome.error,
    url: row.url,
    version: row.version,
    milliseconds,
    startedAt,
    nextAt: ctx.clock.now() + backOffMilliseconds(row.step, ctx.chance()),
  };
}

function claimOf({ row, claimId }: Pick<Flight, "row" | "claimId">) {
  return { accountId: row.account_id, callbackId: row.callback_id, claimId };
}

function finisher(ctx: CallbacksContext, isOver: () => boolean): Batcher<Finish, boolean> {
  return createBatcher<Finish, boolean>({ run: (items) => record(ctx, items, isOver), maxItems: 500, maxInFlight: 2 });
}

// Repeating is safe: what was recorded has no claim any more. Giving up is too: the lease ends.
async function record(ctx: CallbacksContext, finishes: readonly Finish[], isOver: () => boolean): Promise<readonly boolean[]> {
  for (let tried = 1; ; tried++) {
    try {
      const { counted, opened } = await finishCallbacks(ctx.sql, ctx.clock.now(), finishes);
      for (const target of opened) ctx.log.warn({ target }, "a receiver has failed ten times in a row; it is probed once a minute");
      return counted;
    } catch (error) {
      if (tried >= FINISH_RETRIES || isOver()) throw error;
      ctx.log.warn({ err: error, tried }, "the ends of attempts could not be recorded; it is tried again");
      await new Promise((resolve) => setTimeout(resolve, FINISH_RETRY_MILLISECONDS));
    }
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
