import fc from "fast-check";
import { expect, test } from "vitest";
import { survivorsIn } from "../../testing/young-objects.ts";
import { createShortLivedMap, createShortLivedSet } from "./short-lived.ts";

type Step = { readonly key: number; readonly isSet: boolean };
const steps = fc.array(fc.record({ key: fc.integer({ min: 0, max: 8 }), isSet: fc.boolean() }), { maxLength: 60 });

test("a short-lived map gives what a Map gives", () => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      const [made, model] = [createShortLivedMap<number>(), new Map<string, number>()];
      for (const [place, { key: number, isSet }] of all.entries()) {
        const key = `key ${number}`;
        if (isSet) made.set(key, place);
        else expect(made.delete(key)).toBe(model.has(key));
        if (isSet) model.set(key, place);
        else model.delete(key);
        expect([made.get(key), made.size()]).toEqual([model.get(key), model.size]);
      }
      expect(made.values()).toEqual([...model.values()]);
    }),
  );
});

test("a short-lived map finds each of many entries", () => {
  const map = createShortLivedMap<number>();
  const keys = Array.from({ length: 5_000 }, (_, place) => `ACC1/recharge/${place}`);
  for (const [place, key] of keys.entries()) map.set(key, place);
  expect(keys.map((key) => map.get(key))).toEqual(keys.map((_, place) => place));
  for (const key of keys.slice(1)) expect(map.delete(key)).toBe(true);
  expect([map.size(), map.values(), map.get("ACC1/recharge/1")]).toEqual([1, [0], undefined]);
});

test("a short-lived set has what was added and not removed, and removing twice changes nothing", () => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      const made = createShortLivedSet<number>();
      const removers: { readonly item: number; readonly remove: () => void }[] = [];
      const present = new Set<number>();
      for (const [item, { key, isSet }] of all.entries()) {
        const known = removers[key];
        if (isSet || known === undefined) {
          removers.push({ item, remove: made.add(item) });
          present.add(item);
        } else {
          known.remove();
          present.delete(known.item);
        }
        expect(made.size()).toBe(present.size);
      }
      expect(new Set(made.items())).toEqual(present);
    }),
  );
});

test("entries that come and go do not outlive the collections of young objects", async () => {
  // The texts of all entries are 8 MB.
  expect(await survivorsIn("surviving-entries.ts")).toBeLessThan(2_000_000);
});
