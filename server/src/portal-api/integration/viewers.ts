const MOST_PER_ACCOUNT = 10;

/** Who watches something live, in this process. */
export type Viewers = {
  readonly hasRoom: (accountId: string) => boolean;
  /** Counts the viewer until they have left, or there is nothing more to see. */
  readonly watch: <Item>(accountId: string, left: AbortSignal, items: AsyncIterable<Item>) => AsyncIterable<Item>;
};

export function openViewers(): Viewers {
  const watching = new Map<string, Set<object>>();

  function enter(accountId: string, left: AbortSignal): () => void {
    const viewer = {};
    const all = watching.get(accountId) ?? new Set();
    watching.set(accountId, all.add(viewer));
    const leave = () => {
      all.delete(viewer);
      if (all.size === 0) watching.delete(accountId);
    };
    left.addEventListener("abort", leave, { once: true });
    if (left.aborted) leave();
    return leave;
  }

  return {
    hasRoom: (accountId) => (watching.get(accountId)?.size ?? 0) < MOST_PER_ACCOUNT,
    watch: (accountId, left, items) => counted(items, enter(accountId, left)),
  };
}

async function* counted<Item>(items: AsyncIterable<Item>, leave: () => void): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    leave();
  }
}
