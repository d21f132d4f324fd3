import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../../../e2e/harness/deadline.ts";
import { createBrowser, enableTotp, newPerson, PASSWORD } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createPortalFixture();
  ({ accountId } = await fixture.newAccount());
});
afterAll(() => fixture.close());

const NEXT = "staple battery horse";
const ask = (email: string, headers = {}) => createBrowser(fixture).post("/password/reset-request", { email }, headers);
const reset = (token: string, password = NEXT) => createBrowser(fixture).post("/password/reset", { token, password });

async function mailedToken(email: string, count = 1): Promise<string> {
  const mail = await until("the link is mailed", () => fixture.mails.filter(({ to }) => to === email)[count - 1]);
  return /\/portal\/password-reset#(rst_[\w-]{43})$/m.exec(mail.text)?.[1] ?? "";
}

test("a mailed link sets a new password once and ends every session; the second factor stays owed", async () => {
  const person = await newPerson(fixture, accountId);
  await enableTotp(fixture, person);
  expect(await ask(person.email)).toMatchObject({ status: 200, body: {} });
  const token = await mailedToken(person.email);
  expect((await reset(token, "short")).status).toBe(400);
  const answers = await Promise.all([reset(token), reset(token), reset(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect(answers.every(({ headers }) => headers.get("set-cookie") === null)).toBe(true);
  expect((await person.browser.get("/security")).status).toBe(401);
  expect((await createBrowser(fixture).post("/sign-in", { email: person.email, password: PASSWORD })).status).toBe(401);
  expect((await createBrowser(fixture).post("/sign-in", { email: person.email, password: NEXT })).body.stage).toBe("half");
});

test("a link ends within the hour, when a newer one is asked for, and when the password is changed", async () => {
  const { email, browser } = await newPerson(fixture, accountId);
  await ask(email);
  const first = await mailedToken(email);
  await ask(email);
  const second = await mailedToken(email, 2);
  expect((await reset(first)).status).toBe(404);
  await browser.post("/password", { current: PASSWORD, next: NEXT });
  expect((await reset(second)).status).toBe(404);
  await ask(email);
  const third = await mailedToken(email, 3);
  fixture.settings.clock.advance(60 * 60_000);
  expect((await reset(third)).status).toBe(404);
});

test("an unknown address is answered as a known one, and nothing is mailed", async () => {
  const { email } = await newPerson(fixture, accountId);
  const [known, unknown] = [await ask(email), await ask("nobody@shop.example")];
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  await mailedToken(email);
  expect(fixture.mails.some(({ to }) => to === "nobody@shop.example")).toBe(false);
});

test("one address is mailed three times in a quarter of an hour at most", async () => {
  const { email } = await newPerson(fixture, accountId);
  for (let time = 0; time < 5; time++) expect((await ask(email)).status).toBe(200);
  const last = await newPerson(fixture, accountId);
  await ask(last.email);
  await mailedToken(last.email);
  await until("three were mailed", () => fixture.mails.filter(({ to }) => to === email).length === 3);
  const [row] = await fixture.ctx.sql<{ count: number }[]>`
    select count(*)::int as count from audit_log where action = 'portal_user.password_reset_requested'
      and subject_id = (select user_id from users where email = ${email})`;
  expect(row?.count).toBe(3);
});

test("a link never leads to the host of the request", async () => {
  const { email } = await newPerson(fixture, accountId);
  const { request } = await import("node:http");
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${fixture.base}/portal/api/password/reset-request`, {
      method: "POST",
      headers: { host: "evil.example", origin: "http://evil.example", "content-type": "application/json" },
    });
    sent.once("response", (reply) => resolve(reply.resume().statusCode)).once("error", reject);
    sent.end(JSON.stringify({ email }));
  });
  // Whoever it is, the reply says that no link can be sent to such an address.
  expect(status).toBe(409);
  expect(fixture.mails.some(({ to }) => to === email)).toBe(false);
});

test("without a mail server the reply never says that a link was sent, whatever the address", async () => {
  const { email } = await newPerson(fixture, accountId);
  const { mail } = fixture.ctx;
  Object.assign(fixture.ctx, { mail: { ...mail, isSetUp: false } });
  try {
    expect((await createBrowser(fixture).get("/session")).body).toMatchObject({ signed_in: false, mail: false });
    const answers = [await ask(email), await ask("nobody@shop.example")];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    expect(answers[0]?.body.message).toContain("sends no email");
    expect(answers[0]?.body.message).toBe(answers[1]?.body.message);
  } finally {
    Object.assign(fixture.ctx, { mail });
  }
  expect((await createBrowser(fixture).get("/session")).body).toMatchObject({ mail: true });
});
