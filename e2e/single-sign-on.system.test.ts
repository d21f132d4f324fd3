import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { PASSWORD, portalUrl, signedInOwner, signIn } from "./harness/browser/portal.ts";
import { readInSession } from "./harness/browser/site-session.ts";
import { change, operator } from "./harness/operator.ts";
import { type IdentityProvider, signInAtProvider, signOutAtProvider, startIdentityProvider } from "./harness/servers/identity-provider.ts";

const DOMAIN = "acme.example";

describe.skipIf(NO_BROWSER !== null)(`single sign-on${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let provider: IdentityProvider;
  let admin: Page;
  let staff: Page;
  let member: Page;
  let accountId = "";
  beforeAll(async () => {
    [site, provider] = await Promise.all([startConsole(), startIdentityProvider(DOMAIN)]);
    ({ page: admin } = await site.visitor());
    ({ page: staff } = await site.visitor());
    ({ page: member } = await site.visitor());
  });
  afterAll(async () => {
    await site?.close();
    await provider?.close();
  });

  const service = () => site.installation.service;
  const menu = (page: Page) => page.getByRole("button", { name: /^Your menu/ });
  const signedIn = async (page: Page, name: "portal" | "console") => (await readInSession(page, service(), name, "/session"))["signed_in"];

  async function connect(page: Page, id: string): Promise<void> {
    const shown = page.getByRole("button", { name: /^Copy http/ });
    await shown.first().waitFor();
    const [redirectUri = "", logoutUri = ""] = (
      await shown.evaluateAll((buttons) => buttons.map((one) => one.getAttribute("aria-label") ?? ""))
    ).map((label) => label.replace("Copy ", ""));
    provider.register({ id, redirectUri, logoutUri });
    await page.getByLabel("Name", { exact: true }).fill("Acme ID");
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client ID").fill(id);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
  }

  test("an admin connects an identity provider, whose people then sign in at the console with the role of their group", async () => {
    await signedInStaff(site, admin, "admin", { email: `root@${DOMAIN}` });
    await admin.goto(consoleUrl(service(), "/single-sign-on"));
    await connect(admin, "console");
    await admin.getByLabel("Email domains", { exact: true }).fill(DOMAIN);
    await admin.getByLabel("Role claim (optional)").fill("groups");
    await admin.getByLabel("Values and roles (optional)").fill("helpdesk = support\nbooks = finance");
    await admin.getByLabel("Second factor").selectOption("provider");
    await admin.getByLabel(/^Create members/).check();
    await checkPage(admin, "console-single-sign-on");
    await admin.getByRole("button", { name: "Save", exact: true }).click();
    await admin.getByText("Single sign-on was saved.").waitFor();

    provider.setGroups("meera", ["helpdesk"]);
    await staff.goto(consoleUrl(service(), "/staff"));
    await staff.getByRole("button", { name: "Sign in with Acme ID" }).waitFor();
    await checkPage(staff, "console-sign-in-single-sign-on");
    await staff.getByRole("button", { name: "Sign in with Acme ID" }).click();
    await signInAtProvider(staff, provider, "meera");
    await staff.getByRole("heading", { name: "Staff" }).waitFor();
    expect(staff.url()).toBe(consoleUrl(service(), "/staff"));
    await staff.getByText("Person meera, Support").first().waitFor();
  });

  test("a group that gives no role is refused with the reason", async () => {
    const { page } = await site.visitor();
    await page.goto(consoleUrl(service(), "/"));
    await page.getByRole("button", { name: "Sign in with Acme ID" }).click();
    await signInAtProvider(page, provider, "stranger");
    await page.getByText("gives you no role here").waitFor();
    await checkPage(page, "console-single-sign-on-refused");
    await page.context().close();
  });

  test("an answer of the provider does not work in another browser", async () => {
    const { page } = await site.visitor();
    const url = consoleUrl(service(), "/sso/staff?code=stolen&state=guessed");
    await page.goto(url);
    await page.getByText("was not started in this browser").waitFor();
    expect(page.url()).not.toContain("code=");
    await page.context().close();
  });

  test("where it is enforced, passwords work for the emergency account only, and using it opens an alert", async () => {
    const person = { email: `local@${DOMAIN}`, name: "Local", password: PASSWORD };
    const { page } = await site.visitor();
    await signedInStaff(site, page, "support", person);
    const { items } = (await operator(service(), "GET", "/staff")).body as { items: { user_id: string; email: string }[] };
    const root = items.find(({ email }) => email === `root@${DOMAIN}`);
    await change(service(), `/staff/${root?.user_id}/break-glass`, { break_glass: true });
    await admin.goto(consoleUrl(service(), "/single-sign-on"));
    await admin.getByLabel(/^Enforced/).check();
    await admin.getByRole("button", { name: "Save", exact: true }).click();
    await admin.getByText("Single sign-on was saved.").waitFor();
    expect(await signedIn(page, "console")).toBe(false);
    await page.goto(consoleUrl(service(), "/"));
    await signIn(page, person);
    await page.getByText("Your organisation signs in with single sign-on.").waitFor();
    await signIn(page, { email: `root@${DOMAIN}`, password: PASSWORD });
    await page.getByLabel("Code from your authenticator app").waitFor();
    await expect
      .poll(async () => JSON.stringify((await operator(service(), "GET", "/alerts?state=open")).body))
      .toContain("break_glass_used");
    await page.context().close();
  });

  test("signing out at the provider ends the session here", async () => {
    expect(await signedIn(staff, "console")).toBe(true);
    await signOutAtProvider(staff, provider);
    await expect.poll(() => signedIn(staff, "console")).toBe(false);
  });

  test("a client's owner connects their own provider, for the email domains that staff assigned", async () => {
    ({ accountId } = await signedInOwner(site, admin, { email: "owner@elsewhere.example", name: "Asha Rao", password: PASSWORD }));
    await change(service(), `/accounts/${accountId}/single-sign-on/domains`, { domains: [DOMAIN] });
    await admin.goto(portalUrl(service(), "/single-sign-on"));
    await admin.getByText(DOMAIN).first().waitFor();
    await connect(admin, "portal");
    await admin.getByLabel("Default role").selectOption("developer");
    await admin.getByLabel(/^Create members/).check();
    await checkPage(admin, "portal-single-sign-on");
    await admin.getByRole("button", { name: "Save", exact: true }).click();
    await admin.getByText("Single sign-on was saved.").waitFor();

    await member.goto(portalUrl(service(), "/team"));
    await member.getByRole("button", { name: "Sign in with single sign-on" }).click();
    await member.getByLabel("Work email address").fill(`vikram@${DOMAIN}`);
    await checkPage(member, "portal-sign-in-single-sign-on");
    await member.getByRole("button", { name: "Continue to single sign-on" }).click();
    await signInAtProvider(member, provider, "vikram");
    await member.getByRole("heading", { name: "Team" }).waitFor();
    await menu(member).waitFor();
    await member.getByRole("link", { name: "Person vikram" }).click();
    await member.getByText("Single sign-on", { exact: true }).first().waitFor();
  });
});
