import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import type { Service } from "./harness/service.ts";

describe.skipIf(NO_BROWSER !== null)(`the console's overview${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let service: Service;
  let client: Client;
  let page: Page;
  let auditor: Page;
  beforeAll(async () => {
    site = await startConsole({ CORPRAIL_SIMULATOR_DELAY_MS: "200" });
    ({ service } = site.installation);
    client = await newClient(service);
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "5000", reference: "start", note: "" });
    ({ page } = await site.visitor());
    ({ page: auditor } = await site.visitor());
    await signedInStaff(site, page, "admin");
    await signedInStaff(site, auditor, "auditor");
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "") => consoleUrl(service, path);
  const pay = async (urid: string, account: string) => String((await recharge(service.url, client.token, urid, account))["order_id"]);
  const badge = (name: string) => page.locator("main header").getByText(name, { exact: true });
  const figure = (label: string) =>
    page
      .locator("main div")
      .filter({ has: page.getByText(label, { exact: true }) })
      .last();
  /** The value of a row of a chart that is shown as a table. */
  const cell = (chart: string, row: string) =>
    page.getByRole("table", { name: chart }).getByRole("row", { name: row }).getByRole("cell").first();

  test("an installation without orders says so and has no open alerts", async () => {
    await page.goto(url());
    await page.getByText("There are no open alerts.").waitFor();
    await badge("Up to date").waitFor();
    await page.getByText("Providers will appear here with the first order of the hour.").waitFor();
    await figure("Orders per second").getByText("0.0").waitFor();
    const ways = page.locator("main").getByRole("link", { name: "Show" });
    const where = await ways.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    // Every page that there is by now.
    for (const href of where) {
      const { page: other } = await site.visitor({ storageState: await page.context().storageState() });
      await other.goto(new URL(href ?? "", page.url()).href);
      await other.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => other.getByText("Page not found").count()).toBe(0);
      await other.context().close();
    }
    await checkPage(page, "console-overview-empty");
  });

  test("the overview shows a pending order and its settlement without a reload", async () => {
    const byAge = page.getByRole("figure").filter({ hasText: "Pending by age" });
    for (const age of ["up to 1 m", "1–10 m", "10–60 m", "over 1 h"]) await byAge.locator("svg").getByText(age, { exact: true }).waitFor();
    await byAge.getByRole("button", { name: "View as table" }).click();
    await cell("Pending by age", "up to 1 m").getByText("0", { exact: true }).waitFor();
    const orderId = await pay("stays", "9876543110");
    await cell("Pending by age", "up to 1 m").getByText("1", { exact: true }).waitFor();
    await page.getByRole("table", { name: "Success by provider" }).getByText("simulator").waitFor();
    await change(service, `/orders/${orderId}/settle`, { status: "SUCCESS", reason: "confirmed by phone" });
    await cell("Pending by age", "up to 1 m").getByText("0", { exact: true }).waitFor();
    await page
      .getByRole("table", { name: "Success by operator" })
      .getByRole("row", { name: /Airtel.*100 %/ })
      .waitFor();
    await page
      .getByRole("table", { name: "Providers today" })
      .getByRole("row", { name: /simulator/ })
      .waitFor();
  });

  test("an admin changes alert settings, and an invalid number is an error at its field", async () => {
    await page.goto(url("/alerts"));
    await page.getByText("There have been no alerts yet.").waitFor();
    await page.getByRole("link", { name: "Alert settings" }).click();
    const drawer = page.getByRole("dialog", { name: "Alert settings" });
    await drawer.getByLabel("Minimum number of orders").fill("soon");
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.getByText("Enter a whole number.").waitFor();
    await drawer.getByLabel("Minimum number of orders").fill("5");
    await drawer.getByLabel("Provider success rate below, in %").fill("400");
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.getByText(/100/).last().waitFor();
    await drawer.getByLabel("Provider success rate below, in %").fill("70");
    await drawer.getByLabel("Oldest callback overdue by, in minutes").fill("");
    await drawer.getByLabel("Close after, in seconds").fill("1");
    await checkPage(page, "console-alert-settings");
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.waitFor({ state: "detached" });
    const { body } = await operator(service, "GET", "/alert-settings");
    expect(body).toMatchObject({ provider_success_orders: 5, provider_success_percent: 70, callback_minutes: null, close_seconds: 1 });
    await auditor.goto(url("/alerts/settings"));
    await auditor.getByText("Ask an admin to change these settings.").waitFor();
    await expect.poll(() => auditor.getByRole("button", { name: "Save" }).count()).toBe(0);
  });

  test("a provider that fails raises an alert, which somebody acknowledges", async () => {
    await page.goto(url());
    await page.getByText("There are no open alerts.").waitFor();
    for (let order = 0; order < 6; order++) await pay(`fails-${order}`, "9876543102");
    await page.getByRole("link", { name: "Provider failing" }).waitFor();
    await page.getByText(/^simulator carried out 1 of 7 orders in the last 15 minutes/).waitFor();
    await checkPage(page, "console-overview");
    await page.getByRole("link", { name: "Provider failing" }).click();
    const drawer = page.getByRole("dialog", { name: "Provider failing" });
    await drawer.getByText("docs/runbooks/provider-outage.md").waitFor();
    await drawer.getByRole("button", { name: "Acknowledge" }).click();
    await drawer.getByText("Enter a note.").waitFor();
    await drawer.getByLabel("What you are doing about it").fill("Their staff <b>looks</b> at it.");
    await checkPage(page, "console-alert");
    await drawer.getByRole("button", { name: "Acknowledge" }).click();
    await drawer.getByText("Their staff <b>looks</b> at it.").waitFor();
    await drawer.getByText("Meera admin").waitFor();
    await expect.poll(() => drawer.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
    await drawer.getByRole("link", { name: "Show audit log" }).click();
    await page.getByRole("table", { name: "Audit" }).getByText("Alert acknowledged").waitFor();
    await page.goto(url());
    await page.getByText("“Their staff <b>looks</b> at it.”").waitFor();
    await auditor.goto(url("/alerts?state=acknowledged"));
    await auditor.getByRole("link", { name: "Provider failing" }).click();
    await auditor.getByRole("dialog", { name: "Provider failing" }).getByText("Acknowledged").first().waitFor();
  });

  test("a read-only role cannot acknowledge, and an acknowledged alert cannot be acknowledged again", async () => {
    await auditor.goto(url("/alerts"));
    await auditor.getByRole("link", { name: "Provider failing" }).click();
    const drawer = auditor.getByRole("dialog", { name: "Provider failing" });
    await drawer.getByText("docs/runbooks/provider-outage.md").waitFor();
    await expect.poll(() => drawer.getByLabel("What you are doing about it").count()).toBe(0);
    const alertId = new URL(auditor.url()).pathname.split("/").at(-1);
    expect((await operator(service, "POST", `/alerts/${alertId}/acknowledge`, { note: "me too" })).status).toBe(409);
  });

  test("an alert closes automatically when its condition clears, and stays in the list", async () => {
    for (let order = 0; order < 20; order++) await pay(`goes-${order}`, "9876543000");
    await page.goto(url());
    await page.getByText("There are no open alerts.").waitFor();
    await page.getByRole("link", { name: "All alerts" }).click();
    await page
      .getByRole("row", { name: /Provider failing/ })
      .getByText("Closed")
      .waitFor();
    await page.getByLabel("State").selectOption({ label: "Closed" });
    await expect.poll(() => new URL(page.url()).search).toBe("?state=closed");
    await page.getByRole("link", { name: "Provider failing" }).waitFor();
    await checkPage(page, "console-alerts");
    await page.getByLabel("State").selectOption({ label: "Open" });
    await page.getByText("No alert matches these filters.").waitFor();
  });

  test("when the service stops, the overview says so and reconnects automatically", async () => {
    await page.goto(url());
    await badge("Up to date").waitFor();
    const { port, operatorKey } = service;
    expect(await service.stop()).toMatchObject({ code: 0 });
    await badge("Connection lost").waitFor();
    await page.getByText("The connection was lost.").waitFor();
    await checkPage(page, "console-overview-lost");
    service = await site.installation.another({ CORPRAIL_PORT: String(port), CORPRAIL_OPERATOR_KEY: operatorKey });
    await badge("Up to date").waitFor();
    await pay("after", "9876543000");
    await figure("Orders per second").getByText("0.1").waitFor();
  });

  test("the ledger is consistent, and no page reported an error", async () => {
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
    // The browser also reports a stream that a stopping service ends.
    expect(site.pageErrors.filter((text) => !/ERR_|Failed to load resource/.test(text))).toEqual([]);
  });
});
