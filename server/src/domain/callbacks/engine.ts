import type { Batcher } from "../../platform/db/batcher.ts";
import { isLocked } from "../../platform/db/database-errors.ts";
import { createKeyedBatcher } from "../../platform/db/keyed-batcher.ts";
import { attempt, destinationOf, factsOf } from "./attempt.ts";
import { backOffMilliseconds } from "./back-off.ts";
import type { CallbacksContext } from "./context.ts";
import { type Pause, startLoop } from "./loop.ts";
import { createPlaces } from "./places.ts";
import { type ClaimedRow, claimCallbacks, type Finish, finishCallbacks, releaseCallbacks } from "./store.ts";
import { createTraffic, type Flight, flightsThat, isWorthAClaim, roomOf, type Traffic, troubledIn } from "./traffic.ts";

export type Engine = {
  /** There may be something due; calls while it is being looked for are one. */
  readonly wake: () => void;
  readonly inFlight: () => number;
  /** Takes nothing more; ends what is under way, or gives it back when the time is over. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

const POLL_MILLISECONDS = 100;
const MAX_POLL_MILLISECONDS = 1_000;
const MAX_REST_MILLISECONDS = 20;
const SENDS_A_TURN = 16;
const RECORD_MILLISECONDS = 2_000;
const FINISH_RETRIES = 100;
const FINISH_RETRY_MILLISECONDS = 250;

/** What one process does: claim what is due, send it, record how it went. Many of them share one database. */
export function startEngine(ctx: CallbacksContext): Engine {
  const { inFlight } = ctx.limits;
  const traffic = createTraffic();
  const { flights } = traffic;
  const places = createPlaces(inFlight, SENDS_A_TURN);
  let over = false;
  const finishes = finisher(ctx, () => over);
  const loop = startLoop(() => lookForWork(ctx, traffic, launch));

  function look(): void {
    if (isWorthAClaim(traffic, inFlight)) loop.wake();
  }

  function launch(flight: Flight): void {
    const landed = fly(flight).finally(() => {
      flights.delete(flight);
      look();
    });
    flights.set(flight, landed);
  }

  async function fly(flight: Flight): Promise<void> {
    await places.take();
    flight.state = "sending";
    const finish = await sendOnce(ctx, flight).catch((error: unknown) => {
      ctx.log.error({ err: error, callback: flight.row.callback_id }, "an attempt could not be made; it will be repeated");
      return null;
    });
    places.leave();
    flight.state = "answered";
    traffic.unanswered--;
    traffic.isFlowing = true;
    look();
    if (finish !== null && !flight.isReleased) await land(ctx, finish, finishes);
  }

  async function close(graceMilliseconds: number): Promise<void> {
    await loop.stop();
    await giveBack(ctx, flightsThat(traffic, "waiting"));
    await within(graceMilliseconds, Promise.all(flights.values()));
    ctx.sender.callOff();
    await giveBack(ctx, flightsThat(traffic, "sending"));
    // What was answered is on its way into the database.
    await within(RECORD_MILLISECONDS, Promise.all(flights.values()));
    over = true;
  }

  return { wake: loop.wake, inFlight: () => flights.size, close };
}

/** Takes what is due, as far as there is freeSlots; answers when to look again. */
async function lookForWork(ctx: CallbacksContext, traffic: Traffic, launch: (flight: Flight) => void): Promise<Pause> {
  const startedAt = performance.now();
  try {
    await claimSome(ctx, traffic, launch);
  } catch (error) {
    ctx.log.warn({ err: error }, "callbacks could not be claimed; it is tried again");
    return { delay: MAX_POLL_MILLISECONDS, rest: MAX_REST_MILLISECONDS };
  }
  if (traffic.isFull) return { delay: isWorthAClaim(traffic, ctx.limits.inFlight) ? 0 : POLL_MILLISECONDS, rest: 0 };
  const took = performance.now() - startedAt;
  // Where many targets wait, looking is not free: without a call it may take a tenth of the time, not more.
  const delay = Math.min(MAX_POLL_MILLISECONDS, Math.max(POLL_MILLISECONDS, 10 * took));
  return { delay, rest: Math.min(MAX_REST_MILLISECONDS, took) };
}

async function claimSome(ctx: CallbacksContext, traffic: Traffic, launch: (flight: Flight) => void): Promise<void> {
  const { limits } = ctx;
  const freeSlots = roomOf(traffic, limits.inFlight);
  if (freeSlots <= 0) return;
  const freeTroubledSlots = Math.max(0, limits.troubledInFlight - troubledIn(traffic));
  const now = ctx.clock.now();
  const claimedAt = performance.now();
  const claimId = `${ctx.processId}/${ctx.ids.entry(now)}`;
  traffic.isFlowing = false;
  traffic.unanswered += freeSlots;
  let rows: readonly ClaimedRow[] = [];
  try {
    rows = await claimCallbacks(ctx.sql, now, claimId, { ...limits, freeSlots, freeTroubledSlots });
  } finally {
    traffic.unanswered -= freeSlots - rows.length;
    traffic.isFull = rows.length >= freeSlots;
  }
  for (const row of rows) launch({ row, claimId, claimedAt, state: "waiting", isReleased: false });
}

async function land(ctx: CallbacksContext, finish: Finish, finishes: Pick<Batcher<Finish, boolean>, "submit">): Promise<void> {
  try {
    await finishes.submit(finish);
  } catch (error) {
    ctx.log.error({ err: error, callback: finish.callbackId }, "an attempt could not be recorded; it will be repeated");
  }
}

async function giveBack(ctx: CallbacksContext, left: readonly Flight[]): Promise<void> {
  for (const flight of left) flight.isReleased = true;
  if (left.length === 0) return;
  await releaseCallbacks(ctx.sql, ctx.clock.now(), left.map(claimOf)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, "claims could not be given back; they end by themselves"),
  );
}

