import type { OwnFault } from "../connector.ts";
import { onAbort } from "./on-abort.ts";

export type LimitSettings = {
  /** Requests are spaced evenly, so no second has more than this and one. */
  readonly requestsPerSecond?: number;
  /** Requests in flight at once. */
  readonly concurrency?: number;
  /** Transactions that may wait for their turn, and as many queries. */
  readonly maxWaiting?: number;
};

export type TurnRefusal = { readonly why: string; readonly fault: OwnFault };
export type Turn = { readonly ok: true; readonly release: () => void } | ({ readonly ok: false } & TurnRefusal);

export type TurnRequest = {
  /** Transactions go before queries. */
  readonly isQuery: boolean;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
};

/** A turn that is free is given at once, without a promise. */
export type SendLimits = { readonly take: (request: TurnRequest) => Turn | Promise<Turn> };

type Waiting = { readonly resolve: (turn: Turn) => void; readonly cleanUp: () => void };

const MAX_WAITING = 1000;

const FREE: Turn = { ok: true, release: () => {} };
const UNLIMITED: SendLimits = { take: () => FREE };

/** A provider's limits in this process. Whoever gets no turn in time is refused, which proves that nothing was sent. */
export function createSendLimits(settings: LimitSettings): SendLimits {
  const { requestsPerSecond, concurrency = Number.POSITIVE_INFINITY, maxWaiting = MAX_WAITING } = settings;
  if (requestsPerSecond === undefined && settings.concurrency === undefined) return UNLIMITED;
  const spacing = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  const queues: { readonly transactions: Set<Waiting>; readonly queries: Set<Waiting> } = { transactions: new Set(), queries: new Set() };
  let running = 0;
  let nextAt = 0;
  let isTimed = false;

  function grant(): Turn {
    running++;
    nextAt = Math.max(nextAt, performance.now()) + spacing;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      running--;
      advance();
    };
    return { ok: true, release };
  }

  function advance(): void {
    while (running < concurrency) {
      const [waiting] = queues.transactions.size > 0 ? queues.transactions : queues.queries;
      if (!waiting) return;
      const delay = nextAt - performance.now();
      if (delay > 0) {
        wakeAfter(delay);
        return;
      }
      leave(waiting);
      waiting.resolve(grant());
    }
  }

  function wakeAfter(milliseconds: number): void {
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      advance();
    }, Math.ceil(milliseconds));
  }

  function leave(waiting: Waiting): void {
    queues.transactions.delete(waiting);
    queues.queries.delete(waiting);
    waiting.cleanUp();
  }

  function queueUp({ isQuery, milliseconds, signal }: TurnRequest): Promise<Turn> {
    return new Promise((resolve) => {
      const refuse = (why: string, fault: OwnFault) => {
        leave(waiting);
        resolve({ ok: false, why, fault });
      };
      const late = setTimeout(() => refuse(`the provider's limits left no turn within ${milliseconds} ms`, "capacity"), milliseconds);
      const forget = onAbort(signal, () => refuse("the request was aborted", "shutdown"));
      const waiting: Waiting = {
        resolve,
        cleanUp: () => {
          clearTimeout(late);
          forget();
        },
      };
      (isQuery ? queues.queries : queues.transactions).add(waiting);
      advance();
    });
  }

  return {
    take: (request) => {
      const isFree = queues.transactions.size + queues.queries.size === 0 && running < concurrency && nextAt <= performance.now();
      if (isFree) return grant();
      const { size } = request.isQuery ? queues.queries : queues.transactions;
      if (size >= maxWaiting) return { ok: false, why: `${size} requests already wait for the provider's limits`, fault: "capacity" };
      return queueUp(request);
    },
  };
}
