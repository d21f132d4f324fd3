import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, createBrowser, enableTotp, newPerson, PASSWORD } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createPortalFixture();
  ({ accountId } = await fixture.newAccount());
});
afterAll(() => fixture.close());

const NEXT = "staple battery horse";

async function another(email: string) {
  const browser = createBrowser(fixture);
  expect((await browser.post("/sign-in", { email, password: PASSWORD })).status).toBe(200);
  return browser;
}

test("a proof is good for five minutes, and a sign-in is one", async () => {
  const { browser } = await newPerson(fixture, accountId);
  const ask = () => browser.post("/team/invitations", { email: "x", role: "owner" });
  fixture.settings.clock.advance(5 * 60_000 - 5_000);
  expect((await ask()).body.error).toBe("invalid_request");
  fixture.settings.clock.advance(10_000);
  expect(await ask()).toMatchObject({ status: 403, body: { error: "step_up_required" } });
  expect(await browser.post("/step-up", { password: "wrong horse battery" })).toMatchObject({
    status: 400,
    body: { fields: { password: expect.any(String) } },
  });
  expect((await ask()).body.error).toBe("step_up_required");
  const proved = await browser.post("/step-up", { password: PASSWORD });
  expect(proved.body.proved_at).toBe(Math.floor((await browser.get("/session")).body.proved_at));
  expect((await ask()).body.error).toBe("invalid_request");
});

test("a code proves as well, once, and only one proof is taken at a time", async () => {
  const person = await newPerson(fixture, accountId);
  const { secret } = await enableTotp(fixture, person);
  const totp = codeOf(fixture, secret);
  expect((await person.browser.post("/step-up", { password: PASSWORD, totp })).status).toBe(400);
  expect((await person.browser.post("/step-up", {})).status).toBe(400);
  expect((await person.browser.post("/step-up", { totp })).status).toBe(200);
  expect((await person.browser.post("/step-up", { totp })).status).toBe(400);
});

test("five wrong proofs lock step-up for 15 minutes, also for the right proof", async () => {
  const { browser } = await newPerson(fixture, accountId);
  for (let wrong = 0; wrong < 5; wrong++) expect((await browser.post("/step-up", { totp: "000000" })).status).toBe(400);
  const closed = await browser.post("/step-up", { password: PASSWORD });
  expect(closed).toMatchObject({ status: 429, body: { error: "too_many_tries" } });
  expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(800);
  fixture.settings.clock.advance(15 * 60_000);
  expect((await browser.post("/step-up", { password: PASSWORD })).status).toBe(200);
});

