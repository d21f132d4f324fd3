import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../../../e2e/harness/deadline.ts";
import { codeOf, createBrowser, enableTotp, newPerson, PASSWORD } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createPortalFixture();
  ({ accountId } = await fixture.newAccount());
});
afterAll(() => fixture.close());

test("a member's language is stored with the user, and mails are in it", async () => {
  const { browser, email } = await newPerson(fixture, accountId);
  expect(await browser.post("/language", { language: "Hindi" })).toMatchObject({
    status: 400,
    body: { fields: { language: expect.any(String) } },
  });
  expect(await browser.post("/language", { language: "hi" })).toMatchObject({ status: 200, body: { language: "hi" } });
  const other = createBrowser(fixture);
  await other.post("/sign-in", { email, password: PASSWORD });
  expect((await other.get("/session")).body.user.language).toBe("hi");
  await createBrowser(fixture).post("/password/reset-request", { email });
  const mail = await until("the link is mailed", () => fixture.mails.find(({ to }) => to === email));
  expect(mail).toMatchObject({ subject: "पोर्टल का नया पासवर्ड", text: expect.stringContaining("/portal/password-reset#rst_") });
});

const HOUR = 60 * 60_000;

test("a request without a session gets 401", async () => {
  expect((await createBrowser(fixture).get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
});

test("a right password opens a session that says who it is", async () => {
  const { email, userId } = await newPerson(fixture, accountId);
  const browser = createBrowser(fixture);
  const answer = await browser.post("/sign-in", { email: ` ${email.toUpperCase()} `, password: PASSWORD });
  expect(answer).toMatchObject({ status: 200, body: { stage: "full", methods: [] } });
  expect((await browser.get("/session")).body).toEqual({
    signed_in: true,
    stage: "full",
    csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    proved_at: expect.any(Number),
    methods: [],
    user: { user_id: userId, email, name: "Asha Rao", role: "owner", language: null },
    account: { account_id: accountId, name: "Asha Stores", sandbox: false, standing: "active", sandbox_id: null },
    needs: { second_factor: false },
    mode: "trial",
    mail: true,
    single_sign_on: false,
  });
});

test("an unknown address, a wrong password and a disabled user get one and the same answer", async () => {
  const { email } = await newPerson(fixture, accountId);
  const disabled = await newPerson(fixture, accountId);
  await fixture.ctx.sql`update users set disabled_at = now() where user_id = ${disabled.userId}`;
  const answers = [
    await createBrowser(fixture).post("/sign-in", { email, password: "wrong horse battery" }),
    await createBrowser(fixture).post("/sign-in", { email: "nobody@shop.example", password: PASSWORD }),
    await createBrowser(fixture).post("/sign-in", { email: disabled.email, password: PASSWORD }),
    await createBrowser(fixture).post("/sign-in", { email: "no address at all", password: PASSWORD }),
  ].map(({ status, body: { request_id: _id, ...body }, headers }) => ({ status, body, cookie: headers.get("set-cookie") }));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toEqual({
    status: 401,
    body: { error: "unauthorized", message: "The email address or the password is wrong." },
    cookie: null,
  });
});

test("only the digest of a session's token is in the database", async () => {
  const { browser, userId } = await newPerson(fixture, accountId);
  const token = browser.cookie() ?? "";
  expect(token).toMatch(/^[\w-]{43}$/);
  const rows = await fixture.ctx.sql`select * from sessions where user_id = ${userId}`;
  expect(rows[0]?.["digest"]).toEqual(createHash("sha256").update(token).digest());
  const csrf = (await browser.get("/session")).body.csrf_token;
  for (const secret of [token, csrf, Buffer.from(token, "base64url").toString("hex")]) expect(JSON.stringify(rows)).not.toContain(secret);
});

test("a token that was planted in the browser never becomes a session", async () => {
  const { email } = await newPerson(fixture, accountId);
  const planted = "A".repeat(43);
  const browser = createBrowser(fixture);
  browser.setCookie(planted);
  await browser.post("/sign-in", { email, password: PASSWORD });
  expect(browser.cookie()).not.toBe(planted);
  const thief = createBrowser(fixture);
  thief.setCookie(planted);
  expect((await thief.get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
});

test("signing in again ends the session that the browser had before", async () => {
  const { browser, email } = await newPerson(fixture, accountId);
  const before = browser.cookie();
  await browser.post("/sign-in", { email, password: PASSWORD });
  const old = createBrowser(fixture);
  old.setCookie(before);
  expect((await old.get("/session")).body.signed_in).toBe(false);
  expect((await browser.get("/session")).body.signed_in).toBe(true);
});

test("with an authenticator app the password opens half a session, which may do nothing but complete itself", async () => {
  const person = await newPerson(fixture, accountId);
  const { secret } = await enableTotp(fixture, person);
  const browser = createBrowser(fixture);
  const half = await browser.post("/sign-in", { email: person.email, password: PASSWORD });
  expect(half.body).toEqual({ stage: "half", methods: ["totp", "recovery"] });
  expect((await browser.get("/session")).body).toMatchObject({ stage: "half", needs: { second_factor: true } });
  expect((await browser.get("/security")).status).toBe(401);
  const halfToken = browser.cookie();
  expect(await browser.post("/sign-in/totp", { code: codeOf(fixture, secret) })).toMatchObject({ status: 200, body: { stage: "full" } });
  expect(browser.cookie()).not.toBe(halfToken);
  expect((await browser.get("/security")).status).toBe(200);
  const old = createBrowser(fixture);
  old.setCookie(halfToken);
  expect((await old.get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
});

test("a code of the authenticator app works once, also when it is sent many times at once", async () => {
  const person = await newPerson(fixture, accountId);
  const { secret } = await enableTotp(fixture, person);
  const browsers = await Promise.all(
    [1, 2, 3].map(async () => {
      const browser = createBrowser(fixture);
      await browser.post("/sign-in", { email: person.email, password: PASSWORD });
      return browser;
    }),
  );
  const code = codeOf(fixture, secret);
  const answers = await Promise.all(browsers.map((browser) => browser.post("/sign-in/totp", { code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  const later = createBrowser(fixture);
  await later.post("/sign-in", { email: person.email, password: PASSWORD });
  expect((await later.post("/sign-in/totp", { code })).status).toBe(401);
  expect((await later.post("/sign-in/totp", { code: codeOf(fixture, secret, -1) })).status).toBe(401);
});

test("a recovery code replaces the app once", async () => {
  const person = await newPerson(fixture, accountId);
  const { recoveryCodes } = await enableTotp(fixture, person);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [code = ""] = recoveryCodes;
  for (const status of [200, 401]) {
    const browser = createBrowser(fixture);
    await browser.post("/sign-in", { email: person.email, password: PASSWORD });
    expect((await browser.post("/sign-in/recovery", { code: code.toLowerCase().replaceAll("-", " ") })).status).toBe(status);
  }
  expect((await person.browser.get("/security")).body.recovery_codes_left).toBe(9);
});

test("without half a session no code is looked at", async () => {
  for (const path of ["/sign-in/totp", "/sign-in/recovery"])
    expect(await createBrowser(fixture).post(path, { code: "123456" })).toMatchObject({ status: 401, body: { error: "unauthorized" } });
});

test("half a session ends after ten minutes, a whole one after twelve idle hours and in any case after seven days", async () => {
  const own = await createPortalFixture();
  try {
    const account = await own.newAccount();
    const person = await newPerson(own, account.accountId);
    const alive = async () => (await person.browser.get("/session")).body.signed_in;
    own.settings.clock.advance(12 * HOUR - 60_000);
    expect(await alive()).toBe(true);
    own.settings.clock.advance(12 * HOUR + 1000);
    expect(await alive()).toBe(false);
    await person.browser.post("/sign-in", { email: person.email, password: PASSWORD });
    for (let hours = 10; hours < 7 * 24; hours += 10) {
      own.settings.clock.advance(10 * HOUR);
      expect(await alive()).toBe(true);
    }
    own.settings.clock.advance(8 * HOUR);
    expect(await alive()).toBe(false);
    await person.browser.post("/sign-in", { email: person.email, password: PASSWORD });
    await enableTotp(own, person);
    await person.browser.post("/sign-in", { email: person.email, password: PASSWORD });
    expect(await alive()).toBe(true);
    own.settings.clock.advance(10 * 60_000);
    expect(await alive()).toBe(false);
  } finally {
    await own.close();
  }
});

test("when somebody was last seen is written at most once a minute", async () => {
  const { browser, userId } = await newPerson(fixture, accountId);
  const seen = async () => (await fixture.ctx.sql<{ xmin: string }[]>`select xmin::text from sessions where user_id = ${userId}`)[0]?.xmin;
  const first = await seen();
  for (let round = 0; round < 5; round++) await browser.get("/session");
  expect(await seen()).toBe(first);
  fixture.settings.clock.advance(61_000);
  await browser.get("/session");
  expect(await seen()).not.toBe(first);
});

test("signing out ends the session and takes the cookie", async () => {
  const { browser } = await newPerson(fixture, accountId);
  const token = browser.cookie();
  const answer = await browser.post("/sign-out");
  expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  browser.setCookie(token);
  expect((await browser.get("/session")).body.signed_in).toBe(false);
});

test("every way in and out is in the audit log, refused ones too, and no secret of them", async () => {
  const person = await newPerson(fixture, accountId);
  const { secret, recoveryCodes } = await enableTotp(fixture, person);
  const browser = createBrowser(fixture);
  await browser.post("/sign-in", { email: person.email, password: "wrong horse battery" });
  await browser.post("/sign-in", { email: person.email, password: PASSWORD });
  await browser.post("/sign-in/totp", { code: codeOf(fixture, secret) });
  await browser.post("/sign-out");
  const rows = await until("the refused one is written", async () => {
    const found = await fixture.ctx.sql<{ action: string; details: string }[]>`
      select action, details from audit_log where subject_kind = 'portal_user' and subject_id = ${person.userId} order by seq`;
    return found.length === 7 && found;
  });
  expect(rows.map((row) => row.action.replace("portal_user.", "")).sort()).toEqual(
    ["invitation_accepted", "totp_started", "totp_enabled", "sign_in_refused", "password_accepted", "signed_in", "signed_out"].sort(),
  );
  expect(rows.every((row) => JSON.parse(row.details).account_id === accountId)).toBe(true);
  for (const word of [secret, PASSWORD, "wrong horse", ...recoveryCodes]) expect(JSON.stringify(rows)).not.toContain(word);
});