async function sendOnce(ctx: CallbacksContext, flight: Flight): Promise<Finish | null> {
  const { row } = flight;
  // A process that stood still since: the lease is almost over, and another one may be sending by now.
  if (flight.isReleased || performance.now() - flight.claimedAt > ctx.limits.leaseMilliseconds / 2) return null;
  const startedAt = ctx.clock.now();
  const from = performance.now();
  const outcome = await attempt(ctx, factsOf(row), destinationOf(row), Number(row.ts));
  const milliseconds = Math.round(performance.now() - from);
  if (!flight.isReleased) ctx.metrics.attempted(row, outcome, startedAt, milliseconds);
  return {
    ...claimOf(flight),
    kind: row.kind,
    httpStatus: outcome.httpStatus,
    error: outcome.error,
    url: row.url,
    milliseconds,
    startedAt,
    nextAt: ctx.clock.now() + backOffMilliseconds(row.step, ctx.chance()),
  };
}

function claimOf({ row, claimId }: Flight) {
  return { accountId: row.account_id, callbackId: row.callback_id, claimId };
}

// One batch at a time: what is answered meanwhile goes together.
function finisher(ctx: CallbacksContext, isOver: () => boolean): Pick<Batcher<Finish, boolean>, "submit"> {
  const run = (items: readonly Finish[]) => record(ctx, items, isOver);
  return createKeyedBatcher<Finish, boolean>({
    keyOf: (finish) => finish.accountId,
    run,
    runForOneKey: run,
    // Which rows a finish needs is known to the database only: trying tells.
    findLocked: async () => [],
    patienceMilliseconds: () => ctx.limits.leaseMilliseconds,
    maxItems: 500,
    maxInFlight: 1,
  });
}

// Repeating is safe: what was recorded has no claim any more. Giving up is too: the lease ends.
async function record(ctx: CallbacksContext, finishes: readonly Finish[], isOver: () => boolean): Promise<readonly boolean[]> {
  for (let tried = 1; ; tried++) {
    try {
      const { counted, opened } = await finishCallbacks(ctx.sql, ctx.clock.now(), finishes);
      for (const target of opened) ctx.log.warn({ target }, "a receiver has failed ten times in a row; it is probed once a minute");
      return counted;
    } catch (error) {
      // One account's locked row must not keep those of all others from being recorded.
      if (isLocked(error) || tried >= FINISH_RETRIES || isOver()) throw error;
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
