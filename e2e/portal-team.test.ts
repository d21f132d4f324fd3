import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { acceptInvitation, PASSWORD, type Portal, portalUrl, signedInOwner, signIn, startPortal } from "./harness/browser/portal.ts";

const ASHA = { email: "asha@example.in", name: "Asha Rao", password: PASSWORD };
const NEXT_PASSWORD = "nine quiet harbours";
// What a page must show and never run.
const VIKRAM = { email: "vikram@example.in", name: "<img src=x onerror=alert(1)>", password: PASSWORD };

describe.skipIf(NO_BROWSER !== null)(`the team at the portal${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let page: Page;
  let colleague: Page;
  beforeAll(async () => {
    portal = await startPortal();
    ({ page } = await portal.visitor());
    ({ page: colleague } = await portal.visitor());
    await signedInOwner(portal, page, ASHA);
  });
  afterAll(async () => {
    await portal?.close();
  });

  const url = (path = "") => portalUrl(portal.installation.service, path);

  async function invite(email: string, role: string): Promise<string> {
    await page.getByRole("button", { name: "Invite a member" }).click();
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Role").selectOption({ label: role });
    await page.getByRole("button", { name: "Create invitation" }).click();
    return await storeLink("The invitation is ready");
  }

  /** Reads the link of the card and confirms the card. */
  async function storeLink(title: string): Promise<string> {
    const shown = page.getByRole("dialog", { name: title });
    const link = (await shown.locator("pre").textContent()) ?? "";
    await shown.getByLabel("I have stored it").check();
    await shown.getByRole("button", { name: "Close" }).click();
    await shown.waitFor({ state: "detached" });
    return link;
  }

  test("an owner invites somebody by a link that is shown once; it makes them a member of that role", async () => {
    await page.goto(url("/team"));
    await page.getByRole("button", { name: "Invite a member" }).click();
    await checkPage(page, "team-invite");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await page.getByText("Enter an email address.").waitFor();
    await page.keyboard.press("Escape");
    const link = await invite(VIKRAM.email, "Read-only");
    await page.getByRole("button", { name: `Revoke the invitation of ${VIKRAM.email}` }).waitFor();
    await acceptInvitation(colleague, link, VIKRAM);
    await colleague.goto(url("/team"));
    await colleague.getByRole("link", { name: ASHA.name }).waitFor();
    await expect.poll(() => colleague.getByRole("button", { name: "Invite a member" }).count()).toBe(0);
  });

  test("a name that contains markup is shown as text and runs no script", async () => {
    const alerts: string[] = [];
    page.on("dialog", (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(url("/team"));
    await page.getByRole("link", { name: VIKRAM.name }).waitFor();
    await checkPage(page, "team");
    await page.getByRole("link", { name: VIKRAM.name }).click();
    await page.getByRole("dialog", { name: VIKRAM.name }).waitFor();
    await expect.poll(() => page.locator("img").count()).toBe(0);
    expect(alerts).toEqual([]);
    await checkPage(page, "team-member");
  });

  test("an owner changes a role and disables a member, who is out at once", async () => {
    const drawer = page.getByRole("dialog", { name: VIKRAM.name });
    await drawer.getByLabel("Change the role").selectOption({ label: "Developer" });
    await drawer.getByRole("button", { name: "Change the role" }).click();
    await drawer.getByText(/^Developer: /).waitFor();
    await drawer.getByRole("button", { name: "Disable this member" }).click();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await drawer.getByText("Disabled").waitFor();
    await colleague.goto(url("/team"));
    await colleague.getByRole("heading", { name: "Sign in" }).waitFor();
    await drawer.getByRole("button", { name: "Enable this member" }).click();
    await drawer.getByText("Active").waitFor();
    await helpWithPassword(drawer);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(page.url()).toBe(url("/team"));
  });

  /** This installation sends no mail, so the owner hands over the link. */
  async function helpWithPassword(drawer: Locator): Promise<void> {
    await colleague.goto(url("/password-reset"));
    await colleague.getByText("Ask an owner of your account").waitFor();
    await drawer.getByRole("button", { name: "Create password link" }).click();
    const asked = page.getByRole("dialog", { name: `Create a password link for ${VIKRAM.name}?` });
    await checkPage(page, "team-password-link");
    await asked.getByRole("button", { name: "Create password link" }).click();
    await colleague.goto(await storeLink("The password link is ready"));
    await colleague.getByLabel("New password").fill(NEXT_PASSWORD);
    await colleague.getByLabel("Repeat the password").fill(NEXT_PASSWORD);
    await colleague.getByRole("button", { name: "Set new password" }).click();
    await colleague.getByRole("link", { name: "Sign in" }).click();
    await signIn(colleague, { ...VIKRAM, password: NEXT_PASSWORD });
    await colleague.getByRole("button", { name: /^Your menu/ }).waitFor();
  }

  test("the last owner cannot lose the role and sees why", async () => {
    await page.getByRole("link", { name: ASHA.name }).click();
    const drawer = page.getByRole("dialog", { name: ASHA.name });
    await drawer.getByLabel("Change the role").selectOption({ label: "Developer" });
    await drawer.getByRole("button", { name: "Change the role" }).click();
    await page.getByText("Error.").waitFor();
    await page.keyboard.press("Escape");
  });

  test("a revoked invitation no longer works", async () => {
    const link = await invite("gone@example.in", "Operations");
    await page.getByRole("button", { name: "Revoke the invitation of gone@example.in" }).click();
    await page.getByRole("button", { name: "Revoke invitation" }).click();
    await page.getByText("The link no longer works.").waitFor();
    await colleague.goto(link);
    await colleague.getByRole("alert").waitFor();
  });

  test("the menu is a sheet on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(url("/team"));
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: "Menu" });
    await checkPage(page, "menu-sheet");
    await page.setViewportSize({ width: 390, height: 844 });
    await sheet.getByRole("link", { name: "Security" }).click();
    await page.getByRole("heading", { name: "Security" }).waitFor();
    await sheet.waitFor({ state: "detached" });
  });

  test("the browser's console is empty and the policy stopped nothing of it all", () => {
    expect(portal.pageErrors).toEqual([]);
  });
});
