import type { Reply } from "./replies.ts";

// Contract, section 9b: clients are answered within ten seconds. The rest is for a busy machine.
const LIMIT_MILLISECONDS = 9_000;
const RECHECK_MILLISECONDS = 250;
// Node keeps one list of timers for each duration, so durations are rounded.
const STEP_MILLISECONDS = 100;

export type TimeLimit = {
  /** When the request arrived, in monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly isDatabaseAway: () => boolean;
  /** The reply that is sent instead. */
  readonly createBusy: () => Reply;
};

/**
 * Waits for a reply, but not longer than the limit while the database is unavailable. A provider may take longer than that.
 * A reply that comes after the limit is not sent, and its order counts as not answered.
 */
export function replyInTime(reply: Promise<Reply>, { arrivedAt, isDatabaseAway, createBusy }: TimeLimit): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const check = () => {
      isGivenUp = isDatabaseAway();
      if (isGivenUp) resolve(createBusy());
      else timer = setTimeout(check, RECHECK_MILLISECONDS);
    };
    let timer = setTimeout(check, remainingMilliseconds(arrivedAt));
    reply.then((made) => (isGivenUp ? made.onSent?.(false) : resolve(made)), reject).then(() => clearTimeout(timer));
  });
}

function remainingMilliseconds(arrivedAt: number): number {
  const waited = performance.now() - arrivedAt;
  return Math.max(0, LIMIT_MILLISECONDS - Math.floor(waited / STEP_MILLISECONDS) * STEP_MILLISECONDS);
}
