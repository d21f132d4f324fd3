import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { recoverSince } from "../../../domain/callbacks/actions/recover-callbacks.ts";
import { startReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { type CallbackFixture, createCallbackFixture } from "../testing/callback-fixture.ts";

let fixture: CallbackFixture;
let receiver: TestReceiver;
beforeAll(async () => {
  fixture = await createCallbackFixture();
  receiver = await startReceiver((received) => (received.path.includes("bad") ? 500 : 200));
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

async function account(path = "") {
  const made = await fixture.newAccount();
  await changeAccount(fixture.ctx, "test", { accountId: made.accountId, callbackUrl: receiver.url + path });
  return made;
}

test("a delivery shows its attempts and the request as it would be sent now, signed and without a secret", async () => {
  const { accountId, apiToken } = await account();
  const reader = fixture.as("read_only", accountId);
  const id = await fixture.tell(accountId);
  await vi.waitUntil(async () => (await reader.get(`/callbacks/${id}`)).body.state === "delivered", WAIT_MILLISECONDS);
  const { body, text } = await reader.get(`/callbacks/${id}`);
  expect(body).toMatchObject({ callback_id: id, kind: "status", attempts: 1, next_at: null, request_missing: null });
  expect(body.attempt_log).toMatchObject([{ attempt: 1, http_status: 200, error: null, url: receiver.url }]);
  expect(body.request).toMatchObject({ method: "GET", body: null, headers: { "user-agent": "Corprail-Callbacks/1" } });
  const parameters = [...new URL(body.request.url).searchParams]
    .filter(([name]) => name !== "hash")
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expected = createHmac("sha256", apiToken)
    .update(parameters.map(([name, value]) => `${name}=${value}`).join("&"))
    .digest("hex");
  expect(new URL(body.request.url).searchParams.get("hash")).toBe(expected);
  expect(text).not.toContain(apiToken);
});

test("deliveries are listed newest first by state, kind and order, of the own account alone", async () => {
  const [{ accountId }, other] = [await account(), await account()];
  const reader = fixture.as("read_only", accountId);
  const now = fixture.ctx.clock.now();
  const [first, second] = [await fixture.tell(accountId, { at: now - 2_000 }), await fixture.tell(accountId, { at: now - 1_000 })];
  await fixture.tell(other.accountId);
  const ids = async (query: string) =>
    (await reader.get(`/callbacks${query}`)).body.items.map((one: { callback_id: string }) => one.callback_id);
  expect(await ids("")).toEqual([second, first]);
  expect(await ids(`?order_id=O${first}`)).toEqual([first]);
  for (const search of [first, `O${first}`, ` O${first} `]) expect(await ids(`?search=${search}`)).toEqual([first]);
  expect(await ids("?search=unknown")).toEqual([]);
  const [today, tomorrow] = [indiaDate(now), indiaDate(now + 24 * 60 * 60 * 1000)];
  expect([await ids(`?from=${today}&to=${today}`), await ids(`?from=${tomorrow}&to=${tomorrow}`)]).toEqual([[second, first], []]);
  expect((await reader.get(`/callbacks?from=${tomorrow}&to=${today}`)).status).toBe(400);
  expect(await ids("?kind=complaint&state=")).toEqual([]);
  await vi.waitUntil(async () => (await ids("?state=delivered")).length === 2, WAIT_MILLISECONDS);
  const page = await reader.get("/callbacks?limit=1");
  expect(page.body.next).not.toBeNull();
  expect(await ids(`?limit=1&after=${page.body.next}`)).toEqual([first]);
  expect((await reader.get("/callbacks?state=lost")).status).toBe(400);
});

test("another account's delivery is not there: not to be seen, not to be sent", async () => {
  const [{ accountId }, other] = [await account(), await account()];
  const theirs = await fixture.tell(other.accountId);
  const owner = fixture.as("owner", accountId);
  expect((await owner.get(`/callbacks/${theirs}`)).status).toBe(404);
  expect((await owner.post(`/callbacks/${theirs}/resend`)).status).toBe(404);
  expect((await owner.get("/callbacks/<script>")).status).toBe(400);
});

test("a delivered callback is sent again when somebody asks, on record under their name; a reader cannot", async () => {
  const { accountId } = await account();
  const worker = fixture.as("operations", accountId);
  const id = await fixture.tell(accountId);
  const times = () => receiver.got.filter((got) => got.query["orderid"] === `O${id}`).length;
  await vi.waitUntil(() => times() === 1, WAIT_MILLISECONDS);
  await vi.waitUntil(async () => (await worker.get(`/callbacks/${id}`)).body.state === "delivered", WAIT_MILLISECONDS);
  expect((await fixture.as("read_only", accountId).post(`/callbacks/${id}/resend`)).status).toBe(403);
  expect((await worker.post(`/callbacks/${id}/resend`)).status).toBe(200);
  await vi.waitUntil(() => times() === 2, WAIT_MILLISECONDS);
  const actors = await fixture.ctx.sql<{ actor: string }[]>`
    select actor from audit_log where subject_id = ${accountId} and action = 'callback.resent'`;
  expect(actors.map((row) => row.actor)).toEqual([`user:${worker.session.userId}`]);
});

test("a delivery that waits without a URL says why there is no request", async () => {
  const { accountId } = await fixture.newAccount();
  const id = await fixture.tell(accountId);
  const { body } = await fixture.as("owner", accountId).get(`/callbacks/${id}`);
  expect(body).toMatchObject({ state: "parked", request: null, request_missing: "The account has no URL for this callback." });
});

test("everything undelivered since a moment is made due, in steps that tell how far they are and can be broken off", async () => {
  const { accountId } = await account("/bad");
  const worker = fixture.as("operations", accountId);
  const now = fixture.ctx.clock.now();
  await fixture.tell(accountId, { at: now - 3_600_000 });
  const wanted = [await fixture.tell(accountId, { at: now - 1_000 }), await fixture.tell(accountId, { at: now })];
  const since = Math.floor((now - 60_000) / 1000);
  const begun = (await worker.post("/callbacks/recover", { since })).body.job;
  expect(begun).toMatchObject({ kind: "recover", state: "waiting" });
  expect((await fixture.as("read_only", accountId).post("/callbacks/recover", { since })).status).toBe(403);
  expect((await worker.post("/callbacks/recover", { since: "yesterday" })).status).toBe(400);
  const progress: string[] = [];
  const context = { sql: fixture.ctx.sql, clock: fixture.ctx.clock, log: fixture.ctx.orders.log };
  const input = { actor: "user:U1", accountId, since: since * 1000 };
  expect(await recoverSince(context, { ...input, onProgress: (done, total) => void progress.push(`${done}/${total}`) })).toEqual({
    recovered: 2,
  });
  expect(progress).toEqual(["2/2"]);
  expect(await recoverSince(context, { ...input, cancelled: () => true })).toEqual({ recovered: 0 });
  expect(wanted).toHaveLength(2);
});
