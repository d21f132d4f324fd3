import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { consoleUrl, signedInStaff } from "./harness/browser/console.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import { newPortalClient, type PortalClient } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";

const DAY = 86_400_000;
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function idAt(milliseconds: number, number: number): string {
  let rest = milliseconds;
  let text = "";
  for (let place = 0; place < 10; place++) {
    text = LETTERS.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text + String(number).padStart(8, "0");
}

describe.skipIf(NO_BROWSER !== null)(`analytics of both sites${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Portal;
  let client: PortalClient;
  let staff: Page;
  beforeAll(async () => {
    site = await startPortal();
    client = await newPortalClient(site);
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    // Yesterday 20 orders, of which two failed, and ten on the day before.
    const orders = Array.from({ length: 30 }, (_, number) => ({ number, at: Date.now() - (number < 20 ? 1 : 2) * DAY, fails: number < 2 }));
    for (const { number, at, fails } of orders)
      await sql`
        insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, circle, provider,
          reason, process_id, created_at, updated_at)
        values (${client.accountId}, ${idAt(at, number)}, 'recharge', ${`R${number}`}, '', ${fails ? 2 : 1}, 100000, '10', '9876543210',
          ${number % 4 === 0 ? "JO" : "AT"}, 'KA', 'simulator', ${fails ? "[operator_down] Down." : null}, 'P', ${new Date(at)}, ${new Date(at + 400)})`;
    await until("they are rolled up", async () => (await sql`select from order_rollups limit 1`).length > 0);
    await sql.end();
    ({ page: staff } = await site.visitor());
    await signedInStaff(site, staff, "auditor");
  });
  afterAll(() => site?.close());

  const service = () => site.installation.service;
  const line = (page: Page, name: string) => page.getByRole("table", { name: /^Figures by/ }).getByRole("row", { name: new RegExp(name) });

  test("the portal compares a period with the one before, and a line leads to its transactions", async () => {
    const { page } = client;
    await client.open("/analytics");
    await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "Yesterday" }).click();
    await page.getByText("90.0 %").first().waitFor();
    await page.getByText("+100 %").first().waitFor();
    await line(page, "Airtel").waitFor();
    await checkPage(page, "portal-analytics");
    await page.getByRole("button", { name: "View as table" }).first().click();
    await page.getByRole("table", { name: "Transactions per hour" }).waitFor();
    await page.getByRole("navigation", { name: "Breakdown by" }).getByRole("link", { name: "Error reason" }).click();
    await line(page, "The operator is down").getByRole("link").click();
    await page.getByRole("heading", { name: "Transactions" }).waitFor();
    await until("two are listed", async () => (await page.getByRole("table", { name: "Transactions" }).locator("tbody tr").count()) === 2);
    expect(new URL(page.url()).searchParams.get("reason")).toBe("operator_down");
  });

  test("the portal exports the lines as CSV, and an empty period says what will appear", async () => {
    const { page } = client;
    await client.open("/analytics?from=2020-01-01&to=2020-01-07");
    await page.getByText("Figures will appear here about two minutes after").waitFor();
    await checkPage(page, "portal-analytics-empty");
    await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "Last 7 days" }).click();
    await line(page, "Airtel").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export as CSV" }).click()]);
    expect(download.suggestedFilename()).toMatch(/^analytics-.*-by-operator\.csv$/);
  });

  test("the console shows the figures by client and provider, and fits with scroll bars", async () => {
    await staff.goto(consoleUrl(service(), "/analytics"));
    await line(staff, "Airtel").waitFor();
    for (const [tab, name] of [
      ["Client", "Asha Stores"],
      ["Provider", "simulator"],
    ] as const) {
      await staff.getByRole("navigation", { name: "Breakdown by" }).getByRole("link", { name: tab }).click();
      await line(staff, name).waitFor();
    }
    await checkPage(staff, "console-analytics");
    for (const [page, url] of [
      [staff, consoleUrl(service(), "/analytics")],
      [client.page, portalUrl(service(), "/analytics")],
    ] as const) {
      const shown = await pageWithScrollBars(page);
      await shown.goto(url);
      await line(shown, "Airtel").waitFor();
      await checkLayout(shown, url);
      await shown.context().close();
    }
    expect(site.pageErrors).toEqual([]);
  });
});
