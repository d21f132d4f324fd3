/** The estimated seconds that a request of this account would wait in one queue. */
export type Wait = (accountId: string) => number;

/** Refuses requests that would wait too long, and shares the capacity between accounts. */
export type Congestion = {
  /**
   * Null when the request may enter, which ends with `leave`; else after how many seconds to try again. What it has waited
   * already counts too.
   */
  readonly enter: (accountId: string, method: "GET" | "POST", waitedSeconds?: number) => number | null;
  readonly leave: (accountId: string) => void;
  /** Adds a queue that requests wait in, optionally only requests of one method. */
  readonly follow: (wait: Wait, method?: "GET" | "POST") => void;
  readonly underWay: () => number;
};

/**
 * A request that has waited and would wait longer than this in all is refused at once: a client that has given up must not
 * find its order made all the same.
 */
const MAX_WAIT_SECONDS = 1;
/** Maximum number of requests in progress in this process. */
const MAX_IN_FLIGHT = 10_000;
const MAX_RETRY_SECONDS = 30;
// So many accounts keep their entry while they have no request, because entries that come and go keep garbage alive
// (platform/core/short-lived.ts).
const MAX_IDLE_ACCOUNTS = 10_000;

type Queue = { readonly wait: Wait; readonly method: "GET" | "POST" | undefined };

export function createCongestion({ maxInFlight = MAX_IN_FLIGHT }: { readonly maxInFlight?: number } = {}): Congestion {
  const queues: Queue[] = [];
  const byAccount = new Map<string, number>();
  let underWay = 0;

  function waitOf(accountId: string, method: "GET" | "POST"): number {
    let seconds = 0;
    for (const queue of queues) if (queue.method === undefined || queue.method === method) seconds += queue.wait(accountId);
    return seconds;
  }

  return {
    enter: (accountId, method, waitedSeconds = 0) => {
      const own = byAccount.get(accountId) ?? 0;
      // An account may use at most as much as is left, so that another account always finds capacity.
      if (own >= maxInFlight - underWay) return 1;
      const seconds = waitOf(accountId, method);
      if (waitedSeconds + seconds > MAX_WAIT_SECONDS) return Math.max(1, Math.min(MAX_RETRY_SECONDS, Math.ceil(seconds)));
      byAccount.set(accountId, own + 1);
      underWay++;
      return null;
    },
    leave: (accountId) => {
      const own = byAccount.get(accountId) ?? 0;
      if (own > 1 || byAccount.size <= MAX_IDLE_ACCOUNTS) byAccount.set(accountId, Math.max(0, own - 1));
      else byAccount.delete(accountId);
      underWay--;
    },
    follow: (wait, method) => void queues.push({ wait, method }),
    underWay: () => underWay,
  };
}
