import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { consoleUrl, signedInStaff } from "./harness/browser/console.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import { newPortalClient, type PortalClient, recharge, takeSecret } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`live and test mode of both sites${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Portal;
  let client: PortalClient;
  let staff: Page;
  let sandboxOrder: string;
  beforeAll(async () => {
    site = await startPortal({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" });
    client = await newPortalClient(site);
    await recharge(service().url, client.token, "live-1", "9876543000");
    ({ page: staff } = await site.visitor());
    await signedInStaff(site, staff, "admin");
  });
  afterAll(() => site?.close());

  const service = () => site.installation.service;
  const rows = (page: Page) => page.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  const chosen = (page: Page) => page.getByRole("navigation", { name: "Live or test data" }).locator("[aria-current]").textContent();
  const switchTo = (page: Page, mode: "Live" | "Test") =>
    page.getByRole("navigation", { name: "Live or test data" }).getByRole("link", { name: mode }).click();
  const BANNER = "Test mode: sandbox data only. No real money moves.";

  test("without a sandbox, the portal's test mode offers to create it", async () => {
    const { page } = client;
    await client.open("/transactions");
    await rows(page).first().waitFor();
    expect(await chosen(page)).toBe("Live");
    await switchTo(page, "Test");
    await page.getByText("Your account has no sandbox yet.").waitFor();
    await checkPage(page, "portal-test-mode-without-sandbox");
    await page.getByRole("link", { name: "Create the sandbox" }).click();
    await page.getByRole("button", { name: "Create sandbox" }).click();
    const token = await takeSecret(page);
    const made = await recharge(service().url, token, "test-1", "9876543000");
    sandboxOrder = String(made["order_id"]);
    expect(made["status"]).toBe("SUCCESS");
  });

  test("the portal shows the sandbox in test mode: menu links, reloads and drawers keep it, and Back leads out", async () => {
    const { page } = client;
    await client.open("/transactions");
    await rows(page).getByText("live-1").waitFor();
    await switchTo(page, "Test");
    await rows(page).getByText("test-1").waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByText(BANNER).waitFor();
    await checkPage(page, "portal-test-mode-transactions");
    await rows(page).getByRole("link").first().click();
    await page.getByRole("dialog", { name: /^Transaction / }).waitFor();
    expect(page.url()).toContain("mode=test");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Wallet" }).click();
    await page.getByText("₹9,990.00").first().waitFor();
    await page.reload();
    await page.getByText("₹9,990.00").first().waitFor();
    expect([await chosen(page), new URL(page.url()).searchParams.get("mode")]).toEqual(["Test", "test"]);
    await switchTo(page, "Live");
    await page.getByText("₹4,990.00").first().waitFor();
    expect(await page.getByText(BANNER).count()).toBe(0);
    await page.goBack();
    await page.getByText("₹9,990.00").first().waitFor();
    await page.getByText(BANNER).waitFor();
  });

  test("the console lists live orders by default and sandbox orders in test mode", async () => {
    await staff.goto(consoleUrl(service(), "/transactions"));
    await rows(staff).getByText("live-1").waitFor();
    expect(await rows(staff).getByText("test-1").count()).toBe(0);
    await switchTo(staff, "Test");
    await rows(staff).getByText("test-1").waitFor();
    expect(await rows(staff).getByText("live-1").count()).toBe(0);
    await staff.getByText(BANNER).waitFor();
    await checkPage(staff, "console-test-mode-transactions");
    await staff.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" }).click();
    await staff.getByText("The current state of all sandbox accounts.").waitFor();
    expect(await staff.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Providers" }).count()).toBe(0);
    await checkPage(staff, "console-test-mode-overview");
    await staff.goto(consoleUrl(service(), "/providers?mode=test"));
    await staff.getByText("This page is about the whole installation and has no test data.").waitFor();
    await staff.getByRole("link", { name: "Open it in live mode" }).click();
    await staff.getByRole("heading", { name: "Providers" }).waitFor();
  });

  test("a sandbox order opened in live mode says so, offers test mode, and cannot be changed", async () => {
    await staff.goto(consoleUrl(service(), `/transactions/${sandboxOrder}`));
    await staff.getByText("This belongs to a sandbox account. Switch to test mode to see or change it.").waitFor();
    expect(await staff.getByRole("button", { name: /^Reverse/ }).count()).toBe(0);
    await staff.getByRole("link", { name: "Open this page in test mode" }).click();
    await staff.getByRole("dialog", { name: `Transaction ${sandboxOrder}` }).waitFor();
    expect(new URL(staff.url()).searchParams.get("mode")).toBe("test");
  });

  test("with scroll bars nothing is cut off in test mode, and no page reported an error", async () => {
    await change(service(), "/accounts", {
      name: "Bharat Retail Distribution and Digital Services Private Limited (South Zone)",
      sandbox: true,
    });
    const shown = await pageWithScrollBars(staff);
    for (const [path, ready] of [
      ["/?mode=test", "The current state of all sandbox accounts."],
      ["/accounts?mode=test", "South Zone"],
      ["/transactions?mode=test", "test-1"],
    ] as const) {
      await shown.goto(consoleUrl(service(), path));
      await shown.getByText(ready).first().waitFor();
      await checkLayout(shown, path);
    }
    await shown.context().close();
    const portal = await pageWithScrollBars(client.page);
    await portal.goto(portalUrl(service(), "/?mode=test"));
    await until("home is shown", async () => (await portal.getByText("Balance").count()) > 0);
    await checkLayout(portal, "portal home");
    await portal.context().close();
    expect(site.pageErrors).toEqual([]);
  });
});
