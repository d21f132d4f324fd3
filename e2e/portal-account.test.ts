import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import {
  addAuthenticator,
  PASSWORD,
  type Portal,
  portalUrl,
  signedInOwner,
  signIn,
  signOut,
  startPortal,
} from "./harness/browser/portal.ts";
import { totpCode } from "./harness/browser/totp.ts";
import { until } from "./harness/deadline.ts";
import { type MailServer, startMailServer } from "./harness/servers/mail-server.ts";

const ASHA = { email: "asha@example.in", name: "Asha Rao", password: PASSWORD };
const CHANGED = { ...ASHA, password: "eight green lanterns" };
const RESET = { ...ASHA, password: "nine green lanterns" };
const WRONG = "not her password at all";

describe.skipIf(NO_BROWSER !== null)(`one's own account at the portal${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let mails: MailServer;
  let page: Page;
  let other: Page;
  let codes: readonly string[] = [];
  beforeAll(async () => {
    mails = await startMailServer();
    portal = await startPortal({ CORPRAIL_SMTP_URL: mails.url });
    ({ page } = await portal.visitor());
    ({ page: other } = await portal.visitor({ userAgent: "Mozilla/5.0 (iPhone) Safari/1" }));
    await addAuthenticator(page.context(), page);
    await signedInOwner(portal, page, ASHA);
  });
  afterAll(async () => {
    await portal?.close();
    await mails?.close();
  });

  const url = (path = "") => portalUrl(portal.installation.service, path);
  const inside = (on: Page) => on.getByRole("button", { name: /^Your menu/ }).waitFor();
  const press = (on: Page, name: string) => on.getByRole("button", { name, exact: true }).click();
  const confirm = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  async function enterElsewhere(person: typeof ASHA): Promise<void> {
    await other.goto(url("/sign-in"));
    await signIn(other, person);
    await inside(other);
  }

  /** The next step of a session that has ended leads to the sign-in. */
  async function expectOut(on: Page): Promise<void> {
    await on.getByRole("link", { name: "Team", exact: true }).click();
    await on.getByRole("heading", { name: "Sign in" }).waitFor();
  }

  async function choosePassword(on: Page, password: string, action: string): Promise<void> {
    await on.getByLabel("New password").fill(password);
    await on.getByLabel("Repeat the password").fill(password);
    await press(on, action);
  }

  async function storeCodes(): Promise<readonly string[]> {
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    const text = (await shown.locator("pre").textContent()) ?? "";
    await shown.getByLabel("I have stored it").check();
    await shown.getByRole("button", { name: "Close" }).click();
    await shown.waitFor({ state: "detached" });
    return text.split("\n");
  }

  test("a wrong current password is an error at its field; the right one changes the password and ends other sessions", async () => {
    await enterElsewhere(ASHA);
    await page.goto(url("/security"));
    await press(page, "Change password");
    const current = page.getByLabel("Current password");
    await choosePassword(page, CHANGED.password, "Save password");
    await page.getByText("Enter your current password.").waitFor();
    await current.fill(WRONG);
    await press(page, "Save password");
    await page.getByText("Is wrong.").waitFor();
    await expect.poll(() => current.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(`[id="${await current.getAttribute("aria-describedby")}"]`).textContent()).toBe("Is wrong.");
    await expect.poll(() => page.getByRole("dialog").getByRole("alert").count()).toBe(0);
    await checkPage(page, "security-password");
    await current.fill(ASHA.password);
    await expect.poll(() => current.getAttribute("aria-invalid")).toBe("false");
    await press(page, "Save password");
    await page.getByText("The password was changed.").waitFor();

    await expectOut(other);
    await signIn(other, ASHA);
    await other.getByText("The email address or the password is wrong.").waitFor();
    await signIn(other, CHANGED);
    await other.getByRole("heading", { name: "Team" }).waitFor();
    await page.getByRole("link", { name: "Team", exact: true }).click();
    await page.getByRole("heading", { name: "Team" }).waitFor();
  });

  test("signing out everywhere else leaves this browser alone", async () => {
    await page.goto(url("/security/sessions"));
    await page.getByText("Safari on iPhone", { exact: true }).waitFor();
    await press(page, "Sign out everywhere else");
    await confirm("Sign out everywhere else");
    await page.getByText("You are signed out everywhere else.").waitFor();
    await page.getByText("Safari on iPhone", { exact: true }).waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);
    await other.getByRole("link", { name: "Security", exact: true }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("the mailed link resets a forgotten password once and ends every session", async () => {
    await other.getByRole("link", { name: "Forgot your password?" }).click();
    // The sign-in has a field of that name too.
    await other.getByRole("button", { name: "Send link" }).waitFor();
    await other.getByLabel("Email address").fill(ASHA.email);
    await press(other, "Send link");
    await other.getByText("a link was sent to it").waitFor();
    const mail = await until("the mail comes", () => mails.received.find((one) => one.includes("/portal/password-reset")));
    expect(mail).toMatch(/^To: asha@example\.in$/m);
    const link = mail.split("\n").find((line) => line.startsWith("http")) ?? "";
    expect(link).toMatch(/\/portal\/password-reset#rst_[\w-]{43}$/);

    await other.goto(link);
    await other.getByLabel("New password").waitFor();
    // In the same tab only the part behind the # changed; it has left the address by now.
    await expect.poll(() => new URL(other.url()).href).toBe(url("/password-reset"));
    await choosePassword(other, "short", "Set new password");
    await other.getByText("Use at least 12 characters.").waitFor();
    await choosePassword(other, RESET.password, "Set new password");
    await other.getByText("The password was changed, and all existing sessions").waitFor();
    await expectOut(page);
    await other.getByRole("link", { name: "Sign in" }).click();
    await signIn(other, RESET);
    await inside(other);
    await signOut(other);
    await other.goto(link);
    await choosePassword(other, WRONG, "Set new password");
    await other.getByRole("alert").waitFor();
    await signIn(page, RESET);
    await page.getByRole("heading", { name: "Team" }).waitFor();
    expect(mails.received).toHaveLength(1);
  });

  test("with a passkey the password alone opens nothing; the passkey is the second step", async () => {
    await page.goto(url("/security"));
    await press(page, "Add a passkey");
    await page.getByLabel("Passkey name").fill("Work laptop");
    await press(page, "Continue");
    codes = await storeCodes();
    await signOut(page);
    await signIn(page, RESET);
    await page.getByRole("heading", { name: "Second step" }).waitFor();
    await expect.poll(() => page.getByLabel("Code from your authenticator app").count()).toBe(0);
    await checkPage(page, "second-step-passkey");
    await press(page, "Use a passkey");
    await inside(page);
  });

  test("an expired confirmation is renewed with the passkey, and ten new recovery codes replace the old ones", async () => {
    await page.goto(url("/security"));
    await page.getByText("10 codes are left.").waitFor();
    await ageProofs();
    await press(page, "Create new codes");
    await confirm("Create new codes");
    await page.getByRole("dialog", { name: "Confirm your identity" }).getByRole("button", { name: "Use a passkey" }).click();
    const renewed = await storeCodes();
    expect(new Set([...renewed, ...codes]).size).toBe(20);

    await other.goto(url("/sign-in"));
    await signIn(other, RESET);
    await press(other, "Use a recovery code");
    await other.getByLabel("Recovery code").fill(codes[0] ?? "");
    await press(other, "Continue");
    await other.getByRole("alert").waitFor();
    await other.getByLabel("Recovery code").fill(renewed[0] ?? "");
    await press(other, "Continue");
    await inside(other);
    await page.reload();
    await page.getByText("9 codes are left.").waitFor();
  });

  test("a removed passkey cannot sign in, and a disabled authenticator app is not asked for", async () => {
    await press(page, "Set up");
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await page.getByLabel("Current code from the app").fill(totpCode(secret));
    await press(page, "Turn on");
    await storeCodes();
    await press(page, "Remove the passkey Work laptop");
    await confirm("Remove");
    await page.getByText("Passkeys you add will appear here.").waitFor();
    await signOut(page);
    await press(page, "Sign in with a passkey");
    await page.getByRole("alert").waitFor();
    await signIn(page, RESET);
    // The code of the step before may be the one that is used up.
    await page.getByLabel("Code from your authenticator app").fill(totpCode(secret, 1));
    await expect.poll(() => page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
    await press(page, "Continue");
    await inside(page);

    await page.goto(url("/security"));
    await press(page, "Turn off");
    await confirm("Turn off");
    await page.getByText("The authenticator app is off.").waitFor();
    await page.getByText("Only your password protects this account.").waitFor();
    await page.getByText("You receive codes when you add your first passkey or authenticator app.").waitFor();
    await signOut(page);
    await signIn(page, RESET);
    await inside(page);
  });

  test("no page reported an error", () => {
    expect(portal.pageErrors).toEqual([]);
  });

  /** As if everybody had proved themselves ten minutes ago. */
  async function ageProofs(): Promise<void> {
    const sql = postgres(portal.installation.databaseUrl, { max: 1 });
    await sql`update sessions set proved_at = proved_at - interval '10 minutes'`;
    await sql.end();
  }
});
