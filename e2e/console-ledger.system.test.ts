import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`the ledger at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let client: ConsoleClient;
  let pending: string;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "auditor");
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const param = (name: string) => new URL(page.url()).searchParams.get(name);
  const lines = () => page.getByRole("table", { name: "Ledger lines" }).locator("tbody tr");
  const balanceRow = async (name: string) =>
    await page
      .getByRole("region", { name: "Trial balance" })
      .getByRole("row", { name: new RegExp(`^${name}`) })
      .textContent();

  async function asOwner(statement: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    await statement(sql).finally(() => sql.end());
  }

  test("the trial balance sums to zero over clients and over sandboxes, each by itself", async () => {
    client = await newConsoleClient(service(), "Asha");
    await client.pay("good-1", "9876543000");
    pending = await client.pay("open-1", "9876543110");
    const { account_id: sandbox } = await change(service(), "/accounts", { name: "Play", sandbox: true });
    await change(service(), `/accounts/${String(sandbox)}/wallet`, { amount: "77.00", reference: "start" });
    await page.goto(url("/ledger"));
    await page.getByText("₹99,980.0000").first().waitFor();
    // With the 10,000 of the demo account.
    await expect.poll(() => balanceRow("Available")).toContain("₹1,09,980.0000");
    await expect.poll(() => balanceRow("Held")).toContain("₹10.0000");
    await expect.poll(() => balanceRow("Cleared")).toContain("₹10.0000");
    await expect.poll(() => balanceRow("Funding")).toContain("-₹1,10,000.0000");
    await expect.poll(() => balanceRow("Sum")).toContain("₹0.0000");
    await page.goto(url("/ledger?mode=test"));
    await expect.poll(() => balanceRow("Available")).toContain("₹77.0000");
    await expect.poll(() => balanceRow("Funding")).toContain("-₹77.0000");
    await page.goto(url("/ledger"));
    await page.getByText(/The continuous check found no violations/).waitFor();
    await page.getByText("No wallet has an overdraft.").waitFor();
    await checkPage(page, "console-ledger");
    await page.getByRole("table", { name: "Highest held amount" }).getByRole("link", { name: "Asha Stores" }).click();
    await page.getByRole("dialog").getByText("Balanced", { exact: true }).waitFor();
    await checkPage(page, "console-ledger-wallet");
    await page.getByRole("dialog").getByRole("link", { name: "Show ledger lines" }).click();
    await until("its lines are shown", () => param("account_id") === client.accountId);
  });

  test("the full ledger check says when it ran and what it found", async () => {
    await page.goto(url("/ledger"));
    await page.getByRole("button", { name: "Run full check" }).click();
    const found = page.getByRole("region", { name: "Full check" });
    await found.getByText(/^All checks passed, checked at .* ms\.$/).waitFor();
    await expect.poll(() => found.getByText("Passed", { exact: true }).count()).toBe(12);
    await checkPage(page, "console-ledger-checked");
    await asOwner((sql) => sql`update wallets set seq = seq + 1 where account_id = ${client.accountId}`);
    await page.getByRole("button", { name: "Run full check" }).click();
    await found.getByText(/^Some rules are violated/).waitFor();
    await found.getByText("Violated once").waitFor();
    // The continuous check finds it in its next round and names the account.
    await page.getByText(`${client.accountId}: every wallet's transfers are numbered without a gap`).waitFor();
    await checkPage(page, "console-ledger-broken");
    await asOwner((sql) => sql`update wallets set seq = seq - 1 where account_id = ${client.accountId}`);
    await page.getByRole("button", { name: "Run full check" }).click();
    await found.getByText(/^All checks passed/).waitFor();
    await page.getByText(/The continuous check found no violations/).waitFor();
  });

  test("wallets are found by name, and lines by account, order, kind and day", async () => {
    await page.goto(url("/ledger/accounts"));
    await page.getByLabel("Search").fill("asha");
    await until("one is left", async () => (await page.getByRole("table", { name: "Wallets" }).locator("tbody tr").count()) === 1);
    await checkPage(page, "console-ledger-accounts");
    await page.getByRole("link", { name: "Lines" }).click();
    await until("all lines are shown", async () => (await lines().count()) === 5);
    await checkPage(page, "console-ledger-lines");
    await page.getByLabel("Kind").selectOption("Top-up");
    await until("two top-ups are shown", async () => (await lines().count()) === 2);
    await expect.poll(() => param("kind")).toBe("topup");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Order id").fill(pending);
    await until("one line is shown", async () => (await lines().count()) === 1);
    await page.getByRole("link", { name: /^Held/ }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("available → held").waitFor();
    await checkPage(page, "console-ledger-line");
    await drawer.getByRole("link", { name: pending }).click();
    await page.getByRole("heading", { name: `Transaction ${pending}` }).waitFor();
    await page.goto(url("/ledger/lines?from=2020-01-01&to=2020-01-31"));
    await page.getByText("No ledger line matches these filters.").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await until("all lines are shown again", async () => (await lines().count()) === 5);
    await page.goto(url(`/ledger/lines/${client.accountId}-999`));
    await page.getByText("There is no such ledger line.").waitFor();
    await page.goto(url("/ledger/accounts/A00000000000"));
    await page.getByText("This account has no wallet yet").waitFor();
  });

  test("with scroll bars nothing is cut off at 1280 pixels, and a drawer has one of them", async () => {
    const long = await newConsoleClient(service(), "Bharat Retail Distribution and Digital Services Private Limited (South Zone)");
    await long.pay("INV-2026-11-000001-AP3P", "9876543120");
    const shown = await pageWithScrollBars(page);
    for (const [path, ready] of [
      ["/transactions", "Export as CSV|INV-2026-11-000001-AP3P"],
      ["/callbacks", "Deliveries"],
      ["/complaints", "Due today"],
      ["/ledger/lines", "available → held"],
      [`/transactions/${pending}`, "Money held"],
      ["/no-such-page", "Page not found"],
    ] as const) {
      await shown.goto(url(path));
      await shown.getByText(new RegExp(ready)).last().waitFor();
      await checkLayout(shown, path);
    }
    await shown.context().close();
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
