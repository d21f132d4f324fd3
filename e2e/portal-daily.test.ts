import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, startPortal } from "./harness/browser/portal.ts";
import { expectTextOnly, newPortalClient, type PortalClient, recharge, SCRIPT } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

const ORDERS = 54;
// Sums what moves without having been touched.
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

describe.skipIf(NO_BROWSER !== null)(`the portal's daily work${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let listener: Listener;
  let client: PortalClient;
  let page: Page;
  beforeAll(async () => {
    listener = await startListener();
    portal = await startPortal({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8", CORPRAIL_SIMULATOR_DELAY_MS: "300" });
    client = await newPortalClient(portal, { callback_url: `${listener.url}/cb` });
    page = client.page;
    await page.context().addInitScript(WATCH_SHIFTS);
  });
  afterAll(async () => {
    await portal?.close();
    await listener?.close();
  });

  const service = () => portal.installation.service;
  const pay = async (urid: string, account: string) => String((await recharge(service().url, client.token, urid, account))["order_id"]);
  const drawer = () => page.getByRole("dialog");
  const address = () => new URL(page.url());
  const shifted = async () => await page.evaluate<number>("window.shifted");

  test("a new account sees the go-live steps, and every empty list says what will appear there", async () => {
    await client.open("/");
    const steps = page.getByRole("listitem").filter({ hasText: /^(?:Done|To do): / });
    await steps.first().waitFor();
    await expect.poll(() => steps.count()).toBe(6);
    await page.getByText("2 of 6 steps are done.").waitFor();
    const links = await steps.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    const pages = ["/credentials", "/allowlist", "/logs", "/credentials", "/api-access", "/allowlist#callback-security"];
    expect(links).toEqual(pages.map((path) => `/portal${path}`));
    await page.getByText("Transactions of the last 24 hours will appear here").waitFor();
    for (const [path, sentence] of [
      ["/transactions", "Recharges, transfers, bills and tickets of your account will appear here"],
      ["/complaints", "Complaints about your transactions will appear here"],
    ] as const) {
      await client.open(path);
      await page.getByText(sentence).waitFor();
      await page.getByText("curl -X POST").waitFor();
    }
  });

  test("a recharge is found by filters that live in the address, page after page", async () => {
    const accounts = Array.from(
      { length: ORDERS },
      (_, place) => `98765${String(place).padStart(2, "0")}${place % 9 === 8 ? "102" : "000"}`,
    );
    await Promise.all(accounts.map((account, place) => pay(`inv-${place}`, account)));
    await client.open("/transactions");
    const rows = page.getByRole("table", { name: "Transactions" }).locator("tbody tr");
    await page.getByRole("button", { name: "Load more" }).click();
    await until("the second page is there", async () => (await rows.count()) === ORDERS);
    expect(await shifted()).toBeLessThan(0.05);

    await page.getByLabel("Status").selectOption("Failed");
    await until("the status is in the address", () => address().searchParams.get("status") === "FAILED");
    await until("only failed ones are listed", async () => (await rows.count()) === 6);
    await checkPage(page, "transactions");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Search").fill("9876507000");
    await until("the search is in the address", () => address().search === "?search=9876507000");
    await until("one is found", async () => (await rows.count()) === 1);
    await page.reload();
    await until("it is found again", async () => (await rows.count()) === 1);
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("9876507000");
    const link = rows.first().getByRole("link");
    await expect.poll(() => link.getAttribute("href")).toMatch(/^\/portal\/transactions\/[0-9A-Z]+\?search=9876507000$/);
    await expect.poll(() => rows.first().locator("time").last().getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);

    await client.open(`/transactions?search=${encodeURIComponent(SCRIPT)}`);
    await page.getByText("No transaction matches these filters").waitFor();
    await client.open("/transactions?from=2020-01-01&to=2020-01-02&operator=AT&service=recharge");
    await page.getByText("No transaction matches these filters").waitFor();
    await expect.poll(() => page.getByLabel("Operator").inputValue()).toBe("AT");
    await expectTextOnly(page);
  });

  test("a search that was cut off goes on by itself, and can be stopped", async () => {
    // As a search among millions of transactions replies until it is let through.
    let isCutOff = true;
    await page.route("**/portal/api/transactions?*", async (route) =>
      isCutOff
        ? await route.fulfill({ json: { items: [], next: Buffer.from("Z".repeat(18)).toString("base64url") } })
        : await route.continue(),
    );
    await client.open("/transactions?search=9876507000");
    await page.getByText("Searching older ones…").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Nothing found among the newest entries.", { exact: true }).waitFor();
    await checkPage(page, "transactions-search-stopped");
    await page.getByRole("button", { name: "Search older ones" }).click();
    await page.getByText("Searching older ones…").waitFor();
    isCutOff = false;
    await page.getByRole("link", { name: "9876507000" }).waitFor();
    await page.unroute("**/portal/api/transactions?*");
  });

  test("the timeline of a reversed transaction tells all of it, and a callback is sent again", async () => {
    listener.answer(500);
    const orderId = await pay("turned", "9876543000");
    await client.open(`/transactions/${orderId}?search=turned`);
    await drawer().getByText("SUCCESS", { exact: true }).waitFor();
    await change(service(), `/orders/${orderId}/reverse`, { reason: `The number was closed ${SCRIPT}` });
    await page.reload();
    await drawer().getByText("Reversed", { exact: true }).first().waitFor();
    await until("the callback's first attempt is shown", async () => {
      await page.reload();
      await drawer().getByText("Callbacks", { exact: true }).waitFor();
      return (await drawer().getByText("Attempt 1: HTTP 500").count()) > 0;
    });
    const timeline = (await drawer().getByRole("region", { name: "Timeline" }).textContent()) ?? "";
    const expected = [
      "Request accepted",
      "Money held",
      "Attempt 1 sent",
      "Money captured",
      "SUCCESS",
      "Money returned",
      "Reversed",
      "Callback FAILED",
    ];
    const places = expected.map((title) => timeline.indexOf(title));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    // Contract, section 9a: what the staff wrote is for the staff.
    expect(timeline).toContain("Reversed by the service's staff.");
    expect(timeline).not.toContain(SCRIPT);
    await expectTextOnly(page);
    const ledger = drawer().getByRole("region", { name: "Ledger lines" });
    await expect.poll(() => ledger.locator("tbody tr").count()).toBe(3);
    await expect.poll(() => ledger.textContent()).toContain("₹10.0000");
    await checkPage(page, "transaction");

    listener.answer(200);
    await drawer().getByRole("button", { name: "Resend Callback FAILED" }).click();
    await drawer().getByText("Delivered", { exact: true }).waitFor();
    await drawer()
      .getByText(/^Attempt \d+: HTTP 200/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await until("the drawer leads back to its list", () => address().pathname === "/portal/transactions");
    await page
      .getByRole("row", { name: /9876543000/ })
      .getByText("Reversed")
      .first()
      .waitFor();
  });

  test("a complaint is raised from its transaction, and its decision appears without a reload", async () => {
    const orderId = await pay("complained", "9876544000");
    await client.open(`/transactions/${orderId}`);
    await drawer().getByRole("link", { name: "Raise complaint" }).click();
    await until("the order id is filled in", async () => (await drawer().getByLabel("Order id").inputValue()) === orderId);
    await drawer().getByLabel("Description").fill("no");
    await drawer().getByRole("button", { name: "Raise complaint" }).click();
    await drawer().getByText("Enter at least 5 characters.").waitFor();
    await drawer().getByLabel("Reason").selectOption("wrong_amount");
    await drawer().getByLabel("Description").fill(`The benefit is missing ${SCRIPT}`);
    await drawer().getByRole("button", { name: "Raise complaint" }).click();
    await drawer()
      .getByRole("heading", { name: /^Complaint CMP/ })
      .waitFor();
    const complaintRef = address().pathname.split("/").at(-1) ?? "";
    await drawer().getByText("Open", { exact: true }).waitFor();
    await drawer().getByText(`The benefit is missing ${SCRIPT}`).waitFor();
    await change(service(), `/complaints/${complaintRef}/clear`, { decision: "refund", reason: `Agreed ${SCRIPT}` });
    await drawer().getByText("Refunded", { exact: true }).waitFor();
    await drawer().getByText("₹10.0000 was refunded").waitFor();
    await checkPage(page, "complaint");
    await page.keyboard.press("Escape");
    await page.getByLabel("Status").selectOption("Refunded");
    await page.getByRole("link", { name: complaintRef }).waitFor();
    expect(address().search).toBe("?status=REFUNDED");
    await page.getByLabel("Search").fill("6544");
    await until("the search is in the address", () => address().searchParams.get("search") === "6544");
    await page.getByRole("link", { name: complaintRef }).waitFor();
    await page.getByLabel("Period").selectOption("Yesterday");
    await page.getByText("No complaint matches these filters.").waitFor();
    await page.getByLabel("Period").selectOption("Today");
    await page.getByRole("link", { name: complaintRef }).waitFor();
    await page.getByLabel("Search").fill("no such complaint");
    await page.getByText("No complaint matches these filters.").waitFor();

    await client.open(`/transactions/${orderId}`);
    await drawer().getByRole("region", { name: "Complaints" }).getByRole("link", { name: complaintRef }).waitFor();
    await expect.poll(() => drawer().getByRole("region", { name: "Timeline" }).textContent()).toContain(`Agreed ${SCRIPT}`);
    await expectTextOnly(page);
  });

  test("an export goes on while the page is loaded again, and its file holds what the list shows", async () => {
    await client.open("/transactions?search=turned");
    await page.getByRole("link", { name: "Export as CSV" }).click();
    await drawer().getByText("Exports will appear here").waitFor();
    await drawer().getByRole("button", { name: "Start export" }).click();
    await drawer().getByRole("list", { name: "Exports" }).waitFor();
    await page.reload();
    const started = page.waitForEvent("download");
    await drawer().getByRole("link", { name: "Download" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(["turned"]);
    await drawer().getByText("1 done", { exact: true }).waitFor();
    await checkPage(page, "exports");
  });

  test("Home shows the day in figures and in charts that can be read as tables, and nothing jumps", async () => {
    await client.open("/");
    await page.getByRole("img", { name: /^Transactions per hour/ }).waitFor();
    await page.getByText(`${ORDERS + 2} transactions`).waitFor();
    await page.locator(".recharts-bar-rectangle").first().waitFor();
    expect(await shifted()).toBeLessThan(0.05);
    await checkPage(page, "home");
    await page.getByRole("button", { name: "View as table" }).first().click();
    const hours = page.getByRole("table", { name: "Transactions per hour" }).locator("tbody tr");
    await expect.poll(() => hours.count()).toBe(24);
    const counts = await hours.evaluateAll((rows) =>
      rows.flatMap((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent))),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ORDERS + 2);
    await page.getByRole("button", { name: "View as table" }).click();
    await page.getByRole("table", { name: "Time to final" }).waitFor();
    await page.getByRole("button", { name: "Hide" }).click();
    await page.reload();
    await page.getByText("Success rate today").waitFor();
    await page.getByRole("img", { name: /^Transactions per hour/ }).waitFor();
    await expect.poll(() => page.getByText("Go live").count()).toBe(0);
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(portal.pageErrors).toEqual([]);
    expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
