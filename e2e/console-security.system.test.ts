import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { addPasskey, type Console, consoleUrl, type Staff, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { PASSWORD, signIn, signOut } from "./harness/browser/portal.ts";
import { newClient } from "./harness/operator.ts";

const MEERA = { email: "meera@platform.example", name: "Meera Nair", password: PASSWORD };
const NEXT = "eight red lanterns here";

describe.skipIf(NO_BROWSER !== null)(`one's own ways into the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let meera: Staff;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    meera = await signedInStaff(site, page, "support", MEERA);
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  test("a passkey is added and removed; the last second factor stays, and the page says why", async () => {
    await addPasskey(page, site.installation.service);
    await checkPage(page, "console-security");
    await press("Remove the passkey Test device");
    await press("Remove");
    await page.getByText("Passkeys you add will appear here.").waitFor();
    await press("Turn off");
    await page.getByText("a password alone is not enough here").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await page.getByText("Error.").waitFor();
    await page.getByText("On", { exact: true }).waitFor();
  });

  test("a session that was ended elsewhere stops at its next request", async () => {
    const { page: phone } = await site.visitor({ userAgent: "Mozilla/5.0 (iPhone) Safari/1" });
    await phone.goto(url("/security"));
    await signIn(phone, MEERA);
    await recover(phone, meera.codes[0] ?? "");
    await phone.getByRole("heading", { name: "Security" }).waitFor();
    await page.goto(url("/security/sessions"));
    await page.getByText("Safari on iPhone", { exact: true }).waitFor();
    await checkPage(page, "console-security-sessions");
    await page.getByRole("button", { name: /^End the session of Safari on iPhone/ }).click();
    await press("End the session");
    await page.getByText("Safari on iPhone", { exact: true }).waitFor({ state: "detached" });
    await phone.getByRole("link", { name: "Staff" }).click();
    await phone.getByRole("heading", { name: "Sign in" }).waitFor();
    await phone.context().close();
  });

  test("after a password change the old password no longer works", async () => {
    await page.context().clearCookies();
    await signedInStaff(site, page, "finance", { ...MEERA, email: "ravi@platform.example" });
    await page.goto(url("/security"));
    await press("Change password");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill(NEXT);
    await page.getByLabel("Repeat the password").fill(NEXT);
    await press("Save password");
    await page.getByText("The password was changed.").waitFor();
    await signOut(page);
    await signIn(page, { email: "ravi@platform.example", password: PASSWORD });
    await page.getByText("The email address or the password is wrong.").waitFor();
    await signIn(page, { email: "ravi@platform.example", password: NEXT });
    await page.getByLabel("Code from your authenticator app").waitFor();
  });

  test("staff view a client's portal read-only by a link that works once", async () => {
    const { service } = site.installation;
    const { accountId } = await newClient(service);
    await page.context().clearCookies();
    await page.goto(url());
    await signedInStaff(site, page, "support");
    const link = await viewLink(page, accountId);
    const portal = await page.context().newPage();
    await portal.goto(link);
    const banner = portal.getByRole("complementary", { name: "Viewing as the client" });
    await banner.getByText("Asha Stores").waitFor();
    expect(portal.url()).not.toContain(new URL(link).hash.slice(1));
    await checkPage(portal, "portal-viewing");
    const entries = await portal.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents();
    expect(entries).toEqual(expect.arrayContaining(["Transactions", "Wallet", "Callbacks"]));
    for (const hidden of ["Credentials", "IP allowlist", "Security"]) expect(entries).not.toContain(hidden);
    await portal.getByRole("link", { name: "Wallet" }).click();
    await portal.getByRole("heading", { name: "Wallet" }).waitFor();
    await banner.getByRole("button", { name: "Stop viewing" }).click();
    await portal.getByRole("heading", { name: "Sign in" }).waitFor();
    await portal.goto("about:blank");
    await portal.goto(link);
    await portal.getByRole("alert").getByText("This link has been used or has expired.").waitFor();
    await checkPage(portal, "portal-view-used");
    // The console's own session is not touched by any of it.
    await page.reload();
    await page.getByRole("button", { name: /^Your menu/ }).waitFor();
  });

  test("the browser's console is empty and the policy stopped nothing of it all", () => {
    expect(site.pageErrors).toEqual([]);
  });

  async function recover(on: Page, code: string): Promise<void> {
    await on.getByRole("button", { name: "Use a recovery code" }).click();
    await on.getByLabel("Recovery code").fill(code);
    await on.getByRole("button", { name: "Continue" }).click();
  }

  /** As the account's page asks for it. */
  async function viewLink(on: Page, accountId: string): Promise<string> {
    return await on.evaluate<string>(`(async () => {
      const { csrf_token } = await (await fetch("/console/api/session")).json();
      const headers = { "content-type": "application/json", "x-csrf-token": csrf_token };
      const reply = await fetch("/console/api/accounts/${accountId}/view-as-client", { method: "POST", headers, body: "{}" });
      return (await reply.json()).url;
    })()`);
  }
});
