import { expect, test } from "vitest";
import { z } from "zod";
import { action } from "./action.ts";
import { conflict } from "./refusal.ts";

const named = z.strictObject({ name: z.string() });
const list = z.strictObject({ items: z.array(named).readonly(), first: named.nullable() });
const common = { path: "GET /named", summary: "Names something.", roles: ["admin"] } as const;

test("the compiler refuses a reply with a missing field, or with one that is not declared, at any depth", () => {
  const refused = [
    // @ts-expect-error: the name is missing.
    action({ ...common, output: named, handler: async () => ({}) }),
    // @ts-expect-error: the output has no age.
    action({ ...common, output: named, handler: async () => ({ name: "Asha", age: 1 }) }),
    // @ts-expect-error: an item of the list has no age.
    action({ ...common, output: list, handler: async () => ({ items: [{ name: "Asha", age: 1 }], first: null }) }),
    // @ts-expect-error: the first has no age.
    action({ ...common, output: list, handler: async () => ({ items: [], first: { name: "Asha", age: 1 } }) }),
    // @ts-expect-error: the output has no age, whatever the handler reads.
    action({ ...common, params: named, output: named, handler: async ({ params }) => ({ name: params.name, age: 1 }) }),
    // @ts-expect-error: nor beside a refusal.
    action({ ...common, output: named, handler: async ({ actor }) => (actor === "" ? conflict("Nobody.") : { name: actor, age: 1 }) }),
  ];
  const first: { readonly name: string } | null = null;
  const accepted = action({
    ...common,
    output: list,
    handler: async () => (first === null ? conflict("Nobody is named.") : { items: [{ name: "Asha" }], first }),
  });
  expect([...refused, accepted]).toHaveLength(7);
});
