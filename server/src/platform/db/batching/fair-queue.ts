/** A queue with one line per owner. When not all items fit, the lines take turns, one item each. */
export type FairQueue<Item> = {
  readonly add: (owner: string, item: Item) => void;
  /** Removes at most this many items; each owner's in order of arrival. */
  readonly take: (most: number) => Item[];
  readonly size: () => number;
  /** This owner's oldest item; undefined if none waits. */
  readonly oldest: (owner: string) => Item | undefined;
  /** The maximum number of items taken before one that this owner adds now. */
  readonly ahead: (owner: string) => number;
};

type Line<Item> = { items: (Item | null)[]; next: number };

// Taken items are removed from a line in blocks, so that a line that never empties does not grow.
const MAX_TAKEN_ENTRIES = 512;

function takeNext<Item>(line: Line<Item>): Item {
  const item = line.items[line.next] as Item;
  line.items[line.next++] = null;
  if (line.next >= MAX_TAKEN_ENTRIES && line.next * 2 >= line.items.length) {
    line.items = line.items.slice(line.next);
    line.next = 0;
  }
  return item;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  // In the order of turns.
  let lines = new Map<string, Line<Item>>();
  let size = 0;

  function takeAll(): Item[] {
    const taken: Item[] = [];
    for (const { items, next } of lines.values()) {
      for (let at = next; at < items.length; at++) taken.push(items[at] as Item);
    }
    // Not `clear`: see platform/core/short-lived.ts.
    lines = new Map();
    size = 0;
    return taken;
  }

  function takeInTurn(most: number): Item[] {
    const taken: Item[] = [];
    // Iteration over a Map includes entries added meanwhile, so a line with items left is visited again at the end.
    for (const [owner, line] of lines) {
      if (taken.length === most) break;
      taken.push(takeNext(line));
      lines.delete(owner);
      if (line.next < line.items.length) lines.set(owner, line);
    }
    size -= taken.length;
    return taken;
  }

  return {
    add: (owner, item) => {
      size++;
      const line = lines.get(owner);
      if (line) line.items.push(item);
      else lines.set(owner, { items: [item], next: 0 });
    },
    take: (most) => (size <= most ? takeAll() : takeInTurn(most)),
    size: () => size,
    oldest: (owner) => {
      const line = lines.get(owner);
      return line?.items[line.next] ?? undefined;
    },
    ahead: (owner) => {
      const line = lines.get(owner);
      const own = line ? line.items.length - line.next : 0;
      return Math.min(size, (own + 1) * lines.size);
    },
  };
}
