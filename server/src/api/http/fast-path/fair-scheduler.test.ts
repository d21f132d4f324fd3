import { expect, test } from "vitest";
import { createFairScheduler } from "./fair-scheduler.ts";

type Item = { readonly owner: string; readonly number: number };

/** Every reading of the time advances it by one millisecond, so a turn has as many steps as its budget has milliseconds. */
function collect({ most = 4, budgetMilliseconds = 2 } = {}) {
  const turns: string[][] = [];
  const shed: string[] = [];
  const late = new Set<string>();
  let [time, turn] = [0, -1];
  const nameOf = ({ owner, number }: Item) => `${owner}${number}`;
  const add = createFairScheduler<Item>({
    run: (items) => {
      turns[turn] = [...(turns[turn] ?? []), ...items.map(nameOf)];
    },
    shed: (items) => void shed.push(...items.map(nameOf)),
    isLate: ({ owner }) => late.has(owner),
    maxItemsNow: () => most,
    budgetMilliseconds: () => budgetMilliseconds,
    ownerOf: ({ owner }) => owner,
    now: () => time++,
  });
  const send = (owner: string, count: number) => {
    for (let number = 1; number <= count; number++) add({ owner, number });
  };
  const next = async () => {
    turn++;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { turns, shed, late, send, next };
}

const names = (owner: string, from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `${owner}${from + at}`);

test("items of one turn run at its end in order of arrival", async () => {
  const { turns, send, next } = collect({ most: 5 });
  send("a", 3);
  send("b", 2);
  expect(turns).toEqual([]);
  await next();
  expect(turns).toEqual([["a1", "a2", "a3", "b1", "b2"]]);
});

test("if more items arrive than a turn can run, owners alternate and each owner's order is kept", async () => {
  const { turns, send, next } = collect();
  send("a", 70);
  send("b", 10);
  while (turns.flat().length < 80) await next();
  const all = turns.flat();
  expect(all.slice(0, 20)).toEqual(names("a", 1, 10).flatMap((name, at) => [name, `b${at + 1}`]));
  expect(all.filter((name) => name.startsWith("a"))).toEqual(names("a", 1, 70));
  expect(turns.length).toBeGreaterThan(1);
});

test("a request that arrives while thousands of another owner wait runs in the next turn", async () => {
  const { turns, send, next } = collect();
  send("flood", 5_000);
  await next();
  send("modest", 1);
  await next();
  expect(turns[1]).toContain("modest1");
  while (turns.flat().length < 5_001) await next();
  expect(turns.flat().filter((name) => name.startsWith("flood"))).toEqual(names("flood", 1, 5_000));
});

test("new items of an owner with a late backlog are refused, those of other owners are not", async () => {
  const { turns, shed, late, send, next } = collect();
  send("flood", 100);
  await next();
  late.add("flood");
  send("flood", 40);
  send("modest", 1);
  await next();
  expect(turns[1]).toContain("modest1");
  while (turns.flat().length < 101 || shed.length < 40) await next();
  expect(shed).toEqual(names("flood", 1, 40));
  expect(turns.flat()).toHaveLength(101);
});

test("refusing thousands of items keeps within a turn's budget", async () => {
  const { turns, shed, late, send, next } = collect({ budgetMilliseconds: 4 });
  send("flood", 200);
  await next();
  late.add("flood");
  send("flood", 2_000);
  await next();
  expect(shed.length).toBeLessThan(100);
  while (shed.length < 2_000) await next();
  expect(turns.flat()).toEqual(names("flood", 1, 200));
});
