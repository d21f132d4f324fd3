import { createFairQueue } from "../db/fair-queue.ts";

export type TurnOptions<Item> = {
  readonly run: (items: readonly Item[]) => void;
  /** How many items this turn of the event loop may take. */
  readonly mostNow: () => number;
  /** Asked only when more have come than one turn may take. Items of one owner keep their order. */
  readonly ownerOf: (item: Item) => string;
};

/**
 * Collects what comes in one turn of the event loop and runs it at the end of the turn, at most `mostNow` items. The rest
 * waits for the next turns, in which the owners alternate: a client with one request does not wait behind another's thousands.
 */
export function fairTurns<Item>({ run, mostNow, ownerOf }: TurnOptions<Item>): (item: Item) => void {
  const backlog = createFairQueue<Item>();
  let arrived: Item[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    isScheduled = false;
    const items = take(mostNow());
    if (backlog.size() > 0) schedule();
    run(items);
  }

  function take(most: number): readonly Item[] {
    const items = arrived;
    arrived = [];
    if (backlog.size() === 0 && items.length <= most) return items;
    for (const item of items) backlog.add(ownerOf(item), item);
    return backlog.take(most);
  }

  return (item) => {
    arrived.push(item);
    schedule();
  };
}
