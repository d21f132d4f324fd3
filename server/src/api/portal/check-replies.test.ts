import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { emptyOutput } from "../auth/outputs.ts";
import { WithCookie } from "../sites/actions/action.ts";
import { action, publicAction } from "./action.ts";
import { createPortalFixture } from "./testing/fixture.ts";

// A variable, because the compiler refuses a literal with a field too many.
const undeclared: Record<string, never> = JSON.parse('{ "extra": 1 }');
const careless = publicAction({
  path: "GET /careless",
  summary: "Sends a field that its output does not declare.",
  roles: "anyone",
  input: z.object({}),
  output: emptyOutput,
  handler: async () => undeclared,
});
const checked = await createPortalFixture({ actions: [careless] });
const unchecked = await createPortalFixture({ actions: [careless], change: { checkReplies: false } });
afterAll(async () => {
  await checked.close();
  await unchecked.close();
});

test("in tests a reply with a field that its output does not declare is an error", async () => {
  expect((await fetch(`${checked.base}/portal/api/careless`)).status).toBe(500);
  expect(checked.logged).toMatchObject([{ err: { message: expect.stringContaining("GET /careless sent a reply") } }]);
});

test("in production replies are not checked", async () => {
  const reply = await fetch(`${unchecked.base}/portal/api/careless`);
  expect([reply.status, await reply.json()]).toEqual([200, { extra: 1 }]);
});

const named = z.strictObject({ name: z.string() });
const common = { path: "GET /named", summary: "Names something.", roles: ["owner"], input: z.object({}) } as const;
const list = z.strictObject({ items: z.array(named).readonly(), first: named.nullable() });

test("the compiler refuses a reply with a missing field, or with one that is not declared, at any depth", () => {
  const refused = [
    // @ts-expect-error: the name is missing.
    action({ ...common, output: named, handler: async () => ({}) }),
    // @ts-expect-error: the output has no age.
    action({ ...common, output: named, handler: async () => ({ name: "Asha", age: 1 }) }),
    // @ts-expect-error: the output has no age, with a cookie either.
    action({ ...common, output: named, handler: async () => new WithCookie({ name: "Asha", age: 1 }, { token: null }) }),
    // @ts-expect-error: an item of the list has no age.
    action({ ...common, output: list, handler: async () => ({ items: [{ name: "Asha", age: 1 }], first: null }) }),
    // @ts-expect-error: the first has no age.
    action({ ...common, output: list, handler: async () => ({ items: [], first: { name: "Asha", age: 1 } }) }),
  ];
  const accepted = action({ ...common, output: list, handler: async () => ({ items: [{ name: "Asha" }], first: null }) });
  expect([...refused, accepted]).toHaveLength(6);
});
