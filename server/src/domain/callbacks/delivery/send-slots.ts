export type SendSlots = {
  /** Resolves when a slot is free, in the order of the calls. */
  readonly acquire: () => Promise<void>;
  readonly release: () => void;
};

/** Limits concurrent sends, and the sends started in one turn of the event loop, so that other work is not delayed. */
export function createSendSlots(count: number, perTurn: number): SendSlots {
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
    acquire: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        schedule();
      }),
    release: () => {
      free++;
      schedule();
    },
  };
}
