import { expect, test } from "vitest";
import type { Reach } from "../../orders/context.ts";
import { isSameName, type MergeRules, mergeLists } from "./merge-lists.ts";

type Item = { readonly id: string; readonly name: string; readonly up: boolean };

const RULES: MergeRules<Item> = {
  idOf: ({ id }) => id,
  isUsable: ({ up }) => up,
  isSame: (one, other) => isSameName(one.name, other.name),
};
const ALL: Reach = { own: new Map(), takes: () => true };

const item = (id: string, name = id, up = true): Item => ({ id, name, up });
const source = (provider: string, ...items: readonly Item[]) => ({ provider, items });

function providersOf(merged: ReturnType<typeof mergeLists<Item>>, id: string): readonly string[] {
  return merged.byId.get(id)?.offers.map(({ provider }) => provider) ?? [];
}

test("each item appears once, with the terms of the first provider that has it", () => {
  const [first, second] = [item("X", "Power Co."), item("X", "POWER CO")];
  const merged = mergeLists([source("a", first), source("b", second, item("Y"))], ["a", "b"], ALL, RULES);
  expect(merged.items).toEqual([first, item("Y")]);
  expect(providersOf(merged, "X")).toEqual(["a", "b"]);
  expect(providersOf(merged, "Y")).toEqual(["b"]);
});

test("a provider where the item can be used comes before one where it cannot", () => {
  const merged = mergeLists([source("a", item("X", "X", false)), source("b", item("X"))], ["a", "b"], ALL, RULES);
  expect(merged.items).toEqual([item("X")]);
  expect(providersOf(merged, "X")).toEqual(["b", "a"]);
});

test("an id that means something else at another provider is never used there", () => {
  const merged = mergeLists([source("a", item("3", "Pune")), source("b", item("3", "Goa"))], ["a", "b"], ALL, RULES);
  expect(merged.items).toEqual([item("3", "Pune")]);
  expect(providersOf(merged, "3")).toEqual(["a"]);
});

test("an item with routes of its own is found at the providers of those routes only", () => {
  const reach: Reach = {
    own: new Map([
      ["X", ["b"]],
      ["Z", []],
    ]),
    takes: () => true,
  };
  const sources = [source("a", item("X"), item("Y"), item("Z")), source("b", item("X"), item("Y"))];
  const merged = mergeLists(sources, ["a"], reach, RULES);
  expect(providersOf(merged, "X")).toEqual(["b"]);
  expect(providersOf(merged, "Y")).toEqual(["a"]);
  expect(merged.byId.has("Z")).toBe(false);
});

test("an item for which a provider has no code is not listed from it", () => {
  const reach: Reach = { own: new Map(), takes: (provider, code) => provider !== "a" || code !== "X" };
  const merged = mergeLists([source("a", item("X")), source("b", item("X"))], ["a", "b"], reach, RULES);
  expect(providersOf(merged, "X")).toEqual(["b"]);
});
