import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { PASSWORD, type Portal, portalUrl, signedInOwner, signIn, signOut, startPortal } from "./harness/browser/portal.ts";
import { totpCode } from "./harness/browser/totp.ts";
import type { Service } from "./harness/service.ts";

const ASHA = { email: "asha@example.in", name: "Asha Rao", password: PASSWORD };

describe.skipIf(NO_BROWSER !== null)(`security at the portal${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let page: Page;
  let secret = "";
  let codes: readonly string[] = [];
  beforeAll(async () => {
    portal = await startPortal();
    ({ page } = await portal.visitor());
    await signedInOwner(portal, page, ASHA);
  });
  afterAll(async () => {
    await portal?.close();
  });

  const url = (path = "", service: Service = portal.installation.service) => portalUrl(service, path);
  const menu = (on: Page) => on.getByRole("button", { name: /^Your menu/ });

  test("an authenticator app is set up with a QR code and a key, and the recovery codes must be confirmed", async () => {
    await page.goto(url("/security"));
    await page.getByText("Only your password protects this account.").waitFor();
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await checkPage(page, "security-totp");
    await page.getByLabel("Current code from the app").fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("The code is wrong.").waitFor();
    await page.getByLabel("Current code from the app").fill(totpCode(secret));
    await page.getByRole("button", { name: "Turn on" }).click();

    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    await shown.waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => shown.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    codes = ((await shown.locator("pre").textContent()) ?? "").split("\n");
    expect(codes).toHaveLength(10);
    await checkPage(page, "security-codes");
    await shown.getByLabel("I have stored it").check();
    await shown.getByRole("button", { name: "Close" }).click();
    await shown.waitFor({ state: "detached" });
    await page.getByText("10 codes are left.").waitFor();
    await checkPage(page, "security");
  });

  test("then the password alone does not open the portal; a code does, and a recovery code does once", async () => {
    await signOut(page);
    await signIn(page, ASHA);
    await page.getByLabel("Code from your authenticator app").waitFor();
    await checkPage(page, "second-step");
    await page.goto(url("/team"));
    await page.getByLabel("Code from your authenticator app").fill(totpCode(secret, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Team" }).waitFor();

    await signOut(page);
    await recover(page, codes[0] ?? "");
    await menu(page).waitFor();
    await signOut(page);
    await recover(page, codes[0] ?? "");
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Use the app instead" }).click();
    await forgetUsedCodes();
    await page.getByLabel("Code from your authenticator app").fill(totpCode(secret, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await menu(page).waitFor();
  });

  test("an ended session leads to the sign-in page and back to the same page", async () => {
    const { page: other } = await portal.visitor({ userAgent: "Mozilla/5.0 (iPhone) Safari/1" });
    await other.goto(url("/team"));
    await recover(other, codes[1] ?? "");
    await other.getByRole("heading", { name: "Team" }).waitFor();
    await page.goto(url("/security/sessions"));
    await page.getByText("Safari on iPhone", { exact: true }).waitFor();
    await checkPage(page, "security-sessions");
    await page.getByRole("button", { name: /^End the session of Safari on iPhone/ }).click();
    await page.getByRole("button", { name: "End the session", exact: true }).click();
    await page.getByText("Safari on iPhone", { exact: true }).waitFor({ state: "detached" });
    await other.getByRole("link", { name: "Security" }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(() => new URL(other.url()).searchParams.get("next")).toBe("/security");
    await other.context().close();
  });

  test("who proved themselves long ago is asked again, and the change goes on by itself", async () => {
    const later = await portal.installation.another({ CORPRAIL_CLOCK_OFFSET_SECONDS: "600" });
    await page.goto(url("/security", later));
    await page.getByRole("button", { name: "Create new codes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create new codes" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.waitFor();
    await checkPage(page, "step-up");
    await dialog.getByLabel("Code from your authenticator app").fill("000000");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByText("The code is wrong, or was used before.").waitFor();
    await dialog.getByLabel("Code from your authenticator app").fill(totpCode(secret, 600 / 30));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    await shown.getByLabel("I have stored it").check();
    await shown.getByRole("button", { name: "Close" }).click();
  });

  test("every change is in the audit log, and each entry has its own URL", async () => {
    await page.goto(url("/security/audit"));
    await page
      .getByRole("link", { name: /recovery/i })
      .first()
      .waitFor();
    await checkPage(page, "security-audit");
    await page
      .getByRole("link", { name: /recovery/i })
      .first()
      .click();
    await page.getByRole("dialog").getByText(ASHA.name).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/portal\/security\/audit\/\d+$/);
    await page.reload();
    await page.getByRole("dialog").getByText(ASHA.name).waitFor();
    await checkPage(page, "security-audit-entry");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).pathname).toBe("/portal/security/audit");
  });

  test("the browser's console is empty and the policy stopped nothing of it all", () => {
    expect(portal.pageErrors).toEqual([]);
  });

  async function recover(on: Page, code: string): Promise<void> {
    await signIn(on, ASHA);
    await on.getByRole("button", { name: "Use a recovery code" }).click();
    await on.getByLabel("Recovery code").fill(code);
    await on.getByRole("button", { name: "Continue" }).click();
  }

  /** As if the app's last code had been used long ago: the next one would come in half a minute only. */
  async function forgetUsedCodes(): Promise<void> {
    const sql = postgres(portal.installation.databaseUrl, { max: 1 });
    await sql`update user_totps set last_step = 0`;
    await sql.end();
  }
});
