import { randomInt } from "node:crypto";

// The old table of a rehashed or cleared Map or Set refers to the next one, and V8's frequent collections treat old objects as
// alive. So entries that live for milliseconds would be kept until the next major collection, with all that they refer to
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
export type ShortLivedMap<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  /** Whether there was such an entry. */
  readonly delete: (key: string) => boolean;
  /** In the order in which their keys were added. */
  readonly values: () => readonly Value[];
  readonly size: () => number;
};

type Entry<Value> = { readonly key: string; value: Value; readonly rank: number };

const BUCKETS = 1_024;

/** A hash table of arrays, whose slots are used again. */
export function createShortLivedMap<Value>(): ShortLivedMap<Value> {
  const buckets = Array.from({ length: BUCKETS }, (): Entry<Value>[] => []);
  let size = 0;
  let added = 0;
  const bucketOf = (key: string): Entry<Value>[] => buckets[hashOf(key) % BUCKETS] as Entry<Value>[];
  const find = (key: string) => bucketOf(key).find((entry) => entry.key === key);
  return {
    get: (key) => find(key)?.value,
    set: (key, value) => {
      const known = find(key);
      if (known) known.value = value;
      else {
        bucketOf(key).push({ key, value, rank: added++ });
        size++;
      }
    },
    delete: (key) => {
      const bucket = bucketOf(key);
      const at = bucket.findIndex((entry) => entry.key === key);
      const last = at < 0 ? undefined : bucket.pop();
      if (last === undefined) return false;
      if (at < bucket.length) bucket[at] = last;
      size--;
      return true;
    },
    values: () =>
      buckets
        .flat()
        .sort((one, other) => one.rank - other.rank)
        .map((entry) => entry.value),
    size: () => size,
  };
}

// Unknown to clients, whose references are part of the keys, so that they cannot fill one bucket.
const SEED = randomInt(2 ** 32);

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = SEED;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619);
  return (hash ^ (hash >>> 15)) >>> 0;
}
