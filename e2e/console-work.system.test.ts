import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { expectTextOnly, SCRIPT } from "./harness/browser/portal-client.ts";
import { PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { operator } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`work queues at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let colleague: Page;
  let client: ConsoleClient;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    page.setDefaultTimeout(20_000);
    ({ page: colleague } = await site.visitor());
    await signedInStaff(site, page, "finance", { name: "Meera Nair" });
    await signedInStaff(site, colleague, "operations", { name: "Binu Thomas" });
    client = await newConsoleClient(service(), "Asha");
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const drawer = (of = page) => of.getByRole("dialog", { name: /^(Complaint|Transaction) / });
  const panel = (of = page) => drawer(of).getByRole("region", { name: "Handling and notes" });
  const bell = (of: Page) => of.getByRole("button", { name: /^Notifications/ });

  /** About a recharge of ten rupees that succeeded. */
  async function complain(urid: string): Promise<string> {
    const orderId = await client.pay(urid, "9876543000");
    const reply = await fetch(`${service().url}${PREFIX}/complaints`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-token": client.token },
      body: JSON.stringify({ order_id: orderId, reason: "not_credited", description: "Nothing came" }),
    });
    const { complaint_ref: ref } = (await reply.json()) as { complaint_ref: string };
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    await sql`update complaints set due_by = now() - interval '1 hour' where complaint_ref = ${ref}`.finally(() => sql.end());
    return ref;
  }

  test("the menu shows how many complaints wait, and the drawer goes through the queue with its filter", async () => {
    const refs = [await complain("work-1"), await complain("work-2"), await complain("work-3")];
    await page.goto(url(`/complaints?view=due&account_id=${client.accountId}`));
    const menu = page.getByRole("navigation", { name: "Main" }).getByRole("listitem").filter({ hasText: "Complaints" });
    await expect.poll(() => menu.textContent()).toMatch(/Complaints[0-9]+ open/);
    await page.getByRole("link", { name: new RegExp(refs[0] ?? "") }).click();
    await drawer().getByText("1 of 3").waitFor();
    await drawer().getByRole("button", { name: "Next in the queue" }).click();
    await drawer().getByText("2 of 3").waitFor();
    await page.keyboard.press("j");
    await drawer().getByText("3 of 3").waitFor();
    expect(new URL(page.url()).search).toBe(`?view=due&account_id=${client.accountId}`);
    expect(new URL(page.url()).pathname).toBe(`/console/complaints/${refs[2]}`);
    expect(await drawer().getByRole("button", { name: "Next in the queue" }).isDisabled()).toBe(true);
    await page.keyboard.press("k");
    await drawer().getByText("2 of 3").waitFor();
    // What is decided meanwhile leaves the queue, and the next one follows.
    const { status } = await operator(service(), "POST", `/complaints/${refs[1]}/clear`, { decision: "stands", reason: "Proof." });
    expect(status).toBe(200);
    await page.reload();
    await drawer().waitFor();
    await drawer().getByText("Resolved", { exact: true }).waitFor();
  });

  test("an item is taken, noted and handed over; the colleague's bell leads to it", async () => {
    const ref = await complain("work-4");
    await colleague.goto(url("/"));
    await bell(colleague).click();
    await colleague.getByRole("link", { name: new RegExp(`raised the complaint ${ref}`) }).waitFor();
    await colleague.keyboard.press("Escape");
    await page.goto(url(`/complaints/${ref}`));
    await panel().getByText("Nobody handles this yet.").waitFor();
    await panel().getByRole("button", { name: "Assign to me" }).click();
    await panel().getByText("Assigned to you").waitFor();
    await panel().getByRole("button", { name: "Add note" }).click();
    await panel().getByText("Enter a note.").waitFor();
    await panel().getByLabel("New note").fill(`The operator answers on Friday ${SCRIPT}`);
    await panel().getByRole("button", { name: "Add note" }).click();
    await panel().getByRole("list", { name: "Notes" }).getByText("The operator answers on Friday").waitFor();
    await expectTextOnly(page);
    await panel().getByRole("button", { name: "Hand over" }).click();
    const dialog = page.getByRole("dialog", { name: `Hand over: complaint ${ref}` });
    await dialog.getByLabel("Colleague").selectOption({ label: "Binu Thomas" });
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await dialog.getByText("Enter a note.").waitFor();
    await checkPage(page, "console-hand-over");
    await dialog.getByLabel("Note").fill("Please call the operator.");
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await panel().getByText("Assigned to Binu Thomas").waitFor();
    await checkPage(page, "console-complaint-work");
    await colleague.goto(url("/"));
    await expect.poll(() => bell(colleague).getAttribute("aria-label")).toMatch(/, [0-9]+ unread$/);
    await bell(colleague).click();
    const list = colleague.getByRole("list", { name: "Notifications" });
    await list.getByText(`Meera Nair assigned the complaint ${ref} to you.`).waitFor();
    await checkPage(colleague, "console-bell");
    await list.getByRole("link", { name: new RegExp(ref) }).click();
    await panel(colleague).getByText("Assigned to you").waitFor();
    await bellIsRead(ref);
  });

  async function bellIsRead(ref: string): Promise<void> {
    await colleague.goto(url("/complaints?view=due&assigned_to=me"));
    await colleague.getByRole("link", { name: new RegExp(ref) }).waitFor();
    const rows = colleague.getByRole("table", { name: "Complaints" }).locator("tbody tr");
    await until("only mine is listed", async () => (await rows.count()) === 1);
    await bell(colleague).click();
    const entry = colleague.getByRole("list", { name: "Notifications" }).getByRole("link", { name: new RegExp(ref) });
    await expect.poll(() => entry.textContent()).not.toContain("Unread");
    await colleague.keyboard.press("Escape");
  }

  test("selected transactions are settled after a preview and typed words, with a result for each", async () => {
    for (const urid of ["bulk-1", "bulk-2", "bulk-3"]) await client.pay(urid, "9876543110");
    // As if they were sent long ago: an order that may still be with its provider is not settled.
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    await sql`update orders set updated_at = updated_at - interval '1 hour' where reference like 'bulk-%'`.finally(() => sql.end());
    await page.goto(url(`/transactions?status=pending&account_id=${client.accountId}`));
    await page.getByRole("button", { name: "Settle all" }).waitFor();
    await page.getByRole("checkbox", { name: "Select all rows" }).check();
    await page
      .getByRole("checkbox", { name: /^Select 0/ })
      .first()
      .uncheck();
    await page.getByRole("toolbar", { name: "Bulk actions" }).getByText("2 selected").waitFor();
    await checkPage(page, "console-bulk-selection");
    await page.getByRole("button", { name: "Settle", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Settle 2 transactions" });
    await dialog.getByText("2 transactions", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Settle 2 transactions" }).click();
    await dialog.getByText("Type “settle 2”.").waitFor();
    await checkPage(page, "console-bulk-preview");
    await dialog.getByLabel("Result").selectOption("FAILED");
    await dialog.getByLabel("Evidence").fill("The operator has no such recharges.");
    await dialog.getByLabel("Type “settle 2” to confirm").fill("settle 2");
    await dialog.getByRole("button", { name: "Settle 2 transactions" }).click();
    await dialog.getByRole("table", { name: "Results" }).getByText("The order is FAILED.").nth(1).waitFor();
    await dialog.getByRole("link", { name: "Download" }).waitFor();
    await checkPage(page, "console-bulk-job");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await until("one is left", async () => (await page.getByRole("table", { name: "Transactions" }).locator("tbody tr").count()) === 1);
    await page.getByRole("button", { name: "Requery all" }).click();
    const requery = page.getByRole("dialog", { name: "Requery 1 transaction" });
    await requery.getByRole("button", { name: "Requery 1 transaction" }).click();
    await requery
      .getByRole("table", { name: "Results" })
      .getByText(/^simulator says/)
      .waitFor();
  });

  test("a replay of callbacks counts first, and starts nothing when nothing matches", async () => {
    await colleague.goto(url(`/callbacks?account_id=${client.accountId}`));
    await colleague.getByRole("button", { name: "Replay callbacks" }).click();
    const dialog = colleague.getByRole("dialog", { name: "Replay callbacks" });
    await dialog.getByLabel("Created since (India time)").fill("1 Jan 2026, 00:00");
    await checkPage(colleague, "console-replay");
    await dialog.getByRole("button", { name: "Count callbacks" }).click();
    const preview = colleague.getByRole("dialog", { name: /^Resend/ });
    await expect.poll(() => preview.textContent()).toContain("Nothing matches your choice.");
    await checkPage(colleague, "console-replay-preview");
    await preview.getByRole("button", { name: "Close" }).last().click();
  });

  test("nothing is cut off where scroll bars are shown", async () => {
    const wide = await pageWithScrollBars(colleague);
    for (const path of ["/complaints?view=due&assigned_to=me", "/transactions?assigned_to=nobody", "/alerts"]) {
      await wide.goto(url(path));
      await wide.getByRole("combobox", { name: "Assigned to" }).waitFor();
      await checkLayout(wide, path);
    }
    await wide.goto(url("/complaints?view=due&assigned_to=me"));
    await wide.getByRole("link", { name: /^CMP/ }).click();
    await panel(wide).getByText("Assigned to you").waitFor();
    await checkLayout(wide, "a drawer with notes");
    await wide.context().close();
  });

  test("no page reported an error", () => {
    expect(site.pageErrors).toEqual([]);
  });
});