test("a new password ends all other sessions and works from then on", async () => {
  const { browser, email } = await newPerson(fixture, accountId);
  const other = await another(email);
  expect((await browser.post("/password", { current: "wrong horse battery", next: NEXT })).body.fields).toEqual({ current: "Is wrong." });
  expect((await browser.post("/password", { current: PASSWORD, next: "short" })).body.fields.next).toContain("12");
  expect((await browser.post("/password", { current: PASSWORD, next: email })).body.fields.next).toContain("email");
  expect((await other.get("/security")).status).toBe(200);
  expect((await browser.post("/password", { current: PASSWORD, next: NEXT })).status).toBe(200);
  expect((await other.get("/security")).status).toBe(401);
  expect((await browser.get("/security")).status).toBe(200);
  expect((await createBrowser(fixture).post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
  expect((await createBrowser(fixture).post("/sign-in", { email, password: NEXT })).status).toBe(200);
});

test("sessions are listed with where they are from, and each can be ended", async () => {
  const { browser, email } = await newPerson(fixture, accountId);
  const [second, third, fourth] = [await another(email), await another(email), await another(email)];
  const { sessions } = (await second.get("/security")).body;
  expect(sessions).toHaveLength(4);
  expect(sessions.filter((session: { current: boolean }) => session.current)).toEqual([
    {
      session_id: expect.any(String),
      current: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      last_seen_at: expect.any(String),
      address: "127.0.0.1",
      user_agent: "A test's browser",
    },
  ]);
  const thirdId = (await third.get("/security")).body.sessions.find((session: { current: boolean }) => session.current).session_id;
  expect((await second.post(`/security/sessions/${thirdId}/revoke`)).status).toBe(200);
  expect((await third.get("/security")).status).toBe(401);
  expect((await second.post(`/security/sessions/${thirdId}/revoke`)).status).toBe(404);
  expect((await second.post("/security/sessions/revoke-others")).body).toEqual({ ended: 2 });
  for (const ended of [browser, fourth]) expect((await ended.get("/security")).status).toBe(401);
  expect((await second.get("/security")).status).toBe(200);
});

test("another user's session cannot be ended", async () => {
  const [mine, theirs] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const { sessions } = (await theirs.browser.get("/security")).body;
  expect((await mine.browser.post(`/security/sessions/${sessions[0].session_id}/revoke`)).status).toBe(404);
  expect((await theirs.browser.get("/security")).status).toBe(200);
});

test("an authenticator app counts from its first right code on, and its secret is kept sealed", async () => {
  const { browser, userId, email } = await newPerson(fixture, accountId);
  const { secret, uri } = (await browser.post("/security/totp/start")).body;
  expect(uri).toBe(`otpauth://totp/Corprail:${encodeURIComponent(email)}?secret=${secret}&issuer=Corprail`);
  expect((await another(email)).cookie()).not.toBeNull();
  expect((await browser.get("/security")).body.totp).toEqual({ enabled: false });
  expect((await browser.post("/security/totp/confirm", { code: "000000" })).status).toBe(400);
  expect((await browser.post("/security/totp/confirm", { code: codeOf(fixture, secret, -2) })).status).toBe(400);
  const confirmed = await browser.post("/security/totp/confirm", { code: codeOf(fixture, secret) });
  expect(confirmed.body.recovery_codes).toHaveLength(10);
  expect((await browser.get("/security")).body).toMatchObject({ totp: { enabled: true }, recovery_codes_left: 10 });
  expect((await browser.post("/security/totp/start")).status).toBe(409);
  const kept = await fixture.ctx.sql<{ row: string }[]>`
    select user_totps::text as row from user_totps where user_id = ${userId}
    union all select recovery_codes::text from recovery_codes where user_id = ${userId}`;
  expect(kept).toHaveLength(11);
  for (const word of [secret, ...confirmed.body.recovery_codes])
    for (const form of [word, Buffer.from(word).toString("hex")]) expect(JSON.stringify(kept)).not.toContain(form);
});

test("switched off, neither the app nor its recovery codes are asked for", async () => {
  const person = await newPerson(fixture, accountId);
  await enableTotp(fixture, person);
  expect((await person.browser.post("/security/totp/disable")).status).toBe(200);
  expect((await person.browser.post("/security/totp/disable")).status).toBe(409);
  expect((await person.browser.get("/security")).body).toMatchObject({ totp: { enabled: false }, recovery_codes_left: 0 });
  expect((await createBrowser(fixture).post("/sign-in", { email: person.email, password: PASSWORD })).body.stage).toBe("full");
});

test("new recovery codes end the old ones, and without a second factor there are none", async () => {
  const person = await newPerson(fixture, accountId);
  expect((await person.browser.post("/security/recovery-codes")).status).toBe(409);
  const { recoveryCodes } = await enableTotp(fixture, person);
  const renewed = (await person.browser.post("/security/recovery-codes")).body.recovery_codes;
  const browser = await another(person.email);
  expect((await browser.post("/sign-in/recovery", { code: recoveryCodes[0] ?? "" })).status).toBe(401);
  expect((await browser.post("/sign-in/recovery", { code: renewed[0] })).status).toBe(200);
});
