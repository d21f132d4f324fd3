import type { Batcher } from "../../../platform/db/batching/batcher.ts";
import { createKeyedBatcher } from "../../../platform/db/batching/keyed-batcher.ts";
import { isLocked } from "../../../platform/db/database-errors.ts";
import { attempt, destinationOf, factsOf } from "./attempt.ts";
import { backOffMilliseconds } from "./back-off.ts";
import {
  type ClaimedCallback,
  type Claims,
  claimedIn,
  countTroubled,
  createClaims,
  freeSlotsOf,
  shouldClaim,
} from "./claimed-callbacks.ts";
import type { CallbacksContext } from "./context.ts";
import { type Pause, startLoop } from "./loop.ts";
import { createSendSlots } from "./send-slots.ts";
import { type ClaimedRow, claimCallbacks, type Finish, finishCallbacks, releaseCallbacks } from "./store.ts";

export type Engine = {
  /** Announces that a callback may be due. Calls during a search for due callbacks are merged into one. */
  readonly wake: () => void;
  readonly inFlight: () => number;
  /** Claims nothing more, waits for current attempts, and releases the unfinished ones when the time is over. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

const POLL_MILLISECONDS = 100;
// What this process writes wakes the engine, so an idle one only looks for retries and for callbacks of dead processes.
const IDLE_POLL_MILLISECONDS = 400;
const IDLE_AFTER_CLAIMS = 20;
// While the process is quiet, the check for due work makes it active, which wakes the engine.
const QUIET_POLL_MILLISECONDS = 60_000;
const MAX_POLL_MILLISECONDS = 1_000;
const MAX_REST_MILLISECONDS = 20;
const SENDS_A_TURN = 16;
const RECORD_MILLISECONDS = 2_000;
const FINISH_RETRIES = 100;
const FINISH_RETRY_MILLISECONDS = 250;

/** Starts the delivery loop of one process: claim due callbacks, send them, record the results. */
export function startEngine(ctx: CallbacksContext): Engine {
  const { inFlight } = ctx.limits;
  const claims = createClaims();
  const { deliveries } = claims;
  const slots = createSendSlots(inFlight, SENDS_A_TURN);
  let isOver = false;
  const finishes = createResultRecorder(ctx, () => isOver);
  const loop = startLoop(() => claimDue(ctx, claims, startDelivery));
  const unsubscribe = ctx.activity.onChange((isQuiet) => {
    if (!isQuiet) loop.wake();
  });

  function claimIfFree(): void {
    if (shouldClaim(claims, inFlight)) loop.wake();
  }

  function startDelivery(claimed: ClaimedCallback): void {
    const finished = deliver(claimed).finally(() => {
      deliveries.delete(claimed);
      claimIfFree();
    });
    deliveries.set(claimed, finished);
  }

  async function deliver(claimed: ClaimedCallback): Promise<void> {
    await slots.acquire();
    claimed.state = "sending";
    const finish = await sendOnce(ctx, claimed).catch((error: unknown) => {
      ctx.log.error({ err: error, callback: claimed.row.callback_id }, "callback attempt failed to start; will retry");
      return null;
    });
    slots.release();
    claimed.state = "answered";
    claims.unanswered--;
    claims.hasNewAnswer = true;
    claimIfFree();
    if (finish !== null && !claimed.isReleased) await recordResult(ctx, finish, finishes);
  }

  async function close(graceMilliseconds: number): Promise<void> {
    unsubscribe();
    await loop.stop();
    await releaseClaimed(ctx, claimedIn(claims, "waiting"));
    await waitAtMost(graceMilliseconds, Promise.all(deliveries.values()));
    ctx.sender.cancel();
    await releaseClaimed(ctx, claimedIn(claims, "sending"));
    // Results of answered attempts are still being written to the database.
    await waitAtMost(RECORD_MILLISECONDS, Promise.all(deliveries.values()));
    isOver = true;
  }

  return { wake: loop.wake, inFlight: () => deliveries.size, close };
}

/** Claims due callbacks as far as there are free slots. Returns when to run again. */
async function claimDue(ctx: CallbacksContext, claims: Claims, startDelivery: (claimed: ClaimedCallback) => void): Promise<Pause> {
  const startedAt = performance.now();
  try {
    await claimSome(ctx, claims, startDelivery);
  } catch (error) {
    ctx.log.warn({ err: error }, "claiming callbacks failed; will retry");
    return { delayMilliseconds: MAX_POLL_MILLISECONDS, restMilliseconds: MAX_REST_MILLISECONDS };
  }
  if (claims.isFull) return { delayMilliseconds: shouldClaim(claims, ctx.limits.inFlight) ? 0 : POLL_MILLISECONDS, restMilliseconds: 0 };
  const tookMilliseconds = performance.now() - startedAt;
  if (claims.emptyClaims > 0 && ctx.activity.isQuiet()) return { delayMilliseconds: QUIET_POLL_MILLISECONDS, restMilliseconds: 0 };
  // With many waiting targets a search is expensive, so polling may take a tenth of the time at most.
  const usualMilliseconds = claims.emptyClaims > IDLE_AFTER_CLAIMS ? IDLE_POLL_MILLISECONDS : POLL_MILLISECONDS;
  const delayMilliseconds = Math.min(MAX_POLL_MILLISECONDS, Math.max(usualMilliseconds, 10 * tookMilliseconds));
  return { delayMilliseconds, restMilliseconds: Math.min(MAX_REST_MILLISECONDS, tookMilliseconds) };
}

async function claimSome(ctx: CallbacksContext, claims: Claims, startDelivery: (claimed: ClaimedCallback) => void): Promise<void> {
  const { limits } = ctx;
  const freeSlots = freeSlotsOf(claims, limits.inFlight);
  if (freeSlots <= 0) return;
  const freeTroubledSlots = Math.max(0, limits.troubledInFlight - countTroubled(claims));
  const now = ctx.clock.now();
  const claimedAt = performance.now();
  const claimId = `${ctx.processId}/${ctx.ids.entry(now)}`;
  claims.hasNewAnswer = false;
  claims.unanswered += freeSlots;
  let rows: readonly ClaimedRow[] = [];
  try {
    rows = await claimCallbacks(ctx.sql, now, claimId, { ...limits, freeSlots, freeTroubledSlots });
  } finally {
    claims.unanswered -= freeSlots - rows.length;
    claims.isFull = rows.length >= freeSlots;
    claims.emptyClaims = rows.length === 0 ? claims.emptyClaims + 1 : 0;
  }
  for (const row of rows) startDelivery({ row, claimId, claimedAt, state: "waiting", isReleased: false });
}

async function recordResult(ctx: CallbacksContext, finish: Finish, finishes: Pick<Batcher<Finish, boolean>, "submit">): Promise<void> {
  try {
    await finishes.submit(finish);
  } catch (error) {
    ctx.log.error({ err: error, callback: finish.callbackId }, "recording a callback attempt failed; the attempt will be repeated");
  }
}

async function releaseClaimed(ctx: CallbacksContext, left: readonly ClaimedCallback[]): Promise<void> {
  for (const claimed of left) claimed.isReleased = true;
  if (left.length === 0) return;
  await releaseCallbacks(ctx.sql, ctx.clock.now(), left.map(claimOf)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, "releasing callback claims failed; their leases will expire"),
  );
}

