import { setImmediate as turn } from "node:timers/promises";

// A chunk of billers takes about five milliseconds to check.
const CHUNK = 250;

/** Converts a long list without blocking other requests: between chunks the event loop does other work. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  convert: (chunk: readonly Item[]) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    if (at > 0) await turn();
    results.push(convert(items.slice(at, at + CHUNK)));
  }
  return results;
}
