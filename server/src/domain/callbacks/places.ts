export type Places = {
  /** Resolves when there is a free one, first come first served. */
  readonly take: () => Promise<void>;
  readonly leave: () => void;
};

/** So many places, and so many taken in one turn of the event loop: what else the process does comes in between. */
export function createPlaces(count: number, perTurn: number): Places {
  const waiting: (() => void)[] = [];
  let free = count;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || free === 0 || waiting.length === 0) return;
    scheduled = true;
    setImmediate(admit);
  }

  function admit(): void {
    scheduled = false;
    const admitted = waiting.splice(0, Math.min(perTurn, free));
    free -= admitted.length;
    for (const enter of admitted) enter();
    schedule();
  }

  return {
    take: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        schedule();
      }),
    leave: () => {
      free++;
      schedule();
    },
  };
}
