export type ViewerLimits = {
  /** Of one name: an account, a person. */
  readonly each: number;
  readonly all: number;
};

/** Who watches something live, in this process. */
export type Viewers = {
  readonly hasRoom: (name: string) => boolean;
  /** Counts the viewer until they have left, or there is nothing more to see. */
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
    hasRoom: (name) => total < all && (watching.get(name)?.size ?? 0) < each,
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
