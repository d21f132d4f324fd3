import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readVersion3Test } from "../../../domain/callbacks/actions/version-3-test.ts";
import { startReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { type CallbackFixture, createCallbackFixture } from "../testing/callback-fixture.ts";
import type { Visitor } from "../testing/fixture.ts";

let fixture: CallbackFixture;
let receiver: TestReceiver;
let answer = 200;
beforeAll(async () => {
  fixture = await createCallbackFixture();
  receiver = await startReceiver(() => answer);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});
beforeEach(() => {
  answer = 200;
});

/** An owner whose receiver and callback secret are set up. */
async function ready(): Promise<{ owner: Visitor; secret: string }> {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  expect((await owner.post("/callback-settings/urls", { callback_url: receiver.url })).status).toBe(200);
  return { owner, secret: (await owner.post("/callback-settings/secret")).body.callback_secret };
}

test("URLs are checked before they are saved, one by one, and null removes one", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const set = await owner.post("/callback-settings/urls", { callback_url: receiver.url, complaint_callback_url: `${receiver.url}/c` });
  expect(set.body).toMatchObject({
    callback_url: receiver.url,
    complaint_callback_url: `${receiver.url}/c`,
    version: 2,
    can_switch: false,
  });
  const wrong = await owner.post("/callback-settings/urls", {
    callback_url: "https://10.0.0.1/x",
    complaint_callback_url: "javascript:alert(1)",
  });
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.fields)).toEqual(["callback_url", "complaint_callback_url"]);
  const removed = await owner.post("/callback-settings/urls", { complaint_callback_url: null });
  expect(removed.body).toMatchObject({ callback_url: receiver.url, complaint_callback_url: null });
});

test("a version 3 test is one POST with TEST- references, signed with the callback secret", async () => {
  const { owner, secret } = await ready();
  const before = receiver.got.length;
  const sent = await owner.post("/callback-settings/test-v3");
  expect(sent.body).toMatchObject({ delivered: true, http_status: 200, error: null, request: { method: "POST", url: receiver.url } });
  expect(receiver.got.length).toBe(before + 1);
  const got = receiver.got.at(-1);
  const body = JSON.parse(got?.body.toString() ?? "");
  expect(body).toMatchObject({
    v: "3",
    status: "SUCCESS",
    orderid: expect.stringMatching(/^TEST-/),
    urid: expect.stringMatching(/^TEST-/),
  });
  expect(got?.headers["x-callback-signature"]).toBe(
    createHmac("sha256", secret)
      .update(got?.body ?? "")
      .digest("hex"),
  );
  expect(sent.text).not.toContain(secret);
  expect((await owner.get("/callback-settings")).body).toMatchObject({
    v3_test: { delivered: true, http_status: 200, holds: true },
    can_switch: true,
  });
});

test("an account sends ten tests a minute, of both kinds together, for all its users together", async () => {
  const { owner } = await ready();
  const before = receiver.got.length;
  const answers = await Promise.all(Array.from({ length: 100 }, () => owner.post("/callback-settings/test-v3")));
  expect(answers.filter(({ status }) => status === 200).length).toBe(10);
  const over = answers.find(({ status }) => status !== 200);
  expect(over).toMatchObject({
    status: 429,
    body: { error: "too_many_tries", message: expect.stringContaining("10 test callbacks a minute") },
  });
  expect((await owner.post("/callback-settings/test-complaint")).status).toBe(429);
  expect(receiver.got.length).toBe(before + 10);
});

test("without a secret, a URL or a delivered test there is no switch; with them there is, and no way back", async () => {
  const { accountId } = await fixture.newAccount();
  const bare = fixture.as("owner", accountId);
  expect((await bare.post("/callback-settings/test-v3")).status).toBe(409);
  expect((await bare.post("/callback-settings/switch-v3")).status).toBe(409);
  const { owner } = await ready();
  expect((await owner.post("/callback-settings/switch-v3")).status).toBe(409);
  answer = 500;
  expect((await owner.post("/callback-settings/test-v3")).body).toMatchObject({ delivered: false, http_status: 500 });
  expect((await owner.post("/callback-settings/switch-v3")).status).toBe(409);
  answer = 204;
  await owner.post("/callback-settings/test-v3");
  expect((await owner.post("/callback-settings/switch-v3")).body).toMatchObject({
    version: 3,
    can_switch: false,
    v3_test: { delivered: true, holds: true },
  });
  expect((await owner.post("/callback-settings/switch-v3")).status).toBe(200);
  expect((await owner.post("/callback-settings/urls", { version: 2 })).status).toBe(400);
});

test.each<[string, (owner: Visitor) => Promise<unknown>]>([
  ["URL", (owner) => owner.post("/callback-settings/urls", { callback_url: `${receiver.url}?x=1` })],
  ["secret", (owner) => owner.post("/callback-settings/secret")],
])("a test says nothing about another %s: after that change the switch needs a new one", async (_what, change) => {
  const { owner } = await ready();
  await owner.post("/callback-settings/test-v3");
  await change(owner);
  expect((await owner.get("/callback-settings")).body).toMatchObject({ v3_test: { delivered: true, holds: false }, can_switch: false });
  expect((await owner.post("/callback-settings/switch-v3")).status).toBe(409);
  await owner.post("/callback-settings/test-v3");
  expect((await owner.post("/callback-settings/switch-v3")).body.version).toBe(3);
});

test("the switch is bound to the settings that were tested: a change between the look and the lock stops it", async () => {
  const { owner } = await ready();
  const { accountId } = owner.session;
  await owner.post("/callback-settings/test-v3");
  const tested = (await readVersion3Test(fixture.ctx.sql, accountId))?.current_settings_version;
  await owner.post("/callback-settings/urls", { callback_url: `${receiver.url}?other=1` });
  const late = await changeAccount(fixture.ctx, "test", { accountId, callbackVersion: 3, onlyAtCallbackEpoch: tested });
  expect(late).toMatchObject({ kind: "conflict" });
  expect((await owner.get("/callback-settings")).body.version).toBe(2);
});

test("a test complaint shows the request that was sent and why it failed", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("developer", accountId);
  expect((await owner.post("/callback-settings/test-complaint")).status).toBe(409);
  await owner.post("/callback-settings/urls", { complaint_callback_url: receiver.url });
  answer = 302;
  const failed = await owner.post("/callback-settings/test-complaint");
  expect(failed.body).toMatchObject({
    delivered: false,
    http_status: 302,
    error: expect.stringContaining("redirects"),
    request: { method: "GET", body: null },
  });
  expect(failed.body.request.url).toContain("test=1");
  expect(failed.body.request.url).toContain(receiver.got.at(-1)?.target);
  answer = 200;
  expect((await owner.post("/callback-settings/test-complaint")).body.delivered).toBe(true);
});

test("URLs, secret and switch need a fresh proof", async () => {
  const { accountId } = await fixture.newAccount();
  const stale = fixture.as("owner", accountId, { provedAt: fixture.ctx.clock.now() - 6 * 60_000 });
  for (const path of ["urls", "secret", "switch-v3"])
    expect((await stale.post(`/callback-settings/${path}`)).body.error).toBe("step_up_required");
});
