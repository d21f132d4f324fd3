import type { StateStore } from "../plugin.ts";
import type { Mask } from "./mask.ts";
import { runOutside } from "./running.ts";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
export const MOST_STATE_NAMES = 32;
const LONGEST_VALUE = 4096;
const MOST_WAITING = 200;

/** The store as a plug-in sees it: names and sizes are checked, calls run one after the other, values are masked from then on. */
export function createBoundedStore(store: StateStore, mask: Mask): StateStore {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  async function inTurn<Value>(name: unknown, work: (name: string) => Promise<Value>): Promise<Value> {
    if (typeof name !== "string" || !NAME.test(name)) throw new Error("A name in the store has 1 to 64 letters, digits, ., _ or -.");
    if (waiting >= MOST_WAITING) throw new Error(`${MOST_WAITING} calls of the store are waiting.`);
    waiting++;
    const mine = runOutside(() => last.then(() => work(name)));
    last = mine.catch(() => {});
    return await mine.finally(() => waiting--);
  }
  return {
    get: (name) =>
      inTurn(name, async (checked) => {
        const value = await store.get(checked);
        if (value !== null) mask.add(value);
        return value;
      }),
    set: (name, value) =>
      inTurn(name, async (checked) => {
        if (typeof value !== "string" || value.length > LONGEST_VALUE)
          throw new Error(`A value in the store is a text of at most ${LONGEST_VALUE} characters.`);
        mask.add(value);
        await store.set(checked, value);
      }),
    delete: (name) => inTurn(name, (checked) => store.delete(checked)),
  };
}
