// The old table of a rehashed or cleared Map or Set refers to the next one, and V8 treats old objects as alive. So entries that
// live for milliseconds would be kept until the next major garbage collection, with all that they refer to
// (docs/decisions/0045-short-lived-entries.md).

/** A set of entries that are added and removed all the time. */
export type ShortLivedSet<Item> = {
  /** Returns the function that removes the item again. */
  readonly add: (item: Item) => () => void;
  readonly items: () => readonly Item[];
  readonly size: () => number;
};

const FREE = Symbol("free");

export function createShortLivedSet<Item>(): ShortLivedSet<Item> {
  const slots: (Item | typeof FREE)[] = [];
  const free: number[] = [];
  return {
    add: (item) => {
      const at = free.pop() ?? slots.length;
      slots[at] = item;
      let isRemoved = false;
      return () => {
        if (isRemoved) return;
        isRemoved = true;
        slots[at] = FREE;
        free.push(at);
      };
    },
    items: () => slots.filter((slot): slot is Item => slot !== FREE),
    size: () => slots.length - free.length,
  };
}

/** A map of entries that are added and removed all the time. */
export type ShortLivedMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  /** Whether there was such an entry. */
  readonly delete: (key: Key) => boolean;
  readonly values: () => readonly Value[];
  readonly size: () => number;
};

export function createShortLivedMap<Key, Value>(): ShortLivedMap<Key, Value> {
  // What an old table still refers to is the holder, which is empty by then.
  const holders = new Map<Key, { value: Value | undefined }>();
  return {
    get: (key) => holders.get(key)?.value,
    set: (key, value) => {
      const holder = holders.get(key);
      if (holder) holder.value = value;
      else holders.set(key, { value });
    },
    delete: (key) => {
      const holder = holders.get(key);
      if (holder === undefined) return false;
      holder.value = undefined;
      return holders.delete(key);
    },
    values: () => [...holders.values()].map((holder) => holder.value as Value),
    size: () => holders.size,
  };
}
