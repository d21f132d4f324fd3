import { afterEach, expect, test } from "vitest";
import { parseRange } from "../../platform/network/address.ts";
import { readCookie, writeCookies } from "../sites/actions/cookies.ts";
import { createBrowser, newPerson, PASSWORD } from "./testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "./testing/fixture.ts";

const TOKEN = "t".repeat(43);
const fixtures: PortalFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close();
});

async function createFixture(...options: Parameters<typeof createPortalFixture>) {
  const fixture = await createPortalFixture(...options);
  fixtures.push(fixture);
  const { accountId } = await fixture.newAccount();
  return { fixture, accountId };
}

test("over https the cookie has the __Host- prefix, Secure, HttpOnly and SameSite", () => {
  expect(writeCookies("portal", { token: TOKEN, maxAgeSeconds: 60 }, true)).toEqual([
    `__Host-corprail_portal=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure`,
  ]);
  const devices = [TOKEN, "u".repeat(43)];
  expect(writeCookies("console", { token: TOKEN, devices }, true)[1]).toBe(
    `__Host-corprail_console_device=${devices.join(".")}; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000; Secure`,
  );
});

test("over http on this machine the cookie has no attributes that need https", () => {
  expect(writeCookies("portal", { token: TOKEN, maxAgeSeconds: 60 }, false)).toEqual([
    `corprail_portal=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`,
  ]);
});

test("a cookie is removed under the name it was set with", () => {
  expect(writeCookies("portal", { token: null }, true)).toEqual([
    "__Host-corprail_portal=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure",
  ]);
});

test.each([
  ["another one's name", `xcorprail_portal=${TOKEN}`],
  ["the name that http uses", `corprail_portal=${TOKEN}`],
  ["one twice", `__Host-corprail_portal=${TOKEN}; __Host-corprail_portal=${TOKEN}`],
  ["a short one", "__Host-corprail_portal=abc"],
  ["strange letters", `__Host-corprail_portal=${"é".repeat(43)}`],
])("over https %s is no session", (_what, header) => expect(readCookie("portal", header, true)).toBeNull());

test("with a configured https address, a sign-in sets the __Host- cookie and requires that origin", async () => {
  const { fixture, accountId } = await createFixture();
  const { email } = await newPerson(fixture, accountId);
  const secured = await createPortalFixture({ change: { ...fixture.ctx, publicUrl: "https://pay.example" } });
  fixtures.unshift(secured);
  const browser = createBrowser(secured, "__Host-corprail_portal");
  const sign = (origin: string) => browser.post("/sign-in", { email, password: PASSWORD }, { origin });
  expect((await sign(secured.base)).status).toBe(403);
  const answer = await sign("https://pay.example");
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-corprail_portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/,
  );
  expect((await browser.get("/session")).body.signed_in).toBe(true);
});

test("forwarded scheme and address are used only from a trusted proxy", async () => {
  const forwarded = { "x-forwarded-for": "6.6.6.6, 203.0.113.7", "x-forwarded-proto": "https" };
  const trusted = await createFixture({ change: { trustedProxies: [parseRange("127.0.0.0/8")].filter((range) => range !== null) } });
  const untrusted = await createFixture();
  for (const [{ fixture, accountId }, scheme, address] of [
    [trusted, "https", "203.0.113.7"],
    [untrusted, "http", "127.0.0.1"],
  ] as const) {
    const { email } = await newPerson(fixture, accountId);
    const browser = createBrowser(fixture, scheme === "https" ? "__Host-corprail_portal" : "corprail_portal");
    const headers = { ...forwarded, origin: fixture.base.replace("http:", `${scheme}:`) };
    expect((await browser.post("/sign-in", { email, password: PASSWORD }, headers)).status).toBe(200);
    const { sessions } = (await browser.get("/security", forwarded)).body;
    expect(sessions.find((session: { current: boolean }) => session.current).address).toBe(address);
  }
});
