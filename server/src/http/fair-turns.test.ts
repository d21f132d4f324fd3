import { expect, test } from "vitest";
import { fairTurns } from "./fair-turns.ts";

type Item = { readonly owner: string; readonly number: number };

function collect(most: number) {
  const turns: string[][] = [];
  const add = fairTurns<Item>({
    run: (items) => void turns.push(items.map(({ owner, number }) => `${owner}${number}`)),
    mostNow: () => most,
    ownerOf: ({ owner }) => owner,
  });
  const send = (owner: string, count: number) => {
    for (let number = 1; number <= count; number++) add({ owner, number });
  };
  return { turns, send };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("what comes in one turn is run at its end, in the order of arrival", async () => {
  const { turns, send } = collect(5);
  send("a", 3);
  send("b", 2);
  expect(turns).toEqual([]);
  await nextTurn();
  expect(turns).toEqual([["a1", "a2", "a3", "b1", "b2"]]);
});

test("with more than a turn takes, owners alternate, and each keeps its order", async () => {
  const { turns, send } = collect(4);
  send("a", 7);
  send("b", 2);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(turns).toEqual([["a1", "b1", "a2", "b2"], ["a3", "a4", "a5", "a6"], ["a7"]]);
});

test("a request that comes while thousands of another owner wait is in the next turn", async () => {
  const { turns, send } = collect(4);
  send("flood", 5_000);
  await nextTurn();
  send("modest", 1);
  await nextTurn();
  expect(turns[1]).toContain("modest1");
  while (turns.flat().length < 5_001) await nextTurn();
  const flood = turns.flat().filter((name) => name.startsWith("flood"));
  expect(flood).toEqual(Array.from({ length: 5_000 }, (_, at) => `flood${at + 1}`));
});
