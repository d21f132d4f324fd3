import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, keepProved, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { expectTextOnly, SCRIPT } from "./harness/browser/portal-client.ts";
import { PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`complaints at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let client: ConsoleClient;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "finance");
    await keepProved(page, service());
    client = await newConsoleClient(service(), "Asha");
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const drawer = () => page.getByRole("dialog", { name: /^Complaint / });
  const dialog = () => page.getByRole("dialog").last();
  const rows = () => page.getByRole("table", { name: "Complaints" }).locator("tbody tr");
  const view = (name: string) => page.getByRole("navigation", { name: "Queue views" }).getByRole("link", { name });
  const balance = async () => Number((await operator(service(), "GET", `/accounts/${client.accountId}/wallet`)).body["balance"]);

  async function database(use: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    await use(sql).finally(() => sql.end());
  }

  /** About a recharge of ten rupees; due in so many hours. Answers its reference. */
  async function complain(urid: string, hours: number, account = "9876543000"): Promise<string> {
    const orderId = await client.pay(urid, account);
    // One may not complain about what has just become pending.
    if (account.endsWith("110"))
      await database((sql) => sql`update orders set created_at = created_at - interval '11 minutes' where order_id = ${orderId}`);
    const reply = await fetch(`${service().url}${PREFIX}/complaints`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-token": client.token },
      body: JSON.stringify({ order_id: orderId, reason: "not_credited", description: `Nothing came ${SCRIPT}` }),
    });
    const { complaint_ref: ref } = (await reply.json()) as { complaint_ref: string };
    await database((sql) => sql`update complaints set due_by = now() + make_interval(hours => ${hours}) where complaint_ref = ${ref}`);
    return ref;
  }

  async function decide(button: string, reason: string): Promise<void> {
    await drawer().getByRole("button", { name: button }).click();
    await dialog().getByLabel("Reason").fill(reason);
    await dialog().getByRole("button", { name: button }).click();
  }

  test("empty views say what will appear there", async () => {
    await page.goto(url("/complaints"));
    await page.getByText("No complaint is due today. Complaints will appear here on the day by which they must be decided.").waitFor();
    await view("Refund blocked").click();
    await page.getByText("could not be posted will appear here").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("view")).toBe("refund_blocked");
    await checkPage(page, "console-complaints-empty");
  });

  test("due complaints come first with a countdown, and every complaint is found by its identifiers", async () => {
    const late = await complain("late-1", -30);
    const early = await complain("early-1", -2);
    const later = await complain("later-1", 100);
    await page.goto(url("/complaints"));
    await view("Due today or overdue 2").waitFor();
    await until("both are listed", async () => (await rows().count()) === 2);
    await expect.poll(() => rows().first().textContent()).toContain(late);
    await page.getByText("Overdue by 1 d 6 h").waitFor();
    await page.getByRole("link", { name: new RegExp(early) }).waitFor();
    await checkPage(page, "console-complaints");
    await view("Open, due later 1").click();
    await page.getByText(/^4 d \d+ h left$/).waitFor();
    await page.getByLabel("Search").fill("nothing-like-it");
    await page.getByText("No complaint in this view matches these filters").waitFor();
    await page.getByLabel("Search").fill("later-1");
    await page.getByRole("link", { name: new RegExp(later) }).click();
    await drawer().getByText(`Nothing came ${SCRIPT}`).waitFor();
    await expectTextOnly(page);
    await checkPage(page, "console-complaint");
    await drawer().getByRole("button", { name: "Close" }).click();
    await until("the drawer leads back to its list", () => new URL(page.url()).pathname === "/console/complaints");
    await expect.poll(() => new URL(page.url()).search).toBe("?view=open&search=later-1");
  });

  test("a rejected and a refunded complaint leave the queue, and the refund reaches the wallet", async () => {
    const before = await balance();
    await page.goto(url("/complaints"));
    await page.getByRole("link", { name: /^CMP/ }).first().click();
    await drawer().getByRole("button", { name: "Reject complaint" }).click();
    await dialog().getByText(client.accountId, { exact: true }).waitFor();
    await dialog().getByTitle("10.0000").waitFor();
    await dialog().getByRole("button", { name: "Reject complaint" }).click();
    await dialog().getByText("Enter a reason.").waitFor();
    await dialog().getByLabel("Reason").fill("The operator has proof of the credit.");
    await dialog().getByRole("button", { name: "Reject complaint" }).click();
    await drawer().getByText("Resolved", { exact: true }).waitFor();
    await drawer().getByText("The operator has proof of the credit.").waitFor();
    expect(await balance()).toBe(before);
    await page.keyboard.press("Escape");
    await until("one is left", async () => (await rows().count()) === 1);
    await page.getByRole("link", { name: /^CMP/ }).first().click();
    await drawer().getByRole("button", { name: "Refund" }).click();
    await checkPage(page, "console-complaint-refund");
    await dialog().getByText(client.accountId, { exact: true }).waitFor();
    await dialog().getByTitle("10.0000").waitFor();
    await dialog().getByLabel("Reason").fill("The operator has no such recharge.");
    await dialog().getByRole("button", { name: "Refund" }).click();
    await drawer().getByText("₹10.0000 was refunded").waitFor();
    expect(await balance()).toBe(before + 10);
    await page.keyboard.press("Escape");
    await page.getByText("No complaint is due today.").waitFor();
    await page.getByRole("link", { name: "Show complaints due later" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("view")).toBe("open");
    await view("Decided").click();
    await until("both are decided", async () => (await rows().count()) === 2);
  });

  test("a refund that cannot be posted is listed with the cause, and succeeds when the cause is fixed", async () => {
    const ref = await complain("blocked-1", -2);
    const before = await balance();
    await change(service(), `/accounts/${client.accountId}`, { wallet: "suspended" });
    await page.goto(url(`/complaints/${ref}`));
    await decide("Refund", "Agreed with the operator.");
    await drawer().getByText("The refund could not be posted: The wallet is suspended.").waitFor();
    await page.keyboard.press("Escape");
    await view("Refund blocked 1").click();
    await page.getByRole("link", { name: new RegExp(ref) }).waitFor();
    await checkPage(page, "console-complaints-blocked");
    await page.getByRole("link", { name: new RegExp(ref) }).click();
    expect(await balance()).toBe(before);
    await change(service(), `/accounts/${client.accountId}`, { wallet: "active" });
    await decide("Refund", "Agreed with the operator.");
    await drawer().getByText("₹10.0000 was refunded").waitFor();
    expect(await balance()).toBe(before + 10);
  });

  test("a complaint about a pending order can be decided only after the order is settled", async () => {
    const ref = await complain("open-1", -3, "9876543110");
    await page.goto(url(`/complaints/${ref}`));
    await drawer().getByText("The transaction is pending.").waitFor();
    await expect.poll(() => drawer().getByRole("button", { name: "Refund" }).isDisabled()).toBe(true);
    await drawer().getByRole("link", { name: /^01/ }).click();
    await page.getByRole("button", { name: "Settle manually" }).click();
    await dialog().getByLabel("Result").selectOption("SUCCESS");
    await dialog().getByLabel("Evidence").fill("Confirmed by the provider.");
    await dialog().getByRole("button", { name: "Settle manually" }).click();
    await page.getByRole("dialog").getByText("Success", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Complaints" }).getByRole("link", { name: ref }).click();
    await decide("Reject complaint", "It has succeeded since.");
    await drawer().getByText("Resolved", { exact: true }).waitFor();
  });

  test("staff read what the provider said last about a complaint that was passed on to it", async () => {
    const ref = await complain("passed-1", -1);
    const words = `Refused: the order is too old ${SCRIPT}`;
    await database(
      (sql) => sql`
          insert into provider_complaints (account_id, complaint_ref, provider, provider_complaint_ref, next_at, last_answer)
          values (${client.accountId}, ${ref}, 'partner', 'THEIRS1', now() + interval '1 day', ${words})`,
    );
    await page.goto(url(`/complaints/${ref}`));
    await drawer().getByText("THEIRS1").waitFor();
    await drawer().getByText(words).waitFor();
    await expectTextOnly(page);
    await decide("Reject complaint", "The operator has proof of the credit.");
    await drawer().getByText("Resolved", { exact: true }).waitFor();
    await expect.poll(() => drawer().getByText(words).count()).toBe(0);
  });

  test("a refund at the threshold waits for a second person's approval", async () => {
    const ref = await complain("eyes-1", -1);
    await change(service(), "/approval-rules", { order_threshold: "5.00" });
    await page.goto(url(`/complaints/${ref}`));
    await decide("Refund", "The operator has no such recharge.");
    await page.getByText("Waiting for approval.").waitFor();
    await checkPage(page, "console-complaint-waits");
    expect((await operator(service(), "GET", `/complaints/${ref}`)).body).toMatchObject({ status: "OPEN" });
  });

  test("who only looks decides nothing", async () => {
    const { page: reader } = await site.visitor();
    await signedInStaff(site, reader, "support");
    await reader.goto(url("/complaints?view=due"));
    await reader.getByRole("link", { name: /^CMP/ }).first().click();
    await reader.getByRole("heading", { name: /^Complaint CMP/ }).waitFor();
    await reader.getByText("Nothing came").waitFor();
    for (const name of ["Reject complaint", "Refund"]) expect(await reader.getByRole("button", { name }).count()).toBe(0);
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
