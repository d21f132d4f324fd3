import { createFairQueue } from "./fair-queue.ts";
import { createQueueSpeed } from "./queue-speed.ts";

/** What is asked one at a time and answered many at a time. */
export type Batcher<Item, Answer> = {
  readonly submit: (item: Item) => Promise<Answer>;
  /** How many wait or are under way. */
  readonly load: () => number;
  /** Since when something has waited without any batch being answered; null when nothing waits. */
  readonly stalledSince: () => number | null;
  /** At most how many are answered before one that this owner submits now. */
  readonly ahead: (owner: string) => number;
  /** About how long an item that this owner submits now will take, or would after so many more. */
  readonly waitSeconds: (owner: string, more?: number) => number;
};

export type BatcherOptions<Item, Answer> = {
  /** Answers in the order of the items; the answer to one of them may come later than the others. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  readonly maxItems: number;
  readonly maxInFlight: number;
  /** When more wait than a batch holds, owners take turns. Without it, everything is one owner's. */
  readonly ownerOf?: ((item: Item) => string) | undefined;
  /** Told of every batch when it is through. */
  readonly observe?: ObserveBatch | undefined;
};

/** How many it held, how long the first of them had waited, and how long it took. */
export type ObserveBatch = (items: number, waitSeconds: number, runSeconds: number) => void;

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The next batch fills while the ones before it are in flight, until as many wait as are under way or those are
 * answered. So its size follows the load and no timer is needed: alone, a request leaves at once; under load, batches grow.
 */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const waiting = createFairQueue<Waiting<Item, Answer>>();
  const queueSpeed = createQueueSpeed();
  const ownerOf = options.ownerOf ?? (() => "");
  let inFlight = 0;
  let underWay = 0;
  let scheduled = false;
  let stalledSince: number | null = null;

  function schedule(): void {
    if (scheduled || waiting.size() === 0 || inFlight >= options.maxInFlight) return;
    // A batch costs the database as much as dozens of its items: the next one waits until it is no smaller.
    if (waiting.size() < underWay) return;
    scheduled = true;
    // Everything that arrived in this turn of the event loop goes together.
    setImmediate(launch);
  }

  function launch(): void {
    scheduled = false;
    const batch = waiting.take(options.maxItems);
    const finished = queueSpeed.started(batch.length);
    inFlight++;
    underWay += batch.length;
    stalledSince ??= batch[0]?.since ?? null;
    void answer(options, batch).finally(() => {
      finished();
      inFlight--;
      stalledSince = inFlight > 0 || waiting.size() > 0 ? performance.now() : null;
      underWay -= batch.length;
      schedule();
    });
    schedule();
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.size() === 0 && inFlight === 0) queueSpeed.resumed();
        waiting.add(ownerOf(item), { item, since: performance.now(), resolve, reject });
        schedule();
      }),
    stalledSince: () => stalledSince,
    load: () => waiting.size() + underWay,
    ahead: (owner) => waiting.ahead(owner) + underWay,
    waitSeconds: (owner, more = 0) => queueSpeed.secondsFor(waiting.ahead(owner) + more),
  };
}

async function answer<Item, Answer>(options: BatcherOptions<Item, Answer>, batch: readonly Waiting<Item, Answer>[]): Promise<void> {
  const startedAt = performance.now();
  try {
    const answers = await options.run(batch.map((one) => one.item));
    options.observe?.(batch.length, (startedAt - (batch[0]?.since ?? startedAt)) / 1000, (performance.now() - startedAt) / 1000);
    batch.forEach((one, place) => {
      one.resolve(answers[place] as Answer);
    });
  } catch (error) {
    for (const one of batch) one.reject(error);
  }
}
