import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { type Callbacks, startCallbacks } from "../../../domain/callbacks/start-callbacks.ts";
import { LOOPBACK } from "../../../domain/callbacks/testing/fixture.ts";
import { startReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { isValidVersion3 } from "../../../domain/callbacks/testing/verify.ts";
import { createEvent, setVisibility, updateEvent } from "../../../domain/status/change-status.ts";
import { sendStatusNotices } from "../../../domain/status/send-notices.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { newPerson, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
let engine: Callbacks;
let receiver: TestReceiver;
let isMailRefused = false;
const errors: unknown[] = [];
let answer = 200;
beforeAll(async () => {
  fixture = await createPortalFixture();
  const { sql, vault, clock, ids } = fixture.ctx;
  engine = await startCallbacks({ sql, vault, clock, ids, processId: ids.request(), log: createLog("silent"), allow: LOOPBACK });
  receiver = await startReceiver(() => answer);
});
afterAll(async () => {
  await receiver.close();
  await engine.close(0);
  await fixture.close();
});

const PATH = "/status/subscriptions";

/** One run of the job, as a process does it every two seconds. */
async function runJob(): Promise<void> {
  await sendStatusNotices({
    sql: fixture.ctx.sql,
    clock: fixture.ctx.clock,
    sendMail: async (mail) => !isMailRefused && fixture.mails.push(mail) > 0,
    sendWebhook: async (accountId, url, fields) => (await engine.sendNotice(accountId, url, fields)).error === null,
    onError: (error) => errors.push(error),
  });
}

const statusMails = () => fixture.mails.filter(({ text }) => text.includes("status page of the portal"));
const incident = (title: string) =>
  createEvent(fixture.ctx, "staff:1", { kind: "incident", title, text: "We look into it.", components: ["service:bills"], window: null });

async function subscriber(): Promise<Person & { readonly accountId: string }> {
  const { accountId } = await fixture.newAccount();
  const person = await newPerson(fixture, accountId);
  expect((await person.browser.post(`${PATH}/mail`, { subscribed: true })).body).toMatchObject({ mail: true, webhook_url: null });
  return { ...person, accountId };
}

test("a member gets one mail for every update, until the subscription ends", async () => {
  const { browser, email } = await subscriber();
  const eventId = await incident("Bills fail");
  await runJob();
  await runJob();
  expect(statusMails()).toMatchObject([{ to: email, subject: "Bills fail (investigating)" }]);
  expect(statusMails()[0]?.text).toContain("Affected: service bills");

  await updateEvent(fixture.ctx, "staff:1", { eventId, state: "resolved", text: "It works again." });
  await runJob();
  expect(statusMails().map(({ subject }) => subject)).toEqual(["Bills fail (investigating)", "Bills fail (resolved)"]);

  expect((await browser.post(`${PATH}/mail`, { subscribed: false })).body.mail).toBe(false);
  await incident("Another");
  await runJob();
  expect(statusMails()).toHaveLength(2);
});

test("a mail that was refused is sent again after a pause; a disabled member and a page that is off get none", async () => {
  const { email, userId, browser } = await subscriber();
  fixture.mails.length = 0;
  isMailRefused = true;
  await incident("Refused");
  await runJob();
  isMailRefused = false;
  await runJob();
  expect(statusMails()).toEqual([]);
  fixture.settings.clock.advance(60_000);
  await runJob();
  expect(statusMails()).toMatchObject([{ to: email, subject: "Refused (investigating)" }]);

  await setVisibility(fixture.ctx, "staff:1", { visibility: "off" });
  await incident("Hidden");
  await setVisibility(fixture.ctx, "staff:1", { visibility: "clients" });
  await fixture.ctx.sql`update users set disabled_at = now() where user_id = ${userId}`;
  await incident("Too late");
  await runJob();
  expect(statusMails()).toHaveLength(1);
  expect((await browser.get(PATH)).status).toBe(401);
});

test("a webhook is posted with the signature of a version 3 callback, and again until the receiver accepts it", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("developer", accountId);
  const set = async (url: string | null) => await visitor.post(`${PATH}/webhook`, { url });
  expect((await set(receiver.url)).body.message).toBe("Create a callback secret first. The webhook is signed with it.");
  const secret = await replaceCallbackSecret(fixture.ctx, "test", { accountId });
  if (secret.kind !== "done") throw new Error("There is no secret.");
  expect((await set("http://10.0.0.1/x")).body.fields).toHaveProperty("url");
  expect((await set(receiver.url)).body).toMatchObject({ webhook_url: receiver.url, callback_secret_set: true });
  expect((await fixture.as("operations", accountId).post(`${PATH}/webhook`, { url: null })).status).toBe(403);

  answer = 500;
  const eventId = await incident("Bills fail");
  await runJob();
  answer = 200;
  fixture.settings.clock.advance(60_000);
  await runJob();
  await runJob();
  expect(receiver.got).toHaveLength(2);
  const [first, second] = receiver.got.map(({ body }) => JSON.parse(body.toString()) as Record<string, string>);
  expect(second).toMatchObject({
    v: "3",
    event: "platform_status",
    event_id: eventId,
    state: "investigating",
    components: "service:bills",
  });
  expect(receiver.got.every((got) => isValidVersion3(got, secret.callbackSecret))).toBe(true);
  expect([second?.["update_id"] === first?.["update_id"], second?.["nonce"] === first?.["nonce"]]).toEqual([true, false]);

  expect((await set(null)).body.webhook_url).toBeNull();
  await incident("Another");
  await runJob();
  expect(receiver.got).toHaveLength(2);
});

test("a receiver that never accepts is given up", async () => {
  const { accountId } = await fixture.newAccount();
  await replaceCallbackSecret(fixture.ctx, "test", { accountId });
  await fixture.as("owner", accountId).post(`${PATH}/webhook`, { url: receiver.url });
  // A secret that cannot be decrypted fails before anything is sent.
  await fixture.ctx.sql`update credentials set sealed = 'x'::bytea where account_id = ${accountId} and kind = 'callback_secret'`;
  await incident("Never");
  const left = () => fixture.ctx.sql`
    select from status_notices join status_subscriptions s using (subscription_id) where s.account_id = ${accountId}`;
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(await left()).toHaveLength(1);
    await runJob();
    fixture.settings.clock.advance(6 * 3_600_000);
  }
  expect(await left()).toHaveLength(0);
  expect(errors).toHaveLength(10);
});
