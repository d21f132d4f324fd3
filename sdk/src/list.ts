import type { Calls, QueryInput } from "./calls.js";
import { fromWire } from "./codec.js";
import { NoAnswerError } from "./errors.js";
import type { CallOptions } from "./settings.js";

export type Page<Item> = {
  readonly items: readonly Item[];
  /** Give it to `page` for the next one; null on the last. */
  readonly next: string | null;
};

/** What every list takes: how many items one page holds, 1 to 200. */
export type ListOptions = CallOptions & { readonly pageSize?: number | undefined };

/** A list that is fetched page by page while it is walked: `for await (const item of list)`. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #fetch: (after: string | undefined) => Promise<Page<Item>>;

  constructor(calls: Calls, path: string, query: QueryInput, options: ListOptions = {}) {
    this.#fetch = async (after) => {
      const reply = await calls.get(path, { ...query, limit: options.pageSize, after }, options);
      return readPage<Item>(reply.body, path);
    };
  }

  /** One page: the first, or the page after the given cursor. */
  async page(after?: string): Promise<Page<Item>> {
    return await this.#fetch(after);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page = await this.#fetch(undefined);
    for (;;) {
      yield* page.items;
      if (page.next === null) return;
      page = await this.#fetch(page.next);
    }
  }

  /** All items, or the first `most`. */
  async toArray(most = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= most) break;
    }
    return items;
  }
}

function readPage<Item>(body: Readonly<Record<string, unknown>>, path: string): Page<Item> {
  const { items, next } = body;
  if (!Array.isArray(items)) throw new NoAnswerError(`GET ${path} got a reply that is no list.`, "unreadable");
  return { items: fromWire(items) as readonly Item[], next: typeof next === "string" ? next : null };
}
