import { expect, test } from "vitest";
import { shareReading } from "./share-reading.ts";

const quick = { everyMilliseconds: 1, restFactor: 0 } as const;

/** A reading that counts how often it was made, and how many were under way at once. */
function counter() {
  const seen = { readings: 0, atOnce: 0, most: 0 };
  const read = async () => {
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    seen.atOnce -= 1;
    seen.readings += 1;
    return seen.readings;
  };
  return { seen, read };
}

async function take<Value>(items: AsyncIterable<Value>, count: number): Promise<Value[]> {
  const taken: Value[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

test("a hundred who ask at once are answered by one reading", async () => {
  const { seen, read } = counter();
  const shared = shareReading({ read, onError: () => {} });
  const answers = await Promise.all(Array.from({ length: 100 }, () => shared.read()));
  expect(new Set(answers)).toEqual(new Set([1]));
  expect(seen.readings).toBe(1);
});

test("however many watch, one reading is under way and all of them see it", async () => {
  const { seen, read } = counter();
  const shared = shareReading({ read, onError: () => {}, ...quick });
  const views = await Promise.all(Array.from({ length: 50 }, () => take(shared.watch(new AbortController().signal), 5)));
  expect(seen.most).toBe(1);
  for (const view of views) expect(view).toEqual([...new Set(view)].sort((one, other) => one - other));
  expect(seen.readings).toBeLessThan(50);
  shared.close();
});

test("nothing is read while there is no viewer", async () => {
  const { seen, read } = counter();
  const shared = shareReading({ read, onError: () => {}, ...quick });
  const left = new AbortController();
  await take(shared.watch(left.signal), 2);
  left.abort();
  await expect.poll(() => seen.atOnce).toBe(0);
  // One more turn may have begun before it was known that nobody is left.
  const after = seen.readings;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(seen.readings - after).toBeLessThanOrEqual(1);
});

test("a failed reading is not sent to viewers, and the next one is", async () => {
  const { read } = counter();
  const errors: unknown[] = [];
  let fails = 3;
  const shared = shareReading({
    read: async () => {
      if (fails-- > 0) throw new Error("no database");
      return await read();
    },
    onError: (error) => errors.push(error),
    ...quick,
  });
  expect(await take(shared.watch(new AbortController().signal), 1)).toEqual([1]);
  expect(errors).toHaveLength(3);
  shared.close();
});

test("a viewer who leaves gets nothing more, and closing ends every view", async () => {
  const { read } = counter();
  const shared = shareReading({ read, onError: () => {}, everyMilliseconds: 60_000 });
  const left = new AbortController();
  const [leaving, staying] = [take(shared.watch(left.signal), 100), take(shared.watch(new AbortController().signal), 100)];
  await expect.poll(() => shared.read()).toBe(1);
  left.abort();
  expect((await leaving).length).toBeLessThanOrEqual(2);
  shared.close();
  expect((await staying).length).toBeLessThanOrEqual(2);
  expect(await take(shared.watch(new AbortController().signal), 1)).toEqual([]);
});
