import { afterAll, beforeAll, expect, test } from "vitest";
import { createViewers } from "../sites/viewers.ts";
import { type ConsoleFixture, createConsoleFixture } from "./console/testing/fixture.ts";
import { operatorApi } from "./plugin.ts";
import { ENVIRONMENT_KEY, testApi } from "./testing/api.ts";

const NONE = { each: 0, all: 0 };
const PATH = "/analytics/file?mode=live&from=2026-03-04&to=2026-03-05";

let fixture: ConsoleFixture;
let begun = 0;
let finish: () => void;
const finished = new Promise<void>((resolve) => {
  finish = resolve;
});
beforeAll(async () => {
  const checkCallbackUrl = async () => {
    begun++;
    await finished;
    return null;
  };
  fixture = await createConsoleFixture({
    ...{ checkCallbackUrl, downloads: createViewers(NONE) },
    sessionLimits: { requests: 1, waitMilliseconds: 1, downloads: NONE },
  });
});
afterAll(() => fixture.close());

test("a download over the limit is refused with 429, at the console and with a key", async () => {
  const refused = { error: "too_many_requests", message: expect.stringContaining("downloads") };
  const answer = await fixture.get(PATH);
  expect([answer.status, answer.body]).toEqual([429, refused]);
  const console = await fetch(`${fixture.origin}/console/api${PATH}`, { headers: fixture.as("admin") });
  expect([console.status, await console.json()]).toEqual([429, refused]);
  expect([console.headers.get("retry-after"), console.headers.get("content-type")]).toEqual(["10", "application/json; charset=utf-8"]);
});

test("a staff session has a limited number of requests in progress; a key has no such limit", async () => {
  const { account_id: accountId } = await fixture.newAccount();
  const url = `${fixture.origin}/console/api/accounts/${accountId}`;
  const [one, other] = [fixture.as("admin"), fixture.as("admin")];
  const body = JSON.stringify({ callback_url: "https://shop.example/callback" });
  const change = fetch(url, { method: "POST", body, headers: { ...one, "content-type": "application/json" } });
  await expect.poll(() => begun).toBe(1);
  const refused = await fetch(url, { headers: one });
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: "too_many_requests" }]);
  expect((await fetch(url, { headers: other })).status).toBe(200);
  expect((await fixture.get(`/accounts/${accountId}`)).status).toBe(200);
  finish();
  expect((await change).status).toBe(200);
  expect((await fetch(url, { headers: one })).status).toBe(200);
});

test("a reply is sent once, and its status is counted as it was sent", async () => {
  const statuses: number[] = [];
  const counted = await testApi({}, async (app, deps) => {
    await app.register(async (site) => {
      // As the service has them: the second one runs after the first one's promise.
      site.addHook("onResponse", async () => {});
      site.addHook("onResponse", async (_request, reply) => {
        statuses.push(reply.statusCode);
      });
      await site.register(operatorApi(deps), { prefix: "/counted" });
    });
  });
  try {
    const headers = { authorization: `Bearer ${ENVIRONMENT_KEY}` };
    const ask = async (path: string) => (await fetch(`${counted.origin}/counted${path}`, { headers })).text();
    for (const path of ["/accounts", "/accounts/X1", "/openapi", PATH]) await ask(path);
    await expect.poll(() => statuses).toHaveLength(4);
    expect(statuses).toEqual([200, 404, 200, 200]);
    expect(counted.logged).toEqual([]);
  } finally {
    await counted.close();
  }
});
