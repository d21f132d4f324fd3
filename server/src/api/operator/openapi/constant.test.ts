import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";
import { OPERATOR_ACTIONS } from "../operator-actions.ts";
import { operatorDocument } from "./document.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

const get = (headers: Record<string, string> = {}) => fixture.get("/openapi", { headers });

test("the description is made once, however often it is asked for", async () => {
  const { handler } = OPERATOR_ACTIONS.find(({ path }) => path === "GET /openapi") ?? {};
  const ask = handler as () => Promise<object>;
  expect(await ask()).toBe(await ask());
});

test("the description has an ETag, and 304 while it is the same", async () => {
  const answer = await get();
  expect([answer.status, answer.body]).toEqual([200, JSON.parse(JSON.stringify(operatorDocument(OPERATOR_ACTIONS)))]);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  const etag = String(answer.headers.get("etag"));
  expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
  const again = await get({ "if-none-match": etag });
  expect([again.status, again.text]).toEqual([304, ""]);
  expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
});

test("staff get the same at the console, and without a session it is refused, whatever the ETag", async () => {
  const etag = String((await get()).headers.get("etag"));
  const url = `${fixture.origin}/console/api/openapi`;
  const console = await fetch(url, { headers: { ...fixture.as("auditor"), "if-none-match": etag } });
  expect(console.status).toBe(304);
  expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(401);
  expect((await fixture.get("/openapi", { key: null, headers: { "if-none-match": etag } })).status).toBe(401);
});
