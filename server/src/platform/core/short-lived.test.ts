import fc from "fast-check";
import { expect, test } from "vitest";
import { createShortLivedMap, createShortLivedSet } from "./short-lived.ts";

type Step = { readonly key: number; readonly isSet: boolean };
const steps = fc.array(fc.record({ key: fc.integer({ min: 0, max: 8 }), isSet: fc.boolean() }), { maxLength: 60 });

test("a short-lived map gives what a Map gives", () => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      const [made, model] = [createShortLivedMap<number, number>(), new Map<number, number>()];
      for (const [place, { key, isSet }] of all.entries()) {
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
