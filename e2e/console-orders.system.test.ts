import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, keepProved, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { expectTextOnly, SCRIPT } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

describe.skipIf(NO_BROWSER !== null)(`transactions at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let listener: Listener;
  let page: Page;
  let asha: ConsoleClient;
  let other: ConsoleClient;
  beforeAll(async () => {
    listener = await startListener();
    site = await startConsole({
      CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8",
      CORPRAIL_SIMULATOR_DELAY_MS: "300",
      CORPRAIL_SIMULATOR_TIMEOUT_MS: "500",
    });
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "operations");
    await keepProved(page, service());
  });
  afterAll(async () => {
    await site?.close();
    await listener?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const drawer = () => page.getByRole("dialog", { name: /^Transaction / });
  const dialog = () => page.getByRole("dialog").last();
  const rows = (on = page) => on.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  const param = (name: string) => new URL(page.url()).searchParams.get(name);
  const balance = async () => Number((await operator(service(), "GET", `/accounts/${asha.accountId}/wallet`)).body["balance"]);

  async function database<Answer>(use: (sql: postgres.Sql) => Promise<Answer>): Promise<Answer> {
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    return await use(sql).finally(() => sql.end());
  }

  /** A recharge that stays as it is: its provider is not asked by itself for an hour. */
  async function left(urid: string, account: string): Promise<string> {
    const orderId = await asha.pay(urid, account);
    await database((sql) => sql`update pending_polls set due_at = now() + interval '1 hour' where order_id = ${orderId}`);
    return orderId;
  }

  test("an empty list says what will appear there", async () => {
    await page.goto(url("/transactions"));
    await page.getByText("of all clients will appear here").waitFor();
    await checkPage(page, "console-transactions-empty");
  });

  async function saveView(name: string): Promise<void> {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save these filters" }).click();
    await page.getByLabel("Name of the view").fill(name);
    await checkPage(page, "console-save-view");
    await page.getByRole("button", { name: "Save", exact: true }).click();
  }

  test("orders of every client are found by filters that live in the address", async () => {
    asha = await newConsoleClient(service(), "Asha", { callback_url: `${listener.url}/cb` });
    other = await newConsoleClient(service(), "Other");
    const good = await asha.pay("good-1", "9876543000");
    await asha.pay("bad-1", "9876543102");
    await other.pay("good-2", "9876544000");
    const doubtful = await left("doubt-1", "9876543141");
    await page.goto(url("/transactions"));
    await until("all four are listed", async () => (await rows().count()) === 4);
    await checkPage(page, "console-transactions");
    await page.getByLabel("Status").selectOption("Failed");
    await until("only the failed one is listed", async () => (await rows().count()) === 1);
    await expect.poll(() => param("status")).toBe("FAILED");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Waiting").selectOption("In doubt");
    await page.getByRole("link", { name: /9876543141/ }).waitFor();
    await until("only the doubtful one is listed", async () => (await rows().count()) === 1);
    await page.reload();
    await page.getByRole("link", { name: /9876543141/ }).waitFor();
    await page.getByLabel("Waiting").selectOption("To settle manually");
    await page.getByText("No transaction matches these filters").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByLabel("Client", { exact: true }).fill("no such client");
    await page.getByLabel("Search").focus();
    await page.getByText("Choose a client from the list, or clear the field.").waitFor();
    expect(await rows().count()).toBe(4);
    await page.getByLabel("Client", { exact: true }).fill(other.accountId);
    await until("only the other's is listed", async () => (await rows().count()) === 1);
    await saveView("The other client");
    await page.getByRole("button", { name: "Clear" }).click();
    await until("all four are listed again", async () => (await rows().count()) === 4);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "The other client" }).click();
    await until("the saved view is open", () => param("account_id") === other.accountId);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Period").selectOption("Yesterday");
    await page.getByText("No transaction matches these filters").waitFor();
    expect(param("from")).toBe(param("to"));
    await page.getByLabel("Period").selectOption("Today");
    await until("today's are listed", async () => (await rows().count()) === 4);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Search").fill("good-1");
    await until("the search is on", () => param("search") === "good-1");
    await page.getByRole("link", { name: /9876543000/ }).click();
    await page.getByRole("heading", { name: `Transaction ${good}` }).waitFor();
    expect([new URL(page.url()).pathname, param("search")]).toEqual([`/console/transactions/${good}`, "good-1"]);
    await page.keyboard.press("Escape");
    await until("the drawer leads back to its list", () => new URL(page.url()).pathname === "/console/transactions");
    for (const name of ["Service", "Operator", "Provider"])
      await expect.poll(() => page.getByLabel(name).locator("option").count()).toBeGreaterThan(1);
    await page.goto(url(`/transactions?search=${doubtful}`));
    await until("it is found by its id", async () => (await rows().count()) === 1);
    await page.keyboard.press("Control+k");
    await page.getByLabel("Page or action").fill("54400");
    await page.getByRole("option", { name: /^Open transaction .*9876544000/ }).click();
    await page.getByRole("dialog", { name: /^Transaction / }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("a table that is too wide leaves columns out and names them, with scroll bars shown", async () => {
    const id = await asha.pay(`wide-${"9".repeat(59)}`, "9876547000");
    await database((sql) => sql`update orders set target = ${"7".repeat(40)} where order_id = ${id}`);
    const wide = await pageWithScrollBars(page);
    await wide.goto(url("/transactions"));
    await wide.getByRole("link", { name: /7{40}/ }).waitFor();
    await wide.getByText("No room here for: Provider. Open a row to see everything, or hide other columns.").waitFor();
    await checkLayout(wide, "console-transactions-wide");
    const headers = () => wide.getByRole("columnheader").allTextContents();
    expect(await headers()).toEqual(["", "Number", "Client", "Order id and urid", "Status", "Amount", "Time"]);
    await wide.setViewportSize({ width: 1600, height: 800 });
    await expect.poll(headers).toContain("Provider");
    await wide.context().close();
    await database((sql) => sql`update orders set target = '9876547000' where order_id = ${id}`);
  });

  test("a manual requery settles the order when the provider knows the result, and changes nothing otherwise", async () => {
    const open = await left("open-1", "9876543110");
    await page.goto(url(`/transactions/${open}`));
    await drawer().getByText("The next check is at").waitFor();
    await drawer().getByRole("button", { name: "Requery provider" }).click();
    await dialog().getByText("The result is not final. Nothing was changed.").waitFor();
    await checkPage(page, "console-transaction-asked");
    await dialog().getByRole("button", { name: "OK" }).click();
    await drawer().getByText("Pending", { exact: true }).first().waitFor();
    const known = await left("known-1", "9876545141");
    await page.goto(url(`/transactions/${known}`));
    await drawer().getByRole("button", { name: "Requery provider" }).click();
    await dialog().getByText("the transaction was settled accordingly").waitFor();
    await dialog().getByRole("button", { name: "OK" }).click();
    await drawer().getByText("Success", { exact: true }).waitFor();
    await drawer().getByText("Provider queried").waitFor();
    await expect.poll(() => drawer().getByRole("button", { name: "Requery provider" }).count()).toBe(0);
  });

  test("an order is settled manually with evidence, which its timeline shows unchanged", async () => {
    const orderId = await left("settle-1", "9876546110");
    const before = await balance();
    await page.goto(url(`/transactions/${orderId}`));
    await drawer().getByRole("button", { name: "Settle manually" }).click();
    await dialog().getByRole("button", { name: "Settle manually" }).click();
    await dialog().getByText("Enter a reason.").waitFor();
    // No result is preselected, and the dialog names what is settled.
    await dialog().getByText("Choose the result that the provider confirmed.").waitFor();
    expect(await dialog().getByLabel("Result").inputValue()).toBe("");
    for (const text of ["Asha Stores", orderId]) await dialog().getByText(text).first().waitFor();
    await dialog().getByLabel("Result").selectOption("SUCCESS");
    await dialog().getByLabel("Operator reference").fill("OP-77");
    await dialog().getByLabel("Evidence").fill(`Seen in the provider's portal ${SCRIPT}`);
    await checkPage(page, "console-transaction-settle");
    await dialog().getByRole("button", { name: "Settle manually" }).click();
    await drawer().getByText("Success", { exact: true }).waitFor();
    const timeline = drawer().getByRole("region", { name: "Timeline" });
    await timeline.getByText(`SUCCESS, OP-77, Seen in the provider's portal ${SCRIPT}, by Meera operations`).waitFor();
    await expectTextOnly(page);
    expect(await balance()).toBe(before);
    await checkPage(page, "console-transaction");
    const failed = await left("settle-2", "9876547110");
    await page.goto(url(`/transactions/${failed}`));
    await drawer().getByRole("button", { name: "Settle manually" }).click();
    await dialog().getByLabel("Result").selectOption("FAILED");
    await dialog().getByLabel("Evidence").fill("The provider has never seen it.");
    await dialog().getByRole("button", { name: "Settle manually" }).click();
    await drawer().getByText("Failed", { exact: true }).waitFor();
    expect(await balance()).toBe(before);
  });

  test("a success is reversed; the callback is sent and can be sent again", async () => {
    const orderId = await asha.pay("back-1", "9876548000");
    const before = await balance();
    listener.answer(500);
    await page.goto(url(`/transactions/${orderId}`));
    await drawer().getByRole("button", { name: "Reverse" }).click();
    await checkPage(page, "console-transaction-reverse");
    await dialog().getByLabel("Reason").fill("The wrong number.");
    await dialog().getByRole("button", { name: "Reverse" }).click();
    await drawer().getByText("FAILED after SUCCESS").waitFor();
    expect(await balance()).toBe(before + 10);
    const callbacks = drawer().getByRole("region", { name: "Callbacks" });
    await callbacks.getByText(/last HTTP 500/).waitFor();
    listener.answer(200);
    await callbacks.getByRole("button", { name: "Resend Callback FAILED" }).click();
    await callbacks.getByText("Delivered", { exact: true }).waitFor();
    await checkPage(page, "console-transaction-reversed");
    await expect.poll(() => drawer().getByRole("button", { name: "Reverse" }).count()).toBe(0);
  });

  test("a transfer is refunded and a ticket cancelled, each by its own button", async () => {
    const [transfer, ticket] = [await asha.transfer(), await asha.ticket()];
    for (const [orderId, action] of [
      [transfer, "Refund"],
      [ticket, "Cancel ticket"],
    ] as const) {
      const before = await balance();
      await page.goto(url(`/transactions/${orderId}`));
      await drawer().getByRole("button", { name: action }).click();
      await dialog().getByLabel("Reason").fill("The client asks for it.");
      await dialog().getByRole("button", { name: action }).click();
      await drawer().getByText("Reversed", { exact: true }).first().waitFor();
      expect(await balance()).toBeGreaterThan(before);
    }
  });

  test("a reversal at the threshold waits for approval and changes nothing before that", async () => {
    const orderId = await asha.pay("eyes-1", "9876549000");
    await change(service(), "/approval-rules", { order_threshold: "5.00" });
    await page.goto(url(`/transactions/${orderId}`));
    await drawer().getByRole("button", { name: "Reverse" }).click();
    await dialog().getByLabel("Reason").fill("The wrong number.");
    await dialog().getByRole("button", { name: "Reverse" }).click();
    await page.getByText("Waiting for approval.").waitFor();
    await checkPage(page, "console-transaction-waits");
    const link = await page.getByRole("link", { name: "Show approval" }).getAttribute("href");
    expect(link).toMatch(/^\/console\/approvals\/\w+$/);
    expect((await operator(service(), "GET", `/orders/${orderId}`)).body["order"]).toMatchObject({ status: "SUCCESS" });
  });

  test("the filtered list is exported to a file that survives a reload", async () => {
    await page.goto(url("/transactions?search=good-1"));
    await page.getByRole("link", { name: "Export as CSV" }).click();
    await page.getByText("Only where search is good-1.").waitFor();
    await page.getByRole("button", { name: "Start export" }).click();
    await page.getByRole("list", { name: "Exports" }).waitFor();
    await page.reload();
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const lines = (await readFile(await (await started).path(), "utf8")).trim().split("\n");
    expect(lines.map((line) => line.split(",")[3])).toEqual(["urid", "good-1"]);
    await checkPage(page, "console-transactions-exports");
  });

  test("a read-only role sees no button that changes something", async () => {
    const { page: reader } = await site.visitor();
    await signedInStaff(site, reader, "auditor");
    await reader.goto(url("/transactions"));
    await rows(reader).first().waitFor();
    await expect.poll(() => reader.getByRole("link", { name: "Export as CSV" }).count()).toBe(0);
    await reader.getByLabel("Search").fill("eyes-1");
    await reader.getByRole("link", { name: /9876549000/ }).click();
    await reader.getByRole("region", { name: "Timeline" }).waitFor();
    for (const name of ["Reverse", "Requery provider", "Settle manually"])
      await expect.poll(() => reader.getByRole("button", { name }).count()).toBe(0);
    await reader.goto(url("/transactions/NOSUCHORDER"));
    await reader.getByText("There is no such order.").waitFor();
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
