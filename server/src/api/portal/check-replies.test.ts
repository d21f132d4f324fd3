import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { emptyOutput } from "../auth/outputs.ts";
import { publicAction } from "./action.ts";
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