async function sendOnce(ctx: CallbacksContext, claimed: ClaimedCallback): Promise<Finish | null> {
  const { row } = claimed;
  // If the process was suspended, the lease has almost expired and another process may be sending by now.
  if (claimed.isReleased || performance.now() - claimed.claimedAt > ctx.limits.leaseMilliseconds / 2) return null;
  const startedAt = ctx.clock.now();
  const from = performance.now();
  const outcome = await attempt(ctx, factsOf(row), destinationOf(row), Number(row.ts));
  const milliseconds = Math.round(performance.now() - from);
  if (!claimed.isReleased) ctx.metrics.attempted(row, outcome, startedAt, milliseconds);
  return {
    ...claimOf(claimed),
    kind: row.kind,
    httpStatus: outcome.httpStatus,
    error: outcome.error,
    reply: outcome.reply,
    url: row.url,
    milliseconds,
    startedAt,
    nextAt: ctx.clock.now() + backOffMilliseconds(row.retry_step, ctx.chance()),
  };
}

function claimOf({ row, claimId }: ClaimedCallback) {
  return { accountId: row.account_id, callbackId: row.callback_id, claimId };
}

// One batch at a time: results that arrive meanwhile form the next batch.
function createResultRecorder(ctx: CallbacksContext, isOver: () => boolean): Pick<Batcher<Finish, boolean>, "submit"> {
  const run = (items: readonly Finish[]) => record(ctx, items, isOver);
  return createKeyedBatcher<Finish, boolean>({
    keyOf: (finish) => finish.accountId,
    run,
    runForOneKey: run,
    // Only the database knows which rows a result needs, so a lock is found by trying.
    findLocked: async () => [],
    patienceMilliseconds: () => ctx.limits.leaseMilliseconds,
    maxItems: 500,
    maxInFlight: 1,
  });
}

// Repeating is safe, because a recorded attempt has no claim any more. Giving up is safe, because the lease expires.
async function record(ctx: CallbacksContext, finishes: readonly Finish[], isOver: () => boolean): Promise<readonly boolean[]> {
  for (let tried = 1; ; tried++) {
    try {
      const { counted, opened } = await finishCallbacks(ctx.sql, ctx.clock.now(), finishes);
      for (const target of opened) ctx.log.warn({ target }, "receiver failed ten times in a row; probing it once a minute");
      return counted;
    } catch (error) {
      // One account's locked row must not delay the results of all other accounts.
      if (isLocked(error) || tried >= FINISH_RETRIES || isOver()) throw error;
      ctx.log.warn({ err: error, tried }, "recording callback attempts failed; will retry");
      await new Promise((resolve) => setTimeout(resolve, FINISH_RETRY_MILLISECONDS));
    }
  }
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
