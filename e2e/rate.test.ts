import { afterAll, beforeAll, expect, test } from "vitest";
import { caughtUp, expectAnswered, expectRefusal, GET_ROUTES, get, getWhenFree, OVER_BUDGET, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient } from "./harness/operator.ts";
import type { RawReply } from "./harness/raw-http.ts";
import { type Installation, type Service, startInstallation } from "./harness/service.ts";
import { nowSeconds } from "./harness/sign.ts";

let installation: Installation;
let second: Service;
beforeAll(async () => {
  installation = await startInstallation();
  second = await installation.another();
});
afterAll(() => installation?.close());

const first = () => installation.service;
const ask = (client: Client, service = first(), path = "/services") => getWhenFree(service.port, path, { token: client.token });

async function times(count: number, make: (at: number) => Promise<RawReply>): Promise<readonly RawReply[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => make(at)));
}

const answered = (replies: readonly RawReply[]) => replies.filter((reply) => reply.status === 200).length;

test.each(GET_ROUTES)("exactly the budget's number of GET %s is answered, then 429, without Retry-After in version 2", async (path) => {
  const client = await newClient(first(), { settings: { get_per_minute: 5 } });
  for (let call = 0; call < 5; call++) expectAnswered(await ask(client, first(), path));
  const reply = await ask(client, first(), path);
  expectRefusal(reply, OVER_BUDGET);
  expect(reply.headers.has("retry-after")).toBe(false);
});

test("the budget is the account's, not the path's", async () => {
  const client = await newClient(first(), { settings: { get_per_minute: 4 } });
  const replies = [];
  for (let call = 0; call < 6; call++) replies.push(await ask(client, first(), call % 2 === 0 ? "/services" : "/operators"));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 429, 429]);
});

test("of two hundred at once exactly the budget's number is answered", async () => {
  const client = await newClient(first(), { settings: { get_per_minute: 20 } });
  const replies = await times(200, () => ask(client));
  expect(answered(replies)).toBe(20);
  for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, OVER_BUDGET);
});

test("two processes share one budget", async () => {
  const client = await newClient(first(), { settings: { get_per_minute: 20 } });
  await caughtUp(first(), second);
  const replies = await times(60, (at) => ask(client, at % 2 === 0 ? first() : second));
  expect(answered(replies)).toBe(20);
});

test("the GET budget is never above the money budget", async () => {
  const client = await newClient(first(), { settings: { money_per_minute: 3, get_per_minute: 300 } });
  expect(answered(await times(10, () => ask(client)))).toBe(3);
});

test("every call that passed token and address counts once, whatever its answer; others do not count", async () => {
  const client = await newClient(first(), { allowlist: ["127.0.0.1"], settings: { get_per_minute: 4 } });
  const free = [
    () => get(first().port, "/services", { token: `${client.token}x` }),
    () => get(first().port, "/services", { token: client.token, from: "127.0.0.2" }),
    () => get(first().port, "/services", { token: client.token, query: "a=1&a=2" }),
    () => get(first().port, "/nowhere", { token: client.token }),
  ];
  for (const call of free) expect((await call()).status).not.toBe(429);
  const counted = [
    await get(first().port, "/services", { token: client.token, query: "limit=0" }),
    await get(first().port, "/services", { token: client.token, headers: [["X-Api-Nonce", "x"]] }),
    await get(first().port, "/services", { token: client.token, headers: signedGet("/services", client.secret) }),
    await ask(client),
    await ask(client),
  ];
  expect(counted.map((reply) => reply.status)).toEqual([400, 401, 200, 200, 429]);
});

test("over budget a bad signature is answered 429, not 401", async () => {
  const client = await newClient(first(), { settings: { get_per_minute: 1 } });
  expectAnswered(await ask(client));
  expectRefusal(await get(first().port, "/services", { token: client.token, headers: [["X-Api-Signature", "x"]] }), OVER_BUDGET);
});

test("a refused call does not use its nonce up and a raised budget holds at once, in both processes", async () => {
  const client = await newClient(first(), { settings: { get_per_minute: 1 } });
  await caughtUp(first(), second);
  expectAnswered(await ask(client, second));
  const headers = signedGet("/services", client.secret);
  const signed = () => get(first().port, "/services", { token: client.token, headers });
  for (let call = 0; call < 3; call++) expectRefusal(await signed(), OVER_BUDGET);
  for (let call = 0; call < 3; call++) expectRefusal(await ask(client, second), OVER_BUDGET);
  await change(first(), `/accounts/${client.accountId}`, { get_per_minute: 3 });
  expectAnswered(await signed());
  await until("the second process lets the last one in", async () => (await ask(client, second)).status === 200);
  expectRefusal(await ask(client), OVER_BUDGET);
});

test("accounts do not use each other's budget", async () => {
  const [one, other] = [
    await newClient(first(), { settings: { get_per_minute: 1 } }),
    await newClient(first(), { settings: { get_per_minute: 1 } }),
  ];
  expectAnswered(await ask(one));
  expectRefusal(await ask(one), OVER_BUDGET);
  expectAnswered(await ask(other));
});

// Clocks that a test can move: processes that live in the future, started first so that their start takes nothing of the minute.
test("on version 3 a refused GET says truthfully when the next is allowed", async () => {
  const [tooEarly, inTime] = await Promise.all([
    installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: "20" }),
    installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: "61" }),
  ]);
  const client = await newClient(first(), { settings: { get_per_minute: 2 } });
  await newCallbackSecret(first(), client.accountId);
  await change(first(), `/accounts/${client.accountId}`, { callback_version: 3 });
  await Promise.all([tooEarly, inTime].map((ahead) => caughtUp(first(), ahead)));
  const askedAt = nowSeconds();
  expectAnswered(await ask(client));
  expectAnswered(await ask(client));
  const [refusal, early] = [await ask(client), await ask(client, tooEarly)];
  const refusedAt = nowSeconds();
  expectRefusal(refusal, OVER_BUDGET);
  expectRefusal(early, OVER_BUDGET);
  const [text = ""] = refusal.headers.get("retry-after") ?? [];
  expect(text).toMatch(/^[1-9][0-9]?$/);
  // A minute after the first call, however long the calls took.
  expect(Number(text)).toBeGreaterThanOrEqual(60 - (refusedAt - askedAt) - 1);
  expect(Number(text)).toBeLessThanOrEqual(61);
  await until("the call is let in", async () => (await ask(client, inTime)).status === 200);
});
