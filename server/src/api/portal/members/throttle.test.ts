import { afterAll, beforeAll, expect, test } from "vitest";
import { requestPasswordReset, resetPassword } from "../../../domain/auth/passwords/reset-password.ts";
import { countAttempts } from "../../../domain/auth/sessions/throttle.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { parseRange } from "../../../platform/network/address.ts";
import { type Browser, codeOf, createBrowser, enableTotp, newPerson, PASSWORD } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

const PROXY = [parseRange("127.0.0.0/8")].filter((range) => range !== null);
let fixture: PortalFixture;
let second: PortalFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createPortalFixture({ change: { trustedProxies: PROXY } });
  // Another process on the same database.
  second = await createPortalFixture({ change: { ...fixture.ctx } });
  ({ accountId } = await fixture.newAccount());
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

const WRONG = "wrong horse battery";
const MINUTES = 60_000;
let network = 0;
const from = (address: string) => ({ "x-forwarded-for": address });
const elsewhere = () => from(`203.0.${113 + (++network >> 8)}.${network & 255}`);

const sign = (browser: Browser, email: string, password: string, headers = elsewhere()) =>
  browser.post("/sign-in", { email, password }, headers);
const fresh = (which = fixture) => createBrowser(which);

test.each(["known", "unknown"])(
  "five wrong passwords for a(n) %s address from one network close it there for a quarter of an hour, with the same answers",
  async (kind) => {
    const email = kind === "known" ? (await newPerson(fixture, accountId)).email : "nobody-at-all@shop.example";
    const there = elsewhere();
    for (let wrong = 0; wrong < 5; wrong++) expect((await sign(fresh(), email, WRONG, there)).status).toBe(401);
    const closed = await sign(fresh(), email.toUpperCase(), PASSWORD, there);
    expect(closed).toMatchObject({
      status: 429,
      body: { error: "too_many_tries", message: "There were too many attempts. Try again in 15 minutes." },
    });
    const seconds = Number(closed.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await sign(fresh(second), email, PASSWORD, there)).status).toBe(429);
    // Whoever knows the password and is elsewhere is not kept out by it.
    expect((await sign(fresh(second), email, PASSWORD)).status).toBe(kind === "known" ? 200 : 401);
    fixture.settings.clock.advance(15 * MINUTES);
    expect((await sign(fresh(), email, PASSWORD, there)).status).toBe(kind === "known" ? 200 : 401);
  },
);

test("of thirty guesses at once from one network, in two processes, five are looked at", async () => {
  const { email } = await newPerson(fixture, accountId);
  const there = elsewhere();
  const guesses = Array.from({ length: 30 }, (_, guess) => sign(fresh(guess % 2 ? fixture : second), email, WRONG, there));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

test.each(["known", "unknown"])("guesses for a(n) %s address that are spread over many networks are bounded as well", async (kind) => {
  const email = kind === "known" ? (await newPerson(fixture, accountId)).email : "nobody-far-and-wide@shop.example";
  for (let wrong = 0; wrong < 25; wrong++) await countAttempts(fixture.ctx.auth, [{ scope: "email", key: email }]);
  const guesses = Array.from({ length: 10 }, (_, guess) => sign(fresh(guess % 2 ? fixture : second), email, WRONG));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect((await sign(fresh(), email, PASSWORD)).status).toBe(429);
});

/** As after wrong passwords from everywhere: the address is closed, and the network too. */
async function besiege(email: string, there: ReturnType<typeof from>): Promise<void> {
  const counted = [
    { scope: "email", key: email },
    { scope: "address", key: there["x-forwarded-for"] },
  ] as const;
  for (let wrong = 0; wrong < 31; wrong++) await countAttempts(fixture.ctx.auth, counted);
  expect((await sign(fresh(), email, PASSWORD, there)).status).toBe(429);
}

test("wrong passwords of others never block a browser that has signed in before, its second factor included", async () => {
  const person = await newPerson(fixture, accountId);
  const { browser, email } = person;
  const { secret } = await enableTotp(fixture, person);
  await browser.post("/sign-out");
  const there = elsewhere();
  await besiege(email, there);
  expect((await sign(browser, email, PASSWORD, there)).body).toMatchObject({ stage: "half" });
  fixture.settings.clock.advance(MINUTES);
  expect((await browser.post("/sign-in/totp", { code: codeOf(fixture, secret) }, there)).status).toBe(200);
  fixture.settings.clock.advance(15 * MINUTES);
});

test("a known browser guesses ten times by itself, and then counts like any other", async () => {
  const { browser, email } = await newPerson(fixture, accountId);
  await browser.post("/sign-out");
  const there = elsewhere();
  await besiege(email, there);
  for (let wrong = 0; wrong < 10; wrong++) expect((await sign(browser, email, WRONG, there)).status).toBe(401);
  expect((await sign(browser, email, PASSWORD, there)).status).toBe(429);
  fixture.settings.clock.advance(15 * MINUTES);
});

test("a browser is known for whom it has signed in, for them alone, until the password is reset or they are disabled", async () => {
  const [one, other] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const there = elsewhere();
  await besiege(other.email, there);
  await one.browser.post("/sign-out");
  expect((await sign(one.browser, other.email, PASSWORD, there)).status).toBe(429);
  const { sql } = fixture.ctx;
  const known = async (userId: string) =>
    (await sql<{ count: number }[]>`select count(*)::int as count from known_devices where user_id = ${userId}`)[0]?.count;
  expect([await known(one.userId), await known(other.userId)]).toEqual([1, 1]);
  await changeMember(fixture.ctx.auth, "test", { accountId, userId: one.userId }, { disabled: true });
  const reset = await requestPasswordReset(fixture.ctx.auth, other.email, "192.0.2.7");
  await resetPassword(fixture.ctx.auth, reset?.token ?? "", "another quiet harbour");
  expect([await known(one.userId), await known(other.userId)]).toEqual([0, 0]);
  fixture.settings.clock.advance(15 * MINUTES);
});

test("a browser of several people knows them all; a made-up token is not recognised", async () => {
  const [one, other] = [await newPerson(fixture, accountId), await newPerson(fixture, accountId)];
  const { browser } = one;
  await sign(browser, other.email, PASSWORD);
  await browser.post("/sign-out");
  for (const { email } of [one, other]) {
    const there = elsewhere();
    await besiege(email, there);
    const made = { ...there, cookie: `corprail_portal_device=${"x".repeat(43)}` };
    expect((await sign(fresh(), email, PASSWORD, made)).status).toBe(429);
    expect((await sign(browser, email, PASSWORD, there)).status).toBe(200);
    await browser.post("/sign-out");
    fixture.settings.clock.advance(15 * MINUTES);
  }
});

test("a right password starts the count again", async () => {
  const { email } = await newPerson(fixture, accountId);
  const there = elsewhere();
  for (let round = 0; round < 3; round++) {
    for (let wrong = 0; wrong < 4; wrong++) expect((await sign(fresh(), email, WRONG, there)).status).toBe(401);
    expect((await sign(fresh(), email, PASSWORD, there)).status).toBe(200);
  }
});

test("thirty wrong ones from one network close it, whomever they were for; a /64 of IPv6 is one network", async () => {
  const { email } = await newPerson(fixture, accountId);
  for (const [one, neighbour, stranger] of [
    ["198.51.100.1", "198.51.100.1", "198.51.100.2"],
    ["2001:db8:1:1::1", "2001:db8:1:1:ffff::9", "2001:db8:1:2::1"],
  ] as const) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => sign(fresh(), `g${guess}-${one.length}@shop.example`, WRONG, from(one))),
    );
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect((await sign(fresh(), email, PASSWORD, from(neighbour))).status).toBe(429);
    expect((await sign(fresh(), email, PASSWORD, from(stranger))).status).toBe(200);
    fixture.settings.clock.advance(15 * MINUTES);
  }
});

