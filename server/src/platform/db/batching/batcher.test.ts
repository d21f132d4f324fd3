import { EventEmitter, once } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBatcher } from "./batcher.ts";

type Run = { readonly items: readonly number[]; readonly finish: () => void; readonly fail: (error: Error) => void };

/** A batcher whose batches finish when the test decides. */
function held(maxItems: number, maxInFlight: number, intervalMilliseconds?: number) {
  const runs: Run[] = [];
  const starts = new EventEmitter();
  const batcher = createBatcher<number, string>({
    intervalMilliseconds,
    run: (items) =>
      new Promise((resolve, reject) => {
        starts.emit("start");
        runs.push({ items, finish: () => resolve(items.map((item) => `answer ${item}`)), fail: reject });
      }),
    maxItems,
    maxInFlight,
  });
  return { batcher, runs, starts };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a single item runs at once and gets its answer", async () => {
  const { batcher, runs } = held(10, 1);
  const answer = batcher.submit(7);
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[7]]);
  runs[0]?.finish();
  expect(await answer).toBe("answer 7");
});

test("items that arrive in one turn of the event loop share a batch, and each gets its own answer", async () => {
  const { batcher, runs } = held(10, 1);
  const answers = [1, 2, 3].map(batcher.submit);
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[1, 2, 3]]);
  runs[0]?.finish();
  expect(await Promise.all(answers)).toEqual(["answer 1", "answer 2", "answer 3"]);
});

test("with an interval, a batch of several items is not followed at once, and a single item is", async () => {
  const { batcher, runs, starts } = held(10, 1, 50);
  const startedAt = performance.now();
  const answers = [1, 2, 3, 4].map(batcher.submit);
  await once(starts, "start");
  const next = once(starts, "start");
  runs[0]?.finish();
  await Promise.all(answers);
  const single = batcher.submit(5);
  await next;
  // Timers count whole milliseconds.
  expect(performance.now() - startedAt).toBeGreaterThan(48);
  runs[1]?.finish();
  await single;
  void batcher.submit(6);
  await turn();
  await turn();
  expect(runs[2]?.items).toEqual([6]);
});

test("while the maximum number of batches is in flight, the next one fills in order of arrival", async () => {
  const { batcher, runs } = held(3, 2);
  const answers: Promise<string>[] = [];
  for (let item = 0; item < 9; item++) {
    answers.push(batcher.submit(item));
    await turn();
  }
  expect(runs.map((run) => run.items)).toEqual([[0], [1]]);
  runs[0]?.finish();
  await turn();
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[0], [1], [2, 3, 4]]);
  runs[1]?.finish();
  await turn();
  await turn();
  expect(runs[3]?.items).toEqual([5, 6, 7]);
  runs[2]?.finish();
  runs[3]?.finish();
  await turn();
  await turn();
  expect(runs[4]?.items).toEqual([8]);
  for (const run of runs) run.finish();
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 9 }, (_, item) => `answer ${item}`));
});

test("a second batch starts when it is as large as the one in flight, or when that one finishes", async () => {
  const { batcher, runs } = held(10, 2);
  const answers = [1, 2, 3].map(batcher.submit);
  await turn();
  answers.push(batcher.submit(4), batcher.submit(5));
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[1, 2, 3]]);
  answers.push(batcher.submit(6));
  await turn();
  expect(runs.map((run) => run.items)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  answers.push(batcher.submit(7));
  runs[0]?.finish();
  await turn();
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.finish();
  await turn();
  await turn();
  expect(runs[2]?.items).toEqual([7]);
  runs[2]?.finish();
  await Promise.all(answers);
});

test("a failed batch fails each of its items, and the next batch runs", async () => {
  const { batcher, runs } = held(2, 1);
  const results = Promise.allSettled([1, 2, 3].map(batcher.submit));
  await turn();
  runs[0]?.fail(new Error("the database is gone"));
  await turn();
  await turn();
  runs[1]?.finish();
  expect((await results).map((result) => result.status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(batcher.load()).toBe(0);
});

test("a run that throws synchronously is a failed batch", async () => {
  const batcher = createBatcher<number, number>({
    run: () => {
      throw new Error("at once");
    },
    maxItems: 5,
    maxInFlight: 1,
  });
  await expect(batcher.submit(1)).rejects.toThrow("at once");
  await expect(batcher.submit(2)).rejects.toThrow("at once");
});

test("the load counts waiting items and items in flight", async () => {
  const { batcher, runs } = held(2, 1);
  const answers = [1, 2, 3, 4, 5].map(batcher.submit);
  expect(batcher.load()).toBe(5);
  await turn();
  expect(batcher.load()).toBe(5);
  runs[0]?.finish();
  await turn();
  await turn();
  expect(batcher.load()).toBe(3);
  while (batcher.load() > 0) {
    for (const run of runs) run.finish();
    await turn();
  }
  await Promise.all(answers);
});

test("under any load no item is lost or gets a wrong answer, and the limits on size and concurrency hold", async () => {
  const queueSpeed = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(queueSpeed, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), async (steps, maxItems, maxInFlight) => {
      let [inFlight, most, largest] = [0, 0, 0];
      const batcher = createBatcher<number, number>({
        run: async (items) => {
          most = Math.max(most, ++inFlight);
          largest = Math.max(largest, items.length);
          await turn();
          inFlight--;
          return items.map((item) => item * 2);
        },
        maxItems,
        maxInFlight,
      });
      const answers: Promise<number>[] = [];
      for (const count of steps) {
        for (let each = 0; each < count; each++) answers.push(batcher.submit(answers.length));
        await turn();
      }
      expect(await Promise.all(answers)).toEqual(answers.map((_, item) => item * 2));
      expect(largest).toBeLessThanOrEqual(maxItems);
      expect(most).toBeLessThanOrEqual(maxInFlight);
    }),
    { numRuns: 50 },
  );
});
