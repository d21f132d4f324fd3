import { createFairQueue } from "../../../platform/db/batching/fair-queue.ts";

export type FairSchedulerOptions<Item> = {
  readonly run: (items: readonly Item[]) => void;
  /** Refuses items that arrived while their owner's oldest item had waited too long. */
  readonly shed: (items: readonly Item[]) => void;
  readonly isLate: (oldest: Item) => boolean;
  /** Called only if more items arrive than one turn can run. Items of one owner keep their order. */
  readonly ownerOf: (item: Item) => string;
  readonly now?: () => number;
} & Pick<TurnLimits, "maxItemsNow" | "budgetMilliseconds">;

// Items that run together find their code in the processor's caches. The time is checked after this many.
const STEP_ITEMS = 16;

/**
 * Collects the items of one turn of the event loop and runs them at its end. Excess items wait for later turns, in which
 * owners alternate, so that a client with one request does not wait behind thousands of another. While an owner's backlog
 * is late, its new items are refused, so that those already waiting do not become late too.
 */
export function createFairScheduler<Item>(options: FairSchedulerOptions<Item>): (item: Item) => void {
  const { now = () => performance.now() } = options;
  const backlog = createFairQueue<Item>();
  let arrived: Item[] = [];
  const refused: Item[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    isScheduled = false;
    const items = arrived;
    arrived = [];
    const maxItems = options.maxItemsNow();
    if (backlog.size() === 0 && refused.length === 0 && items.length <= maxItems) options.run(items);
    else runWithinBudget(items);
  }

  function runWithinBudget(items: readonly Item[]): void {
    for (const item of items) enqueue(item);
    const startedAt = now();
    const budget = options.budgetMilliseconds(items.length);
    while (backlog.size() > 0) {
      options.run(backlog.take(STEP_ITEMS));
      if (now() - startedAt > budget / 2) break;
    }
    while (refused.length > 0) {
      options.shed(refused.splice(0, STEP_ITEMS));
      if (now() - startedAt > budget) break;
    }
    if (backlog.size() > 0 || refused.length > 0) schedule();
  }

  function enqueue(item: Item): void {
    const owner = options.ownerOf(item);
    const oldest = backlog.oldest(owner);
    if (oldest !== undefined && options.isLate(oldest)) refused.push(item);
    else backlog.add(owner, item);
  }

  return (item) => {
    arrived.push(item);
    schedule();
  };
}

// Some milliseconds of work per turn of the event loop, so that the database's answers are read in between.
const MAX_ITEMS_PER_TURN = 256;
// Node accepts one connection per turn. Turns stay short while more may be waiting, or a health check waits for seconds.
const MAX_ITEMS_WHILE_ACCEPTING = 4;
const TURN_MILLISECONDS = 20;
const ACCEPTING_MILLISECONDS = 1;
const READ_MILLISECONDS = 0.02;

/** How much work one turn of the event loop does. */
export type TurnLimits = {
  /** Says that this turn accepted a connection. */
  readonly noteAccepted: () => void;
  /** The number of items that a turn runs without checking the time. */
  readonly maxItemsNow: () => number;
  /** How long a turn may take if more items have arrived. Half of it is for refusals. */
  readonly budgetMilliseconds: (arrived: number) => number;
};

/** Limits that keep turns short while connections are being accepted. */
export function createTurnLimits(): TurnLimits {
  let hasAccepted = false;
  let isAccepting = false;
  return {
    noteAccepted: () => {
      hasAccepted = true;
    },
    maxItemsNow: () => {
      isAccepting = hasAccepted;
      hasAccepted = false;
      return isAccepting ? MAX_ITEMS_WHILE_ACCEPTING : MAX_ITEMS_PER_TURN;
    },
    // Reading the arrived bytes also took time. The work may take as long as that.
    budgetMilliseconds: (arrived) => (isAccepting ? Math.max(ACCEPTING_MILLISECONDS, arrived * READ_MILLISECONDS) : TURN_MILLISECONDS),
  };
}
