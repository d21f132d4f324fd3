import { createKeyedLimit } from "../../../platform/db/batching/keyed-limit.ts";
import type { ViewerLimits } from "../viewers.ts";

/** What one session or person may have in progress at once in this process. */
export type SessionLimits = {
  /** Requests of a session. Live views and downloads that have begun do not count. */
  readonly requests: number;
  /** How long a request waits for others of its session to finish. */
  readonly waitMilliseconds: number;
  /** Downloads of a person. */
  readonly downloads: ViewerLimits;
};

export const SESSION_LIMITS: SessionLimits = { requests: 16, waitMilliseconds: 10_000, downloads: { each: 3, all: 100 } };

export const TOO_MANY_DOWNLOADS = {
  message: "Too many downloads are open. Wait until one is finished, or cancel one, and try again.",
  retryAfterSeconds: 10,
};
export const TOO_MANY_REQUESTS = {
  message: "Too many requests of your session are in progress. Wait until some are finished, then try again.",
  retryAfterSeconds: 5,
};

/** Runs requests, at most so many of each session at once. One whose turn does not come in time is refused instead. */
export type RunInTurn = <Result>(session: string, run: () => Promise<Result>, refuse: () => Result) => Promise<Result>;

export function createTurns({ requests, waitMilliseconds }: SessionLimits): RunInTurn {
  const limit = createKeyedLimit(requests);
  return async (session, run, refuse) => {
    if (!(await limit.enter(session, waitMilliseconds))) return refuse();
    try {
      return await run();
    } finally {
      limit.leave(session);
    }
  };
}
