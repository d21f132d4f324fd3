import { afterAll, beforeAll, expect, test } from "vitest";
import { invite } from "../../../domain/auth/team/invite.ts";
import { codeOf, createBrowser, enableTotp, PASSWORD } from "../../portal/testing/browser.ts";
import { type ConsoleFixture, createConsoleFixture } from "./testing/fixture.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

async function accepted(email: string) {
  const invited = await invite(fixture.deps.staff, "test", { accountId: null, email, role: "admin" });
  if (invited.kind !== "done") throw new Error(invited.kind);
  const browser = createBrowser(fixture);
  const answer = await browser.post("/invitations/accept", { token: invited.token, name: "Meera Nair", password: PASSWORD });
  expect(answer.body).toMatchObject({ stage: "enrol" });
  return browser;
}

test("who accepts an invitation sets up a second factor and can do nothing else before", async () => {
  const browser = await accepted("enrol@corprail.example");
  expect((await browser.get("/session")).body).toMatchObject({ signed_in: true, stage: "enrol", needs: { second_factor: true } });
  for (const path of ["/accounts", "/staff", "/security", "/orders/X1"]) expect((await browser.get(path)).status, path).toBe(401);
  for (const path of ["/step-up", "/security/recovery-codes", "/password"])
    expect((await browser.post(path, { password: PASSWORD })).status, path).toBe(401);
  const before = browser.cookie();
  await enableTotp(fixture, { browser });
  expect(browser.cookie()).not.toBe(before);
  expect((await browser.get("/session")).body).toMatchObject({ stage: "full", methods: ["totp", "recovery"] });
  expect((await browser.get("/accounts")).status).toBe(200);
  browser.setCookie(before);
  expect((await browser.get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
});

test("the first admin's link works for any holder, who chooses their address, once", async () => {
  const invited = await invite(fixture.deps.staff, "test", { accountId: null, email: null, role: "admin" });
  if (invited.kind !== "done") throw new Error(invited.kind);
  const { token } = invited;
  const browser = createBrowser(fixture);
  expect((await browser.post("/invitations/lookup", { token })).body).toMatchObject({ email: null, role: "admin" });
  const accept = (email?: string) =>
    browser.post("/invitations/accept", { token, name: "Meera", password: PASSWORD, ...(email ? { email } : {}) });
  for (const wrong of [undefined, "meera", "@corprail.example"])
    expect((await accept(wrong)).body).toMatchObject({ error: "invalid_request", fields: { email: expect.any(String) } });
  expect((await accept("Meera@Corprail.example")).body).toMatchObject({ stage: "enrol" });
  expect((await browser.get("/session")).body.user).toMatchObject({ email: "meera@corprail.example", role: "admin" });
  expect((await accept("other@corprail.example")).status).toBe(404);
});

test("who has to set up a second factor may take more than five minutes for it", async () => {
  const browser = await accepted("slow@corprail.example");
  fixture.settings.clock.advance(20 * 60_000);
  await enableTotp(fixture, { browser });
  expect((await browser.get("/session")).body).toMatchObject({ stage: "full" });
});

test("an address that was invited cannot be exchanged for another", async () => {
  const invited = await invite(fixture.deps.staff, "test", { accountId: null, email: "known@corprail.example", role: "support" });
  const token = invited.kind === "done" ? invited.token : "";
  const browser = createBrowser(fixture);
  await browser.post("/invitations/accept", { token, name: "Meera", password: PASSWORD, email: "other@corprail.example" });
  expect((await browser.get("/session")).body.user).toMatchObject({ email: "known@corprail.example" });
});

test("a password alone never opens the console, whether or not there is a second factor", async () => {
  await accepted("bare@corprail.example");
  const bare = createBrowser(fixture);
  expect((await bare.post("/sign-in", { email: "bare@corprail.example", password: PASSWORD })).body).toMatchObject({ stage: "enrol" });
  expect((await bare.get("/accounts")).status).toBe(401);
  const staff = await fixture.newStaff("support");
  const browser = createBrowser(fixture);
  expect((await browser.post("/sign-in", { email: staff.email, password: PASSWORD })).body).toMatchObject({ stage: "half" });
  expect((await browser.get("/accounts")).status).toBe(401);
  expect((await browser.post("/security/totp/start")).status).toBe(401);
  fixture.settings.clock.advance(60_000);
  expect((await browser.post("/sign-in/totp", { code: codeOf(fixture, staff.secret) })).status).toBe(200);
  expect((await browser.get("/accounts")).status).toBe(200);
});

test("the last second factor cannot be given up", async () => {
  const { browser } = await fixture.newStaff("auditor");
  expect((await browser.post("/security/totp/disable")).body).toMatchObject({ error: "conflict" });
  expect((await browser.get("/security")).body).toMatchObject({ totp: { enabled: true } });
});

test("a fresh proof is a code or a passkey: the password is not enough", async () => {
  const { browser, secret } = await fixture.newStaff("admin");
  fixture.settings.clock.advance(6 * 60_000);
  const invitation = { email: "new@corprail.example", role: "support" };
  expect((await browser.post("/staff/invitations", invitation)).body).toMatchObject({ error: "step_up_required" });
  expect((await browser.post("/step-up", { password: PASSWORD })).status).toBe(400);
  expect((await browser.post("/step-up", { totp: codeOf(fixture, secret) })).status).toBe(200);
  expect((await browser.post("/staff/invitations", invitation)).status).toBe(201);
});

test("clients and staff never meet: neither's people nor links are known to the other", async () => {
  const { account_id: accountId } = await fixture.newAccount();
  const owner = await invite(fixture.deps.auth, "test", { accountId, email: "owner@shop.example", role: "owner" });
  if (owner.kind !== "done") throw new Error(owner.kind);
  const browser = createBrowser(fixture);
  expect((await browser.post("/invitations/lookup", { token: owner.token })).status).toBe(404);
  expect((await browser.post("/invitations/accept", { token: owner.token, name: "Asha", password: PASSWORD })).status).toBe(404);
  const made = await createBrowser(fixture).post("/sign-in", { email: "owner@shop.example", password: PASSWORD });
  expect(made.status).toBe(401);
});

test("a mailed link sets a new password, and the second factor is still asked for", async () => {
  const staff = await fixture.newStaff("finance");
  await createBrowser(fixture).post("/password/reset-request", { email: staff.email });
  await expect.poll(() => fixture.mails.length).toBeGreaterThan(0);
  const { text } = fixture.mails.at(-1) ?? { text: "" };
  const token = /\/console\/password-reset#(rst_[\w-]+)/.exec(text)?.[1];
  const next = "another quiet harbour";
  expect((await createBrowser(fixture).post("/password/reset", { token, password: next })).status).toBe(200);
  expect((await staff.browser.get("/session")).body).toEqual({ signed_in: false, mode: "trial", mail: true });
  expect((await createBrowser(fixture).post("/sign-in", { email: staff.email, password: next })).body).toMatchObject({ stage: "half" });
});
