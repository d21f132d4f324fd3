/** About how many seconds a request of this account would wait in one of the queues that it goes through. */
export type Wait = (accountId: string) => number;

/** Keeps out what would only wait, and shares what there is between accounts. */
export type Congestion = {
  /**
   * Null when the request may enter, which ends with `leave`; else after how many seconds to try again. What it has waited
   * already counts too.
   */
  readonly enter: (accountId: string, method: "GET" | "POST", waitedSeconds?: number) => number | null;
  readonly leave: (accountId: string) => void;
  /** Another queue that requests wait in; those of one method only where one is given. */
  readonly follow: (wait: Wait, method?: "GET" | "POST") => void;
  readonly underWay: () => number;
};

/**
 * A request that has waited and would wait longer than this in all is refused at once: a client that has given up must not
 * find its order made all the same.
 */
const MAX_WAIT_SECONDS = 1;
/** Requests under way in this process, whatever they wait for. */
const MAX_IN_FLIGHT = 10_000;
const MAX_RETRY_SECONDS = 30;

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
      // An account may have as many as there are places left: however many are greedy, another one finds a index.
      if (own >= maxInFlight - underWay) return 1;
      const seconds = waitOf(accountId, method);
      if (waitedSeconds + seconds > MAX_WAIT_SECONDS) return Math.max(1, Math.min(MAX_RETRY_SECONDS, Math.ceil(seconds)));
      byAccount.set(accountId, own + 1);
      underWay++;
      return null;
    },
    leave: (accountId) => {
      const own = byAccount.get(accountId) ?? 0;
      if (own > 1) byAccount.set(accountId, own - 1);
      else byAccount.delete(accountId);
      underWay--;
    },
    follow: (wait, method) => void queues.push({ wait, method }),
    underWay: () => underWay,
  };
}
