import { afterAll, beforeAll, expect, test } from "vitest";
import { softwareAuthenticator, type Tricks } from "../testing/authenticator.ts";
import { type Browser, createBrowser, newPerson, PASSWORD, type Person } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createPortalFixture();
  ({ accountId } = await fixture.newAccount());
});
afterAll(() => fixture.close());

async function register({ browser }: Person, tricks: Tricks = {}) {
  const key = softwareAuthenticator(fixture.base);
  const { options } = (await browser.post("/security/passkeys/options")).body;
  const answer = await browser.post("/security/passkeys", { name: "Laptop", response: key.create(options, tricks) });
  return { key, options, answer };
}

async function question(browser: Browser, path = "/sign-in/passkey") {
  return (await browser.post(`${path}/options`)).body.options;
}

async function halfSession(email: string): Promise<Browser> {
  const browser = createBrowser(fixture);
  expect((await browser.post("/sign-in", { email, password: PASSWORD })).body).toEqual({ stage: "half", methods: ["passkey", "recovery"] });
  return browser;
}

test("a passkey is registered, listed, and comes with recovery codes when it is the first second factor", async () => {
  const person = await newPerson(fixture, accountId);
  const { answer, options } = await register(person);
  expect(options).toMatchObject({ rp: { id: "127.0.0.1", name: "Corprail" }, user: { name: person.email } });
  expect(answer).toMatchObject({ status: 200, body: { passkey_id: expect.any(String) } });
  expect(answer.body.recovery_codes).toHaveLength(10);
  const { passkeys, recovery_codes_left: left } = (await person.browser.get("/security")).body;
  expect(passkeys).toEqual([{ passkey_id: answer.body.passkey_id, name: "Laptop", created_at: expect.any(String), last_used_at: null }]);
  expect(left).toBe(10);
  const next = await register(person);
  expect(next.answer.body.recovery_codes).toBeNull();
  expect(next.options.excludeCredentials).toHaveLength(1);
});

