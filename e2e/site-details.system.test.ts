import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { newPortalClient, type PortalClient, recharge } from "./harness/browser/portal-client.ts";

/** Seven days as the site shows them, such as "14 Nov 2026 to 20 Nov 2026". */
const PERIOD = /^\d{1,2} \w{3} \d{4} to \d{1,2} \w{3} \d{4}, compared with \d{1,2} \w{3} \d{4} to \d{1,2} \w{3} \d{4}\./;

describe.skipIf(NO_BROWSER !== null)(`details of both sites${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let admin: Page;
  let auditor: Page;
  let client: PortalClient;
  let orderId: string;
  beforeAll(async () => {
    site = await startConsole();
    ({ page: admin } = await site.visitor());
    await signedInStaff(site, admin, "admin");
    ({ page: auditor } = await site.visitor());
    await signedInStaff(site, auditor, "auditor");
    client = await newPortalClient(site);
    orderId = String((await recharge(site.installation.service.url, client.token, "detail-1", "9876543000"))["order_id"]);
  });
  afterAll(async () => {
    await site?.close();
  });

  const open = (page: Page, path: string) => page.goto(consoleUrl(site.installation.service, path));
  const chosenTab = (page: Page) => page.getByRole("tab", { selected: true });

  test("an address with an unknown tab shows the first tab, and a list without a view marks the one it shows", async () => {
    await open(admin, `/accounts/${client.accountId}?part=nothing`);
    await admin.getByRole("dialog").getByText("Account id", { exact: true }).waitFor();
    expect(await chosenTab(admin).allTextContents()).toEqual(["Account"]);
    await open(admin, "/approvals?view=nothing");
    await admin.getByText("No requests are waiting.").waitFor();
    expect(await chosenTab(admin).allTextContents()).toEqual(["Waiting"]);
    await open(admin, "/onboarding");
    await admin.getByText("Submitted applications whose KYC").waitFor();
    const views = admin.getByRole("navigation", { name: "Queue views" });
    expect(await views.locator("[aria-current=page]").allTextContents()).toEqual(["KYC pending"]);
  });

  test("an account that does not exist offers no actions", async () => {
    await open(admin, "/accounts/ANOSUCH");
    const drawer = admin.getByRole("dialog");
    await drawer.getByText("There is no such account").waitFor();
    expect(await drawer.getByRole("button", { name: "View as client" }).count()).toBe(0);
  });

  test("only an admin gets a form that changes the single sign-on of staff", async () => {
    await open(admin, "/single-sign-on");
    await admin.getByRole("button", { name: "Save" }).waitFor();
    expect(await admin.getByLabel("Issuer").isEnabled()).toBe(true);
    await open(auditor, "/single-sign-on");
    await auditor.getByText("Only admins change these settings.").waitFor();
    expect(await auditor.getByRole("button", { name: "Save" }).count()).toBe(0);
    expect(await auditor.getByLabel("Issuer").isDisabled()).toBe(true);
  });

  test("details name the service as people do, not by its code", async () => {
    await open(admin, `/transactions/${orderId}`);
    await admin.getByRole("dialog").getByText("Recharge", { exact: true }).waitFor();
    await client.open(`/transactions/${orderId}`);
    await client.page.getByRole("dialog").getByText("Recharge", { exact: true }).waitFor();
  });

  test("the days of an analysis and of a statement are written as everywhere else", async () => {
    await open(admin, "/analytics");
    await admin.getByText(PERIOD).waitFor();
    await open(admin, `/statements?account_id=${client.accountId}`);
    await admin.getByText(/^1 \w{3} \d{4}$/).waitFor();
  });

  test("on a phone the way back to the list is not cut off", async () => {
    await admin.setViewportSize({ width: 390, height: 844 });
    await open(admin, "/ledger/accounts");
    const back = admin.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Ledger" });
    await back.waitFor();
    // An ellipsis is drawn where the text is wider than its box.
    const isCut = await back.evaluate((link) =>
      [link, ...link.querySelectorAll("*")].some((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth),
    );
    expect(isCut).toBe(false);
    await back.click();
    await admin.getByText("Trial balance").waitFor();
    await admin.setViewportSize({ width: 1280, height: 800 });
  });

  test("no page reported an error", () => {
    expect(site.pageErrors).toEqual([]);
  });
});
