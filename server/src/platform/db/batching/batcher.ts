import type { TraceContext } from "../../observability/traces/trace-context.ts";
import { currentTrace, isTracing, traced } from "../../observability/traces/tracer.ts";
import { createFairQueue } from "./fair-queue.ts";
import { createQueueSpeed } from "./queue-speed.ts";

/** Collects single items and processes them in batches. */
export type Batcher<Item, Answer> = {
  readonly submit: (item: Item) => Promise<Answer>;
  /** The number of items that wait or are in flight. */
  readonly load: () => number;
  /** Since when items have waited without any batch finishing; null if nothing waits. */
  readonly stalledSince: () => number | null;
  /** The maximum number of items processed before one that this owner submits now. */
  readonly ahead: (owner: string) => number;
  /** The estimated time until an item that this owner submits now, after `more` others, is answered. */
  readonly waitSeconds: (owner: string, more?: number) => number;
};

export type BatcherOptions<Item, Answer> = {
  /** Returns the answers in the order of the items. A single answer may be a promise that resolves later. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  readonly maxItems: number;
  readonly maxInFlight: number;
  /** After a batch of several items, the next one starts this long after it at the earliest. */
  readonly intervalMilliseconds?: number | undefined;
  /** If more items wait than fit into a batch, owners take turns. Without this function all items have one owner. */
  readonly ownerOf?: ((item: Item) => string) | undefined;
  /** The name of its batches in traces. Without it they have no spans. */
  readonly traceName?: string | undefined;
  /** Called after every batch. */
  readonly observe?: ObserveBatch | undefined;
};

/** Receives the size of a batch, the wait of its first item and its duration. */
export type ObserveBatch = (items: number, waitSeconds: number, runSeconds: number) => void;

// Smaller batches come from a few clients, who send their next requests only after these replies.
const SEVERAL = 4;

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly since: number;
  /** The span in which the item was submitted, if traces are on. */
  readonly trace: TraceContext | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The next batch fills while earlier ones are in flight, until it is as large as those or they finish. So the batch size
 * follows the load: a single request runs at once, and batches grow under load. With an interval, small batches become fewer
 * and larger, which saves their fixed cost; an item waits at most the interval longer.
 */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const waiting = createFairQueue<Waiting<Item, Answer>>();
  const queueSpeed = createQueueSpeed();
  const ownerOf = options.ownerOf ?? (() => "");
  let inFlight = 0;
  let underWay = 0;
  let pausesUntil = 0;
  let scheduled = false;
  let stalledSince: number | null = null;

  function schedule(): void {
    if (scheduled || waiting.size() === 0 || inFlight >= options.maxInFlight) return;
    // The fixed cost of a batch equals that of dozens of items, so the next one waits until it is no smaller.
    if (waiting.size() < underWay) return;
    scheduled = true;
    const pause = pausesUntil - performance.now();
    if (pause > 0) setTimeout(launch, pause);
    // Everything that arrives in this turn of the event loop shares a batch.
    else setImmediate(launch);
  }

  function launch(): void {
    scheduled = false;
    const batch = waiting.take(options.maxItems);
    const finished = queueSpeed.started(batch.length);
    pausesUntil = batch.length >= SEVERAL ? performance.now() + (options.intervalMilliseconds ?? 0) : 0;
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
        waiting.add(ownerOf(item), { item, since: performance.now(), trace: currentTrace(), resolve, reject });
        schedule();
      }),
    stalledSince: () => stalledSince,
    load: () => waiting.size() + underWay,
    ahead: (owner) => waiting.ahead(owner) + underWay,
    waitSeconds: (owner, more = 0) => queueSpeed.secondsFor(waiting.ahead(owner) + more),
  };
}

/** A batch works for many requests, so it is a trace of its own with a link to each of them. */
async function runTraced<Item, Answer>(
  { run }: BatcherOptions<Item, Answer>,
  name: string,
  batch: readonly Waiting<Item, Answer>[],
  items: readonly Item[],
): Promise<readonly (Answer | Promise<Answer>)[]> {
  const links = batch.flatMap(({ trace }) => trace ?? []);
  const attributes = { "db.system.name": "postgresql", "db.operation.batch.size": items.length };
  return await traced({ name, kind: "client", parent: null, links, attributes }, () => run(items));
}

async function answer<Item, Answer>(options: BatcherOptions<Item, Answer>, batch: readonly Waiting<Item, Answer>[]): Promise<void> {
  const startedAt = performance.now();
  try {
    const items = batch.map((one) => one.item);
    const { traceName } = options;
    const answers = traceName === undefined || !isTracing() ? await options.run(items) : await runTraced(options, traceName, batch, items);
    options.observe?.(batch.length, (startedAt - (batch[0]?.since ?? startedAt)) / 1000, (performance.now() - startedAt) / 1000);
    batch.forEach((one, place) => {
      one.resolve(answers[place] as Answer);
    });
  } catch (error) {
    for (const one of batch) one.reject(error);
  }
}
