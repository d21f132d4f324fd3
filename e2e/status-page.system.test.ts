import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, keepProved, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog } from "./harness/browser/console-steps.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { portalUrl } from "./harness/browser/portal.ts";
import { newPortalClient } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`the status page${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "admin");
    await keepProved(page, site.installation.service);
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const publicPage = async () => await fetch(`${service().url}/status`);

  test("staff publish an incident, an update and an announcement, and make the page public", async () => {
    expect((await publicPage()).status).toBe(404);
    await page.goto(consoleUrl(service(), "/status"));
    await page.getByText("All systems are working.").waitFor();
    await page.getByRole("button", { name: "New incident or maintenance" }).click();
    const dialog = page.getByRole("dialog", { name: "New incident or maintenance" });
    await dialog.getByLabel("Title").fill("Bill payments are delayed");
    await dialog.getByLabel("Text").fill("We are looking into it.");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("Choose at least one.").waitFor();
    await checkPage(page, "console-status-new");
    await dialog.getByRole("checkbox").first().check();
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { name: "Bill payments are delayed" }).waitFor();
    await page.getByRole("button", { name: "Add update" }).click();
    await page.getByLabel("State", { exact: true }).selectOption("identified");
    await page.getByLabel("Text").fill("A line is cut.");
    await confirmDialog(page, /^Update:/, "Publish");
    await page.getByText("A line is cut.").waitFor();
    await page.getByRole("button", { name: "Announce" }).click();
    await page.getByLabel("Title").fill("New hours");
    await page.getByLabel("Text").fill("Transfers are open until 23:00.");
    await confirmDialog(page, "Announce to all clients", "Announce");
    await page.getByRole("button", { name: "Withdraw: New hours" }).waitFor();
    await page.getByLabel("Visibility").selectOption("public");
    await confirmDialog(page, /^Change who sees/, "Change");
    await checkLayout(page, "the console's status page");
    await checkPage(page, "console-status");
  });

  test("everybody can read the public page, which has no script", async () => {
    await until("the page is public", async () => (await publicPage()).status === 200);
    const { page: visitor } = await site.visitor();
    await visitor.goto(`${service().url}/status`);
    await visitor.getByRole("heading", { name: "Bill payments are delayed" }).waitFor();
    expect(await visitor.locator("script").count()).toBe(0);
    for (const [width, scheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      await visitor.setViewportSize({ width, height: 800 });
      await visitor.emulateMedia({ colorScheme: scheme });
      await checkLayout(visitor, `status, ${width}`);
    }
    const feed = await (await fetch(`${service().url}/status.atom`)).text();
    expect(feed).toContain("A line is cut.");
  });

  test("members see the status and the announcement, which each of them can dismiss", async () => {
    const { page: member } = await newPortalClient(site);
    await member.goto(portalUrl(service(), "/status"));
    await member.getByRole("heading", { name: "Bill payments are delayed" }).waitFor();
    await member.getByText("Transfers are open until 23:00.").waitFor();
    await checkLayout(member, "the portal's status page");
    await checkPage(member, "portal-status");
    await member.getByRole("button", { name: "Dismiss: New hours" }).click();
    await member.getByText("Transfers are open until 23:00.").waitFor({ state: "detached" });
    await member.reload();
    await member.getByRole("heading", { name: "Bill payments are delayed" }).waitFor();
    expect(await member.getByText("Transfers are open until 23:00.").count()).toBe(0);
  });

  test("a member sets the webhook after the account has a callback secret; without SMTP there is no email", async () => {
    const { page: member, accountId } = await newPortalClient(site);
    await member.goto(portalUrl(service(), "/status"));
    await member.getByText("This installation sends no email.").waitFor();
    expect(await member.getByRole("switch", { name: /^Email to/ }).isDisabled()).toBe(true);
    expect(await member.getByLabel("Webhook URL").isEditable()).toBe(false);
    await change(service(), `/accounts/${accountId}/callback-secret`, {});
    await member.reload();
    await member.getByLabel("Webhook URL").fill("https://10.0.0.1/status");
    await member.getByRole("button", { name: "Save" }).click();
    await member.getByText("Its host must have public addresses only.").waitFor();
    await member.getByLabel("Webhook URL").fill("https://8.8.8.8/status");
    await member.getByRole("button", { name: "Save" }).click();
    await member.getByText("The webhook URL was saved.").waitFor();
    await checkLayout(member, "the portal's status page with a webhook");
    await checkPage(member, "portal-status-subscriptions");
    await member.reload();
    await until("the URL is kept", async () => (await member.getByLabel("Webhook URL").inputValue()) === "https://8.8.8.8/status");
  });
});
