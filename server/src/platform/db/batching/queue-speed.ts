/** Estimates how fast a queue moves, from the batches it has processed. */
export type QueueSpeed = {
  /** Must be called when an item is added to an idle queue. */
  readonly resumed: () => void;
  /** Must be called when a batch starts. The returned function must be called when the batch has finished. */
  readonly started: (items: number) => () => void;
  /** The estimated time for this many items, including the items in flight. */
  readonly secondsFor: (items: number) => number;
};

// Smaller batches are ignored: they take nearly as long as large ones and say nothing about a long queue.
const SIGNIFICANT_ITEMS = 50;
// The weight of earlier measurements. Sums are kept instead of rates, because two batches may finish at the same time.
const DECAY = 0.85;
// The estimate before the first large batch, which outweighs it.
const INITIAL = { items: 100, seconds: 0.04 };
// A queue that has not moved for this long is stalled.
const STALLED_SECONDS = 2;

export function createQueueSpeed(now: () => number = () => performance.now()): QueueSpeed {
  const measured = { ...INITIAL };
  let [inFlight, underWay] = [0, 0];
  let movedAt = now();

  function finished(items: number): void {
    const at = now();
    inFlight--;
    underWay -= items;
    // Measured from the end of one batch to the end of the next, because batches overlap and because a delay in starting
    // the next batch slows the queue as much as a slow database.
    const seconds = (at - movedAt) / 1000;
    movedAt = at;
    if (items < SIGNIFICANT_ITEMS) return;
    measured.items = DECAY * measured.items + items;
    measured.seconds = DECAY * measured.seconds + seconds;
  }

  return {
    resumed: () => {
      movedAt = now();
    },
    started: (items) => {
      inFlight++;
      underWay += items;
      return () => finished(items);
    },
    secondsFor: (items) => {
      const stalledFor = inFlight === 0 ? 0 : (now() - movedAt) / 1000;
      return Math.max(((items + underWay) * measured.seconds) / measured.items, stalledFor >= STALLED_SECONDS ? stalledFor : 0);
    },
  };
}
