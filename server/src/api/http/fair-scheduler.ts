import { createFairQueue } from "../../platform/db/fair-queue.ts";

export type FairSchedulerOptions<Item> = {
  readonly run: (items: readonly Item[]) => void;
  /** Refuses items that came while the oldest of their owner had waited too long. */
  readonly shed: (items: readonly Item[]) => void;
  readonly isLate: (oldest: Item) => boolean;
  /** Asked only when more have come than one turn takes. Items of one owner keep their order. */
  readonly ownerOf: (item: Item) => string;
  /** How many items a turn takes without looking at the time. */
  readonly maxItemsNow: () => number;
  /** How long a turn may take when more have come; half of it is for refusing. */
  readonly budgetMilliseconds: (arrived: number) => number;
  readonly now?: () => number;
};

// Items run batchPerTurn find their code in the processor's caches; after so many the time is looked at.
const STEP_ITEMS = 16;

/**
 * Collects what comes in one turn of the event loop and runs it at the end of the turn. What is too much for a turn waits
 * for the next ones, in which the owners alternate: a client with one request does not wait behind another's thousands.
 * An owner whose backlog is late gets no more in, so that what is in it does not become late as well.
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