test("codes are guessed five times, however many sessions the password opens", async () => {
  const person = await newPerson(fixture, accountId);
  const { secret } = await enableTotp(fixture, person);
  for (let wrong = 0; wrong < 5; wrong++) {
    const browser = fresh();
    await sign(browser, person.email, PASSWORD);
    const path = wrong % 2 ? "/sign-in/totp" : "/sign-in/recovery";
    expect((await browser.post(path, { code: "000000" }, elsewhere())).status).toBe(401);
  }
  const browser = fresh();
  await sign(browser, person.email, PASSWORD);
  expect((await browser.post("/sign-in/totp", { code: codeOf(fixture, secret) }, elsewhere())).status).toBe(429);
});

test("codes that somebody else guesses lock the owner out of neither a known browser nor an open session", async () => {
  const person = await newPerson(fixture, accountId);
  const { browser: open, email } = person;
  const { secret } = await enableTotp(fixture, person);
  const known = fresh();
  await sign(known, email, PASSWORD);
  fixture.settings.clock.advance(MINUTES);
  expect((await known.post("/sign-in/totp", { code: codeOf(fixture, secret) })).status).toBe(200);
  await known.post("/sign-out");
  const thief = fresh();
  await sign(thief, email, PASSWORD);
  for (let wrong = 0; wrong < 5; wrong++) expect((await thief.post("/sign-in/totp", { code: "000000" }, elsewhere())).status).toBe(401);
  expect((await thief.post("/sign-in/totp", { code: "000000" }, elsewhere())).status).toBe(429);
  fixture.settings.clock.advance(MINUTES);
  await sign(known, email, PASSWORD);
  expect((await known.post("/sign-in/totp", { code: codeOf(fixture, secret) })).status).toBe(200);
  fixture.settings.clock.advance(MINUTES);
  expect((await open.post("/step-up", { totp: codeOf(fixture, secret) })).status).toBe(200);
  for (let wrong = 0; wrong < 5; wrong++) expect((await open.post("/step-up", { totp: "000000" })).status).toBe(400);
  expect((await open.post("/step-up", { totp: "000000" })).status).toBe(429);
});

test("an unknown address takes as long as a wrong password", async () => {
  const { email } = await newPerson(fixture, accountId);
  const timed = async (address: string) => {
    const began = performance.now();
    await sign(fresh(), address, WRONG);
    return performance.now() - began;
  };
  await timed("warm@shop.example");
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let round = 0; round < 4; round++) {
    known.push(await timed(email));
    unknown.push(await timed(`stranger${round}@shop.example`));
  }
  // Without the comparison an unknown one would be answered in a twentieth of the time.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
});