test.each<[string, Tricks]>([
  ["another site", { origin: "https://evil.example" }],
  ["another host", { host: "evil.example" }],
])("a passkey made for %s is not registered", async (_what, tricks) => {
  const person = await newPerson(fixture, accountId);
  expect((await register(person, tricks)).answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  expect((await person.browser.get("/security")).body.passkeys).toEqual([]);
});

test("a registration's challenge is good once, for five minutes, and for whom it was made", async () => {
  const [person, other] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const { key, options } = await register(person);
  const again = (browser: Browser, asked: unknown) => browser.post("/security/passkeys", { name: "Again", response: key.create(asked) });
  expect((await again(person.browser, options)).status).toBe(400);
  const theirs = (await other.browser.post("/security/passkeys/options")).body.options;
  expect((await again(person.browser, theirs)).status).toBe(400);
  const late = (await person.browser.post("/security/passkeys/options")).body.options;
  fixture.settings.clock.advance(5 * 60_000);
  expect((await again(person.browser, late)).status).toBe(400);
});

test("after the password a passkey completes the sign-in under a new token, and each answer works once", async () => {
  const person = await newPerson(fixture, accountId);
  const { key } = await register(person);
  const browser = await halfSession(person.email);
  const options = await question(browser);
  expect(options.allowCredentials).toHaveLength(1);
  const before = browser.cookie();
  const response = key.get(options, { verified: false });
  expect((await browser.post("/sign-in/passkey", { response })).body.stage).toBe("full");
  expect(browser.cookie()).not.toBe(before);
  expect((await browser.get("/security")).body.passkeys[0].last_used_at).not.toBeNull();
  const replay = await halfSession(person.email);
  expect((await replay.post("/sign-in/passkey", { response })).status).toBe(401);
});

test("a passkey alone signs in who it belongs to, when it has verified them", async () => {
  const person = await newPerson(fixture, accountId);
  const { key } = await register(person);
  const browser = createBrowser(fixture);
  expect((await question(browser)).allowCredentials).toEqual([]);
  const unverified = key.get(await question(browser), { verified: false });
  expect((await browser.post("/sign-in/passkey", { response: unverified })).status).toBe(401);
  const options = await question(browser);
  expect(options.userVerification).toBe("required");
  expect((await browser.post("/sign-in/passkey", { response: key.get(options) })).body.stage).toBe("full");
  expect((await browser.get("/session")).body.user.user_id).toBe(person.userId);
});

test.each<[string, Tricks]>([
  ["another site", { origin: "https://evil.example" }],
  ["another host", { host: "evil.example" }],
  ["a count that went back, as of a copy", { counter: 1 }],
])("an answer with %s is refused", async (_what, tricks) => {
  const person = await newPerson(fixture, accountId);
  const { key } = await register(person);
  const browser = createBrowser(fixture);
  expect((await browser.post("/sign-in/passkey", { response: key.get(await question(browser), tricks) })).status).toBe(401);
  expect(browser.cookie()).toBeNull();
});

test("an answer to a challenge of another purpose, another person or another time is refused", async () => {
  const [person, other] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const { key } = await register(person);
  await register(other);
  const stranger = createBrowser(fixture);
  const proof = await question(person.browser, "/step-up/passkey");
  const ofOther = await question(await halfSession(other.email));
  const late = await question(stranger);
  fixture.settings.clock.advance(5 * 60_000);
  for (const options of [proof, ofOther, late, { challenge: "x".repeat(43) }])
    expect((await stranger.post("/sign-in/passkey", { response: key.get(options) })).status).toBe(401);
});

test("the passkey of somebody else does not complete a sign-in", async () => {
  const [person, other] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  await register(person);
  const { key } = await register(other);
  const browser = await halfSession(person.email);
  expect((await browser.post("/sign-in/passkey", { response: key.get(await question(browser)) })).status).toBe(401);
});

test("a passkey that was deleted, or whose owner is locked out, opens nothing", async () => {
  const [person, locked] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const [first, second] = [await register(person), await register(locked)];
  expect((await person.browser.post(`/security/passkeys/${first.answer.body.passkey_id}/delete`)).status).toBe(200);
  expect((await person.browser.post(`/security/passkeys/${second.answer.body.passkey_id}/delete`)).status).toBe(404);
  await fixture.ctx.sql`update users set disabled_at = now() where user_id = ${locked.userId}`;
  for (const { key } of [first, second]) {
    const browser = createBrowser(fixture);
    expect((await browser.post("/sign-in/passkey", { response: key.get(await question(browser)) })).status).toBe(401);
  }
  expect((await person.browser.get("/security")).body).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
});

test("a passkey proves who is there", async () => {
  const person = await newPerson(fixture, accountId);
  const { key } = await register(person);
  fixture.settings.clock.advance(6 * 60_000);
  expect((await person.browser.post("/security/recovery-codes")).body.error).toBe("step_up_required");
  const wrong = key.get(await question(person.browser, "/step-up/passkey"), { verified: false });
  expect((await person.browser.post("/step-up/passkey", { response: wrong })).status).toBe(400);
  const response = key.get(await question(person.browser, "/step-up/passkey"));
  expect((await person.browser.post("/step-up/passkey", { response })).status).toBe(200);
  expect((await person.browser.post("/security/recovery-codes")).status).toBe(200);
});

test("what is no answer of an authenticator is refused in order", async () => {
  const person = await newPerson(fixture, accountId);
  for (const response of [
    {},
    {
      id: "x",
      rawId: "x",
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: "!", authenticatorData: "", signature: "" },
    },
  ])
    expect([400, 401]).toContain((await createBrowser(fixture).post("/sign-in/passkey", { response })).status);
  const response = {
    id: "x",
    rawId: "x",
    type: "public-key",
    clientExtensionResults: {},
    response: { clientDataJSON: "e30", attestationObject: "oA" },
  };
  expect((await person.browser.post("/security/passkeys", { name: "x", response })).status).toBe(400);
  expect(fixture.logged).toEqual([]);
});
