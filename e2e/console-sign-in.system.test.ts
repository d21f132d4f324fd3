import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import {
  acceptStaffInvitation,
  type Console,
  consoleUrl,
  enrolByApp,
  type Staff,
  signedInStaff,
  staffInvitation,
  startConsole,
  stepUp,
  storeCodes,
} from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { addAuthenticator, PASSWORD, portalUrl, signIn, signOut } from "./harness/browser/portal.ts";
import { totpCode } from "./harness/browser/totp.ts";
import type { Service } from "./harness/service.ts";

const MEERA = { email: "meera@platform.example", name: "Meera Nair", password: PASSWORD };
const LATER_SECONDS = 600;

describe.skipIf(NO_BROWSER !== null)(`signing in at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  /** Where every proof is too old. */
  let later: Service;
  let meera: Omit<Staff, "person">;
  let first: Page;
  let requested: readonly string[] = [];
  let link = "";
  beforeAll(async () => {
    site = await startConsole();
    later = await site.installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: String(LATER_SECONDS) });
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "", service = site.installation.service) => consoleUrl(service, path);
  const menu = (page: Page) => page.getByRole("button", { name: /^Your menu/ });
  const enrolment = (page: Page) => page.getByRole("heading", { name: "Protect your access" });

  test("an invitation leads to a second factor, and nowhere else before there is one", async () => {
    ({ page: first, requested } = await site.visitor());
    link = await staffInvitation(site.installation.service, MEERA.email, "admin");
    const page = first;
    await page.goto(link);
    await page.getByText(MEERA.email).waitFor();
    await checkPage(page, "console-invite");
    await acceptStaffInvitation(page, link, MEERA);
    await checkPage(page, "console-enrol");
    await page.goto(url("/security/sessions"));
    await enrolment(page).waitFor();
    await page.getByRole("button", { name: "Sign in as a different user" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await checkPage(page, "console-sign-in");
    await signIn(page, MEERA);
    await enrolment(page).waitFor();
  });

  test("an authenticator app is set up with a QR code and a first code, and recovery codes are shown once", async () => {
    const page = first;
    await page.reload();
    await page.getByRole("button", { name: /^Authenticator app/ }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await checkPage(page, "console-enrol-app");
    await page.getByLabel("Current code from the app").fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("The code is wrong.").waitFor();
    await page.getByRole("button", { name: "Choose another method" }).click();
    meera = await enrolByApp(page);
    expect(meera.codes).toHaveLength(10);
    // Nobody but the service was asked for anything, and no address held the token.
    expect(requested.filter((address) => !address.startsWith(url()))).toEqual([]);
    expect(requested.filter((address) => address.includes(new URL(link).hash.slice(1)))).toEqual([]);
    await page.context().close();
  });

  test("a password alone does not sign in; with a code the user lands on the requested page", async () => {
    const { page } = await site.visitor();
    await page.goto(url("/password-reset"));
    // Nothing is promised that cannot be sent.
    await page.getByText("This installation sends no email").waitFor();
    expect(await page.getByLabel("Email address").count()).toBe(0);
    await checkPage(page, "console-no-mail");
    await page.goto(url("/staff"));
    await signIn(page, { ...MEERA, password: "not the password" });
    await page.getByText("The email address or the password is wrong.").waitFor();
    await signIn(page, MEERA);
    await page.getByLabel("Code from your authenticator app").waitFor();
    await page.goto(url("/staff"));
    await page.getByLabel("Code from your authenticator app").fill(totpCode(meera.secret, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Staff" }).waitFor();
    expect(page.url()).toBe(url("/staff"));
    await page.context().close();
  });

  test("console sessions and users do not work in the portal, nor portal users in the console", async () => {
    const { page } = await site.visitor();
    await page.goto(url());
    await recover(page, meera.codes[0] ?? "");
    await page.goto(portalUrl(site.installation.service));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, MEERA);
    await page.getByText("The email address or the password is wrong.").waitFor();
    await page.goto(url());
    await menu(page).waitFor();
    await page.context().close();
  });

  test("a passkey is enough to enrol, to sign in without a password and to confirm an identity", async () => {
    const { page } = await site.visitor();
    await addAuthenticator(page.context(), page);
    const key = { ...MEERA, email: "key@platform.example" };
    await acceptStaffInvitation(page, await staffInvitation(site.installation.service, key.email, "support"), key);
    await page.getByRole("button", { name: /^Passkey/ }).click();
    await page.getByLabel("Passkey name").fill("Work laptop");
    await checkPage(page, "console-enrol-passkey");
    await page.getByRole("button", { name: "Continue" }).click();
    await storeCodes(page);
    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await menu(page).waitFor();
    await page.goto(url("/security", later));
    await renewCodes(page);
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByText("Changes to money, secrets, addresses and users need a recent confirmation.").waitFor();
    // Neither a password nor a code of an app that is not there.
    await expect.poll(() => dialog.getByRole("textbox").count()).toBe(0);
    await expect.poll(() => dialog.locator("input").count()).toBe(0);
    await checkPage(page, "console-step-up");
    await stepUp(page);
    await storeCodes(page);
    await page.context().close();
  });

  test("a user with an authenticator app confirms with its code, never with the password", async () => {
    const { page } = await site.visitor();
    const { secret } = await signedInStaff(site, page, "operations");
    await page.goto(url("/security", later));
    await renewCodes(page);
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByLabel("Code from your authenticator app").waitFor();
    await expect.poll(() => dialog.getByLabel("Your password").count()).toBe(0);
    await stepUp(page, totpCode(secret, LATER_SECONDS / 30));
    await storeCodes(page);
    await page.context().close();
  });

  test("the menu shows what the role may see, and what is refused to it says so", async () => {
    const { page } = await site.visitor();
    await page.goto(url("/security"));
    await recover(page, meera.codes[1] ?? "");
    await page.getByRole("heading", { name: "Security" }).waitFor();
    const entries = () => page.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents();
    await expect.poll(() => entries()).toContain("Keys");
    await page.context().clearCookies();
    await signedInStaff(site, page, "auditor");
    await page.goto(url());
    await expect.poll(() => entries()).toEqual(expect.arrayContaining(["Staff", "Audit", "Security"]));
    expect(await entries()).not.toContain("Keys");
    await page.goto(url("/keys"));
    await page.getByRole("alert").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "New key" }).count()).toBe(0);
    await checkPage(page, "console-refused");
    await page.context().close();
  });

  test("the first page loads less than 200 kB of script, and nothing that draws charts", async () => {
    const { page, requested: asked } = await site.visitor();
    await page.goto(url("/staff"));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.waitForLoadState("networkidle");
    const scripts = asked.filter((address) => address.endsWith(".js"));
    const sizes = await Promise.all(scripts.map(async (address) => gzipSync(await (await fetch(address)).arrayBuffer()).length));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
    expect(scripts.filter((address) => /chart/i.test(address))).toEqual([]);
    await page.context().close();
  });

  test("a sign-in or enrolment link never redirects to another site", async () => {
    const { page } = await site.visitor();
    for (const [place, next] of ["//example.com/", "https://example.com/", "/\\example.com"].entries()) {
      await page.goto(url(`/sign-in?next=${encodeURIComponent(next)}`));
      await recover(page, meera.codes[place + 2] ?? "");
      await expect.poll(() => new URL(page.url()).origin).toBe(new URL(url()).origin);
      await page.goto("about:blank");
      await page.context().clearCookies();
    }
    const other = { ...MEERA, email: "other@platform.example" };
    await acceptStaffInvitation(page, await staffInvitation(site.installation.service, other.email, "finance"), other);
    await page.goto(url(`/enrol?next=${encodeURIComponent("//example.com/")}`));
    await enrolByApp(page);
    await expect.poll(() => new URL(page.url()).origin).toBe(new URL(url()).origin);
    await page.context().close();
  });

  test("the menu is a sheet on a phone, and the tab says that it is the console", async () => {
    const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
    await signedInStaff(site, page, "admin");
    await page.goto(url());
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: "Menu" });
    await sheet.getByText("Console", { exact: true }).waitFor();
    await checkPage(page, "console-menu-sheet");
    await page.setViewportSize({ width: 390, height: 844 });
    await sheet.getByRole("link", { name: "Staff" }).click();
    await page.getByRole("heading", { name: "Staff" }).waitFor();
    await sheet.waitFor({ state: "detached" });
    await expect.poll(() => page.title()).toBe("Staff · Corprail console");
    await page.context().close();
  });

  test("the browser's console is empty and the policy stopped nothing of it all", () => {
    expect(site.pageErrors).toEqual([]);
  });

  async function recover(page: Page, code: string): Promise<void> {
    await signIn(page, MEERA);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
    await menu(page)
      .or(page.getByRole("heading", { name: "Page not found" }))
      .first()
      .waitFor();
  }

  async function renewCodes(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Create new codes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create new codes" }).click();
  }
});
