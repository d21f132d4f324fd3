import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRange } from "../../accounts/address.ts";
import { type Browser, codeOf, enableTotp, newPerson, openBrowser, PASSWORD } from "../testing/browser.ts";
import { openPortalHouse, type PortalHouse } from "../testing/house.ts";

const PROXY = [parseRange("127.0.0.0/8")].filter((range) => range !== null);
let house: PortalHouse;
let second: PortalHouse;
let accountId: string;
beforeAll(async () => {
  house = await openPortalHouse({ change: { trustedProxies: PROXY } });
  // Another process on the same database.
  second = await openPortalHouse({ change: { ...house.ctx } });
  ({ accountId } = await house.newAccount());
});
afterAll(async () => {
  await second.close();
  await house.close();
});

const WRONG = "wrong horse battery";
const MINUTES = 60_000;
let network = 0;
const from = (address: string) => ({ "x-forwarded-for": address });
const elsewhere = () => from(`203.0.113.${++network}`);

const sign = (browser: Browser, email: string, password: string, headers = elsewhere()) =>
  browser.post("/sign-in", { email, password }, headers);
const fresh = (which = house) => openBrowser(which);

test.each(["known", "unknown"])(
  "five wrong passwords for a(n) %s address close it for a quarter of an hour, with the same answers",
  async (kind) => {
    const email = kind === "known" ? (await newPerson(house, accountId)).email : "nobody-at-all@shop.example";
    for (let wrong = 0; wrong < 5; wrong++) expect((await sign(fresh(), email, WRONG)).status).toBe(401);
    const closed = await sign(fresh(), email.toUpperCase(), PASSWORD);
    expect(closed).toMatchObject({
      status: 429,
      body: { error: "too_many_tries", message: "There were too many tries. Try again in 15 minutes." },
    });
    const seconds = Number(closed.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await sign(fresh(second), email, PASSWORD)).status).toBe(429);
    house.settings.clock.advance(15 * MINUTES);
    expect((await sign(fresh(), email, PASSWORD)).status).toBe(kind === "known" ? 200 : 401);
  },
);

test("of thirty guesses at once, in two processes, five are looked at", async () => {
  const { email } = await newPerson(house, accountId);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, guess) => sign(fresh(guess % 2 ? house : second), email, WRONG)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

test("a right password starts the count again", async () => {
  const { email } = await newPerson(house, accountId);
  for (let round = 0; round < 3; round++) {
    for (let wrong = 0; wrong < 4; wrong++) expect((await sign(fresh(), email, WRONG)).status).toBe(401);
    expect((await sign(fresh(), email, PASSWORD)).status).toBe(200);
  }
});

test("thirty wrong ones from one network close it, whomever they were for; a /64 of IPv6 is one network", async () => {
  const { email } = await newPerson(house, accountId);
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
    house.settings.clock.advance(15 * MINUTES);
  }
});

test("codes are guessed five times, however many sessions the password opens", async () => {
  const person = await newPerson(house, accountId);
  const { secret } = await enableTotp(house, person);
  for (let wrong = 0; wrong < 5; wrong++) {
    const browser = fresh();
    await sign(browser, person.email, PASSWORD);
    const path = wrong % 2 ? "/sign-in/totp" : "/sign-in/recovery";
    expect((await browser.post(path, { code: "000000" }, elsewhere())).status).toBe(401);
  }
  const browser = fresh();
  await sign(browser, person.email, PASSWORD);
  expect((await browser.post("/sign-in/totp", { code: codeOf(house, secret) }, elsewhere())).status).toBe(429);
});

test("an unknown address takes as long as a wrong password", async () => {
  const { email } = await newPerson(house, accountId);
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
