export type ViewerLimits = {
  /** Maximum per name (an account or a person). */
  readonly each: number;
  readonly all: number;
};

/** Counts the live views of this process. */
export type Viewers = {
  readonly isBelowLimit: (name: string) => boolean;
  /** Counts a live view until the viewer disconnects or the items end. */
  readonly watch: <Item>(name: string, left: AbortSignal, items: AsyncIterable<Item>) => AsyncIterable<Item>;
};

export function createViewers({ each, all }: ViewerLimits): Viewers {
  const watching = new Map<string, Set<object>>();
  let total = 0;

  function enter(name: string, left: AbortSignal): () => void {
    const viewer = {};
    const same = watching.get(name) ?? new Set();
    watching.set(name, same.add(viewer));
    total += 1;
    const leave = () => {
      if (!same.delete(viewer)) return;
      total -= 1;
      if (same.size === 0) watching.delete(name);
    };
    left.addEventListener("abort", leave, { once: true });
    if (left.aborted) leave();
    return leave;
  }

  return {
    isBelowLimit: (name) => total < all && (watching.get(name)?.size ?? 0) < each,
    watch: (name, left, items) => counted(items, enter(name, left)),
  };
}

async function* counted<Item>(items: AsyncIterable<Item>, leave: () => void): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    leave();
  }
}
