/** How fast a queue moves, learned from the batches that went through it. */
export type QueueSpeed = {
  /** Something was added to an empty queue with nothing under way. */
  readonly resumed: () => void;
  /** A batch of so many left the queue; what it answers is to be called when the batch is through. */
  readonly started: (items: number) => () => void;
  /** How long so many items take from now on, what is under way included. */
  readonly secondsFor: (items: number) => number;
};

// A small batch costs nearly as much as a large one and says nothing about how fast a long queue moves.
const SIGNIFICANT_ITEMS = 50;
// How much of what was known stays with each batch. Sums, because two batches may be through in the same moment.
const DECAY = 0.85;
// Until something is known; the first large batch outweighs it.
const INITIAL = { items: 100, seconds: 0.04 };
// A queue that has not moved for this long is taken to stand still.
const STALLED_SECONDS = 2;

export function createQueueSpeed(now: () => number = () => performance.now()): QueueSpeed {
  const measured = { ...INITIAL };
  let [inFlight, underWay] = [0, 0];
  let movedAt = now();

  function finished(items: number): void {
    const at = now();
    inFlight--;
    underWay -= items;
    // From batch to batch, not from start to end: batches overlap, and what keeps the process from starting the next one
    // makes the queue as slow as a slow database does.
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
