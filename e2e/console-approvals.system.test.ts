import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { addPasskey, type Console, consoleUrl, type StaffRole, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog, proved } from "./harness/browser/console-steps.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient, operator } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`four eyes at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let client: Client;
  // Two of finance and two admins, each in a browser of their own.
  let [maker, checker, admin, second]: Page[] = [];
  beforeAll(async () => {
    site = await startConsole();
    client = await newClient(site.installation.service);
    // All four are invited by the same key, and so could not approve for one another for a day.
    await change(site.installation.service, "/approval-rules", { new_person_hours: 0 });
    [maker, checker] = [await somebody("finance", "Asha Finance"), await somebody("finance", "Binu Finance")];
    [admin, second] = [await somebody("admin", "Meera Admin"), await somebody("admin", "Rita Admin")];
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const balance = async () => (await operator(service(), "GET", `/accounts/${client.accountId}`)).body["balance"];
  const on = (page: Page | undefined): Page => {
    if (page === undefined) throw new Error("Nobody is signed in there.");
    return page;
  };

  async function somebody(role: StaffRole, name: string): Promise<Page> {
    const { page } = await site.visitor();
    await signedInStaff(site, page, role, { name, email: `${name.replace(" ", ".").toLowerCase()}@platform.example` });
    await addPasskey(page, service());
    return page;
  }

  /** Requests a top-up that waits for approval. Returns the path of the approval. */
  async function topUp(page: Page, amount: string, note: string, button: "Top up" | "Debit" = "Top up"): Promise<string> {
    await page.goto(url(`/accounts/${client.accountId}?part=wallet`));
    await page.getByRole("dialog", { name: "Asha Stores" }).getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `${button} wallet` });
    await dialog.getByLabel("Amount in rupees").fill(amount);
    await dialog.getByLabel("Note").fill(note);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await proved(page, () => dialog.getByText("Waiting for approval.").isVisible());
    return (await dialog.getByRole("link", { name: "Show approval" }).getAttribute("href")) ?? "";
  }

  async function decide(page: Page, verb: "Approve" | "Reject" | "Withdraw", reason = ""): Promise<void> {
    await page.getByRole("button", { name: verb, exact: true }).click();
    const title = `${verb} this request?`;
    if (reason !== "")
      await page
        .getByRole("dialog", { name: title })
        .getByLabel(/^Reason/)
        .fill(reason);
    await confirmDialog(page, title, verb);
  }

  test("approval thresholds set by an admin take effect immediately", async () => {
    const page = on(admin);
    await page.goto(url("/approvals"));
    await page.getByText("No requests are waiting. Set a threshold").waitFor();
    await checkPage(page, "console-approvals-empty");
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Change rules" }).click();
    const dialog = page.getByRole("dialog", { name: "Change rules" });
    await dialog.getByLabel("Top-ups and debits of at least").fill("nothing");
    await dialog.getByRole("button", { name: "Save" }).click();
    await proved(page, () => dialog.getByText("Must be an amount greater than zero").isVisible());
    await dialog.getByLabel("Top-ups and debits of at least").fill("10000");
    await dialog.getByLabel("Order changes of at least").fill("10");
    await checkPage(page, "console-approvals-rules-change");
    await confirmDialog(page, "Change rules", "Save");
    await page.getByText("₹10,000.00", { exact: true }).waitFor();
    await checkPage(page, "console-approvals-rules");
    const { body } = await operator(service(), "GET", "/approval-rules");
    expect(body).toMatchObject({ wallet_threshold: "10000.0000", order_threshold: "10.0000", keys_included: true });
    await on(maker).goto(url("/approvals?view=rules"));
    await on(maker).getByText("₹10,000.00", { exact: true }).waitFor();
    await expect.poll(() => on(maker).getByRole("button", { name: "Change rules" }).count()).toBe(0);
  });

  test("a top-up over the threshold waits for another person's approval and is then carried out once", async () => {
    const path = await topUp(on(maker), "50000", "NEFT of 3 May");
    await checkPage(on(maker), "console-account-waits");
    expect(await balance()).toBe("0.0000");
    await on(maker).getByRole("link", { name: "Show approval" }).click();
    await on(maker).getByText("You made this request, so another person must decide.").waitFor();
    for (const name of ["Approve", "Reject"]) expect(await on(maker).getByRole("button", { name, exact: true }).count()).toBe(0);
    await checkPage(on(maker), "console-approval-own");

    await on(checker).goto(url("/approvals"));
    await on(checker)
      .getByRole("link", { name: /^Top-up/ })
      .waitFor();
    await checkPage(on(checker), "console-approvals");
    await on(checker)
      .getByRole("link", { name: /^Top-up/ })
      .click();
    const drawer = on(checker).getByRole("dialog", { name: "Top-up" });
    await drawer.getByText("Asha Finance").waitFor();
    await drawer.getByText("NEFT of 3 May").waitFor();
    expect(new URL(on(checker).url()).pathname).toBe(path);
    const facts = await drawer.locator("dl", { hasText: "Balance before" }).textContent();
    expect(facts).toContain("₹0.0000");
    expect(facts).toContain("₹50,000.0000");
    await expect.poll(() => on(checker).getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    await checkPage(on(checker), "console-approval");
    await decide(on(checker), "Approve", "Seen in the bank's statement");
    await drawer.getByText("The request was approved and carried out.").first().waitFor();
    expect(await balance()).toBe("50000.0000");
    // Who asked sees it without loading the page again.
    await on(maker).getByText("The request was approved and carried out.").first().waitFor();
    await on(maker).getByText("Seen in the bank's statement").waitFor();
  });

  test("a wallet shows its waiting requests; a rejection needs a reason, which the requester sees", async () => {
    const path = await topUp(on(maker), "20000", "Cash");
    await on(checker).goto(url(`/accounts/${client.accountId}?part=wallet`));
    await on(checker)
      .getByRole("link", { name: /^Top-up of/ })
      .click();
    await on(checker).getByRole("button", { name: "Reject", exact: true }).click();
    const dialog = on(checker).getByRole("dialog", { name: "Reject this request?" });
    await dialog.getByRole("button", { name: "Reject" }).click();
    await dialog.getByText("Enter a reason.").waitFor();
    await dialog.getByLabel("Reason").fill("There was no cash.");
    await confirmDialog(on(checker), "Reject this request?", "Reject");
    await on(maker).goto(new URL(path, url()).href);
    await on(maker).getByText("The request was rejected. Nothing was changed.").first().waitFor();
    await on(maker).getByText("There was no cash.").waitFor();
    expect(await balance()).toBe("50000.0000");
  });

  test("the requester can withdraw it", async () => {
    await topUp(on(maker), "30000", "Mistyped");
    await on(maker).getByRole("link", { name: "Show approval" }).click();
    await decide(on(maker), "Withdraw");
    await on(maker).getByText("The request was withdrawn. Nothing was changed.").first().waitFor();
    expect(await balance()).toBe("50000.0000");
  });

  test("an approved request that can no longer be carried out fails with the reason", async () => {
    const path = await topUp(on(maker), "45000", "Paid out", "Debit");
    // Less than the threshold, so it is done at once.
    await change(service(), `/accounts/${client.accountId}/wallet`, { amount: "-9000", reference: "in-between" });
    await on(checker).goto(new URL(path, url()).href);
    await decide(on(checker), "Approve");
    await on(checker).getByText("The wallet does not hold that much.").first().waitFor();
    await checkPage(on(checker), "console-approval-failed");
    expect(await balance()).toBe("41000.0000");
  });

  test("looser approval rules need another admin's approval; finance cannot approve them", async () => {
    const page = on(admin);
    await page.goto(url("/approvals?view=rules"));
    await page.getByRole("button", { name: "Change rules" }).click();
    const dialog = page.getByRole("dialog", { name: "Change rules" });
    await dialog.getByLabel("Top-ups and debits of at least").fill("");
    await dialog.getByLabel(/^Reason/).fill("Month end");
    await dialog.getByRole("button", { name: "Save" }).click();
    await proved(page, () => dialog.getByText("Waiting for approval.").isVisible());
    const path = (await dialog.getByRole("link", { name: "Show approval" }).getAttribute("href")) ?? "";
    await on(checker).goto(new URL(path, url()).href);
    await on(checker).getByText("₹10,000.00 → off").waitFor();
    await expect.poll(() => on(checker).getByRole("button", { name: "Approve" }).count()).toBe(0);
    await on(second).goto(new URL(path, url()).href);
    await on(second).getByText("Month end").waitFor();
    await checkPage(on(second), "console-approval-rules");
    await decide(on(second), "Approve");
    await on(second).getByText("The request was approved and carried out.").first().waitFor();
    expect((await operator(service(), "GET", "/approval-rules")).body["wallet_threshold"]).toBeNull();
  });

  test("a settlement made with an operator key also waits until a staff member approves it", async () => {
    const order = await recharge(service().url, client.token, "four-eyes-1", "9876543110");
    const orderId = String(order["order_id"]);
    const held = await operator(service(), "POST", `/orders/${orderId}/settle`, {
      status: "SUCCESS",
      operator_ref: "OP-7",
      reason: "Confirmed by phone",
    });
    expect(held.status).toBe(202);
    const { approval_id: approvalId } = held.body["approval"] as JsonRecord;
    await on(checker).goto(url(`/approvals/${approvalId}`));
    await on(checker).getByText("OP-7").waitFor();
    await on(checker).getByRole("dialog").getByText("The key in CORPRAIL_OPERATOR_KEY").waitFor();
    await checkPage(on(checker), "console-approval-order");
    await decide(on(checker), "Approve");
    await on(checker).getByText("The request was approved and carried out.").first().waitFor();
    const { order: settled } = (await operator(service(), "GET", `/orders/${orderId}`)).body as { order: JsonRecord };
    expect(settled).toMatchObject({ status: "SUCCESS", operator_ref: "OP-7" });
  });

  test("a pricing rule needs approval, and the person who recently invited its requester cannot approve it", async () => {
    const page = on(maker);
    await page.goto(url("/pricing"));
    await page.getByRole("button", { name: "Set rule" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Set rule" });
    await dialog.getByRole("combobox", { name: "Account" }).fill(client.accountId);
    await dialog.getByLabel("Commission: Percent").fill("2");
    await dialog
      .getByText(/No order of the last|match this rule/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Set rule" }).click();
    await proved(page, () => dialog.getByText("Waiting for approval.").isVisible());
    const path = (await dialog.getByRole("link", { name: "Show approval" }).getAttribute("href")) ?? "";
    // From now on the four are new people again: a stricter rule holds at once.
    await change(service(), "/approval-rules", { new_person_hours: 24 });
    await on(checker).goto(new URL(path, url()).href);
    await on(checker).getByText("Somebody else has to approve it.").waitFor();
    await on(checker).getByText("2.00 %").waitFor();
    expect(await on(checker).getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    await checkPage(on(checker), "console-approval-barred");
    await decide(on(checker), "Reject", "Not agreed on.");
    await on(checker).getByText("The request was rejected. Nothing was changed.").first().waitFor();
    expect((await operator(service(), "GET", "/pricing")).body["items"]).toEqual([]);
  });

  test("the views and filters are kept in the URL", async () => {
    const page = on(checker);
    await page.goto(url("/approvals?view=decided"));
    await page.getByRole("link", { name: /^Settle an order/ }).waitFor();
    await checkPage(page, "console-approvals-decided");
    await page.getByLabel("Kind").selectOption({ label: "Relax approval rules" });
    await page.getByRole("link", { name: /^Settle an order/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Relax approval rules/ }).waitFor();
    await until("both are in the URL", async () => page.url().includes("view=decided") && page.url().includes("kind=rules"));
    await page.reload();
    await page.getByRole("link", { name: /^Relax approval rules/ }).waitFor();
    await page.getByRole("tab", { name: "Waiting" }).click();
    await page.getByText("No request of this kind is in this list.").waitFor();
  });

  test("the ledger is consistent, the audit chain is intact, and no page reported an error", async () => {
    expect((await operator(service(), "GET", "/ledger/check")).body["ok"]).toBe(true);
    expect((await operator(service(), "POST", "/audit/verify", {})).body["ok"]).toBe(true);
    expect(site.pageErrors).toEqual([]);
  });
});
