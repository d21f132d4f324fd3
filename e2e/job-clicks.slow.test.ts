import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { CountedSteps, statedEfforts } from "./harness/browser/counted-steps.ts";
import { readEditor, writeEditor } from "./harness/browser/json-editor.ts";
import { portalUrl } from "./harness/browser/portal.ts";
import { newPortalClient, type PortalClient, recharge } from "./harness/browser/portal-client.ts";
import { get, PREFIX, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, type JsonRecord, newSigningSecret, operator } from "./harness/operator.ts";

const PDF = { mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 a scan") };
const stated = await statedEfforts();

describe.skipIf(NO_BROWSER !== null)(`clicks of everyday work${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let client: PortalClient;
  let failing: ConsoleClient;
  let staff: Page;
  let second: Page;
  beforeAll(async () => {
    // Polls would settle orders in doubt before staff does.
    site = await startConsole({ CORPRAIL_SIMULATOR_DELAY_MS: "60000", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500" });
    client = await newPortalClient(site);
    failing = await newConsoleClient(service(), "Failing");
    [staff, second] = [await somebody("Meera"), await somebody("Binu")];
    await change(service(), `/accounts/${failing.accountId}`, { signing_required: false });
  });
  afterAll(() => site?.close());

  const service = () => site.installation.service;
  const read = async (path: string) => (await operator(service(), "GET", path)).body;
  const statusOf = async (id: string) => ((await read(`/orders/${id}`))["order"] as JsonRecord)["status"];
  const balanceOf = async (id: string) => Number((await read(`/accounts/${id}`))["balance"]);
  const dialog = (page: Page) => page.getByRole("dialog").last();

  async function somebody(name: string): Promise<Page> {
    const { page } = await site.visitor();
    await signedInStaff(site, page, "admin", { name });
    return page;
  }

  async function database<Answer>(use: (sql: postgres.Sql) => Promise<Answer>): Promise<Answer> {
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    return await use(sql).finally(() => sql.end());
  }

  /** Orders that are in doubt, as if they had been sent so long ago. */
  async function inDoubt(name: string, count: number, age = "11 minutes"): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) ids.push(await failing.pay(`${name}-${number}`, `987654${number}141`));
    await database(async (sql) => {
      await sql`update orders set created_at = created_at - ${age}::interval where order_id = any(${ids})`;
      await sql`update pending_polls set due_at = now() + interval '1 hour' where order_id = any(${ids})`;
    });
    return ids;
  }

  /** Complaints about orders that succeeded; they are due. */
  async function complaints(name: string, count: number): Promise<readonly string[]> {
    const refs: string[] = [];
    for (let number = 0; number < count; number++) {
      const reply = await fetch(`${service().url}${PREFIX}/complaints`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-token": failing.token },
        body: JSON.stringify({
          order_id: await failing.pay(`${name}-${number}`, "9876543000"),
          reason: "not_credited",
          description: "Nothing came",
        }),
      });
      refs.push(String(((await reply.json()) as JsonRecord)["complaint_ref"]));
    }
    await database((sql) => sql`update complaints set due_by = now() - interval '1 hour' where complaint_ref = any(${refs})`);
    return refs;
  }

  /** Refunds the complaint whose drawer is open. */
  async function refund(steps: CountedSteps): Promise<void> {
    const drawer = staff.getByRole("dialog", { name: /^Complaint / });
    await steps.button(drawer, "Refund");
    await steps.fill(dialog(staff).getByLabel("Reason"), "The operator has no such recharge.");
    await steps.button(dialog(staff), "Refund");
    await drawer.getByText("was refunded").waitFor();
  }

  // Each begins on Home, signed in a moment ago, and takes the shortest way that the pages offer. A first real route ends the
  // simulator's orders, and a threshold makes other changes wait too, so these two are the last.
  const WORK: Readonly<Record<string, (steps: CountedSteps) => Promise<void>>> = {
    "Rotate the signing secret": async (steps) => {
      await newSigningSecret(service(), client.accountId);
      await steps.menu(client.page, "Credentials");
      await steps.button(client.page, "Replace signing secret");
      await steps.button(dialog(client.page), "Replace signing secret");
      const secret = await steps.storeSecret(client.page);
      const reply = await get(service().port, "/balance", { token: client.token, headers: signedGet("/balance", secret) });
      expect(reply.status).toBe(200);
    },

    "Allow an IP address that was refused": async (steps) => {
      const call = () => get(service().port, "/balance", { token: client.token, from: "127.0.0.2" });
      expect((await call()).status).toBe(403);
      await steps.menu(client.page, "IP allowlist");
      await steps.button(client.page, "Add this address: 127.0.0.2");
      await client.page.getByText("Added", { exact: true }).waitFor();
      expect((await call()).status).toBe(200);
    },

    "Find an order": async (steps) => {
      const pay = (urid: string, account: string) => recharge(service().url, client.token, urid, account);
      const { order_id: orderId } = await pay("found-1", "9876501234");
      await pay("found-2", "9876505678");
      await steps.menu(client.page, "Transactions");
      await client.page.getByRole("link", { name: /9876505678/ }).waitFor();
      await steps.fill(client.page.getByLabel("Search"), "9876501234");
      await client.page.getByRole("link", { name: /9876505678/ }).waitFor({ state: "detached" });
      await steps.click(client.page.getByRole("link", { name: /9876501234/ }));
      await dialog(client.page).getByText(String(orderId)).first().waitFor();
    },

    "Export last month's transactions": async (steps) => {
      const { page } = client;
      await steps.menu(page, "Transactions");
      await steps.click(page.getByRole("link", { name: "Export as CSV" }));
      await steps.button(dialog(page), "Last month");
      await steps.button(dialog(page), "Start export");
      const [download] = await Promise.all([page.waitForEvent("download"), steps.click(page.getByRole("link", { name: "Download" }))]);
      // The day before the first of this month in India, and the first of that month.
      const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString();
      const to = new Date(Date.parse(`${today.slice(0, 7)}-01`) - 86_400_000).toISOString().slice(0, 10);
      expect(download.suggestedFilename()).toBe(`transactions-${to.slice(0, 7)}-01-to-${to}.csv`);
      expect(await readFile(await download.path(), "utf8")).toMatch(/^order_id,/);
    },

    "Create an account and invite its owner": async (steps) => {
      await steps.menu(staff, "Accounts");
      await steps.button(staff, "New account");
      await steps.fill(dialog(staff).getByLabel("Client name"), "Kaveri Mobiles");
      await steps.button(dialog(staff), "Create account");
      expect(await steps.storeSecret(staff)).toMatch(/^tok_live_/);
      await steps.click(staff.getByRole("tab", { name: "Members" }));
      await steps.button(staff, "Invite a member");
      await steps.fill(staff.getByLabel("Email address"), "ravi@kaveri.example");
      await steps.button(staff, "Create invitation");
      expect(await steps.storeSecret(staff)).toContain("/portal/invite#");
      const accountId = new URL(staff.url()).pathname.split("/").at(-1);
      expect(await read(`/accounts/${accountId}/people`)).toMatchObject({ invitations: [{ email: "ravi@kaveri.example", role: "owner" }] });
    },

    "Onboard a client with KYC documents and reviews": async (steps) => {
      const label = (name: string) => staff.getByLabel(name, { exact: true });
      await steps.menu(staff, "Onboarding");
      await steps.click(staff.getByRole("button", { name: "New client" }).first());
      await steps.fill(label("Client name"), "Nila Recharge");
      await steps.button(staff, "Begin");
      await staff.getByRole("heading", { name: "Company" }).waitFor();
      for (const [name, text] of [
        ["Legal name", "Nila Recharge Private Limited"],
        ["PAN", "AAGCN7383J"],
        ["Registered address", "12 MG Road"],
        ["City", "Bengaluru"],
        ["PIN code", "560001"],
      ] as const)
        await steps.fill(label(name), text);
      await steps.click(label("The client is not registered for GST"));
      await steps.choose(label("State"), "29");
      await steps.button(staff, "Save and continue");
      await staff.getByRole("heading", { name: "Contacts" }).waitFor();
      await steps.fill(label("Name"), "Asha Rao");
      await steps.fill(label("Email address"), "asha@nila.example");
      await steps.fill(label("Mobile number"), "9876543210");
      await steps.button(staff, "Save and continue");
      await staff.getByRole("heading", { name: "Add a document" }).waitFor();
      await steps.attach(label("File"), { ...PDF, name: "pan.pdf" });
      await staff.getByRole("listitem").filter({ hasText: "pan.pdf" }).waitFor();
      await steps.choose(label("Kind"), { label: "Signed agreement" });
      await steps.attach(label("File"), { ...PDF, name: "agreement.pdf" });
      await staff.getByRole("listitem").filter({ hasText: "agreement.pdf" }).waitFor();
      await steps.click(staff.getByRole("link", { name: "9. Review" }));
      await steps.button(staff, "Submit for review");
      await steps.button(dialog(staff), "Submit");
      for (const name of ["Approve KYC", "Approve Agreement"]) {
        await steps.button(staff, name);
        await steps.fill(label("Reason"), "Compared with the originals.");
        await steps.button(dialog(staff), name);
      }
      await staff.getByText("Completed", { exact: true }).waitFor();
      await steps.button(staff, "Invite a member");
      expect(await label("Email address").inputValue()).toBe("asha@nila.example");
      await steps.button(staff, "Create invitation");
      await steps.storeSecret(staff);
      const accountId = /onboarding\/(A\w+)/.exec(staff.url())?.[1] ?? "";
      expect(await read(`/accounts/${accountId}`)).toMatchObject({ kyc: "verified", agreement: "signed" });
    },

    "Settle an order in doubt": async (steps) => {
      const [orderId = ""] = await inDoubt("doubt", 1);
      await steps.click(staff.getByText("of all pending orders are in doubt").getByRole("link", { name: "Show" }));
      await steps.click(staff.getByRole("link", { name: /9876540141/ }));
      await settleOpen(steps);
      expect(await statusOf(orderId)).toBe("FAILED");
    },

    "Settle three orders in doubt": async (steps) => {
      const ids = await inDoubt("doubts", 3);
      await steps.click(staff.getByText("of all pending orders are in doubt").getByRole("link", { name: "Show" }));
      await steps.button(staff, "Settle all");
      const asked = staff.getByRole("dialog", { name: "Settle 3 transactions" });
      await steps.choose(asked.getByLabel("Result"), "FAILED");
      await steps.fill(asked.getByLabel("Evidence"), "The operator has no such recharges.");
      await steps.fill(asked.getByLabel("Type “settle 3” to confirm"), "settle 3");
      await steps.button(asked, "Settle 3 transactions");
      await asked.getByText("The order is FAILED.").nth(2).waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(["FAILED", "FAILED", "FAILED"]);
    },

    "Reverse an order": async (steps) => {
      const orderId = await failing.pay("reversed", "9876507000");
      await steps.menu(staff, "Transactions");
      await steps.fill(staff.getByLabel("Search"), "9876507000");
      await steps.click(staff.getByRole("link", { name: /9876507000/ }));
      await steps.button(staff, "Reverse");
      await steps.fill(dialog(staff).getByLabel("Reason"), "The number was closed.");
      await steps.button(dialog(staff), "Reverse");
      await staff.getByRole("dialog").getByText("Reversed", { exact: true }).first().waitFor();
      expect(await statusOf(orderId)).toBe("FAILED");
    },

    "Decide a complaint": async (steps) => {
      const [ref = ""] = await complaints("complaint", 1);
      await steps.menu(staff, "Complaints");
      await steps.click(staff.getByRole("link", { name: new RegExp(ref) }));
      await refund(steps);
      expect(await read(`/complaints/${ref}`)).toMatchObject({ status: "REFUNDED" });
    },

    "Decide three complaints": async (steps) => {
      const refs = await complaints("complaints", 3);
      await steps.menu(staff, "Complaints");
      await steps.click(staff.getByRole("link", { name: /^CMP/ }).first());
      await refund(steps);
      for (const _ of refs.slice(1)) {
        const before = staff.url();
        await until("the queue has a next one", () => dialog(staff).getByRole("button", { name: "Next in the queue" }).isEnabled());
        await steps.press(staff, "j");
        await staff.waitForURL((url) => url.href !== before);
        await refund(steps);
      }
      const decided = await Promise.all(refs.map(async (ref) => (await read(`/complaints/${ref}`))["status"]));
      expect(decided).toEqual(["REFUNDED", "REFUNDED", "REFUNDED"]);
    },

    "Reconcile a provider's file": async (steps) => {
      const [one = "", two = ""] = await inDoubt("file", 2, "1 day");
      const csv = `Txn ID,Client Ref,Amount,Status\nT1,${one},10.00,SUCCESS\nT2,${two},10.00,FAILED\n`;
      await steps.menu(staff, "Reconciliation");
      await steps.click(staff.getByRole("link", { name: "Upload file" }).first());
      await steps.attach(staff.locator("input[type=file]"), { name: "day.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
      await steps.button(staff, "Upload");
      await steps.button(staff, "Run");
      await steps.button(staff, "Settle 2 orders in doubt");
      await steps.fill(dialog(staff).getByLabel("Reason"), "Their file of the day.");
      await steps.button(dialog(staff), "Settle");
      await expect.poll(() => Promise.all([one, two].map(statusOf))).toEqual(["SUCCESS", "FAILED"]);
    },

    "Set a client's price": async (steps) => {
      await steps.menu(staff, "Pricing");
      await steps.click(staff.getByRole("button", { name: "Set rule" }).first());
      await steps.fill(dialog(staff).getByRole("combobox", { name: "Account" }), failing.accountId);
      await steps.fill(dialog(staff).getByLabel("Commission: Percent"), "2");
      await steps.button(dialog(staff), "Set rule");
      await staff.getByText("The rule is in force.").waitFor();
      expect(await read("/pricing")).toMatchObject({ items: [{ account_id: failing.accountId, commission: { percent: "2.00" } }] });
    },

    "Find the client whose orders fail": async (steps) => {
      await failing.pay("failed", "9876543102");
      const counted = async () => JSON.stringify(await read("/analytics?by=account")).includes(failing.accountId);
      await expect.poll(counted, { interval: 1_000 }).toBe(true);
      await staff.reload();
      await steps.menu(staff, "Analytics");
      await steps.click(staff.getByRole("navigation", { name: "Breakdown by" }).getByRole("link", { name: "Client" }));
      await steps.click(staff.getByRole("table", { name: "Figures by client" }).locator(`a[href*="${failing.accountId}"]`));
      await staff.getByRole("link", { name: /9876543102/ }).waitFor();
    },

    "Add a provider and a route to it": async (steps) => {
      await steps.menu(staff, "Providers");
      await steps.click(staff.getByRole("link", { name: "New provider" }));
      const text = (await readEditor(staff)).replace("api.acme.example", "pay.acme.example");
      await steps.fillBy(() => writeEditor(staff, text));
      await steps.fill(staff.getByLabel("Secret token"), "a-much-secret-token");
      await steps.button(staff, "Add provider");
      await steps.click(staff.getByRole("link", { name: "Add a route" }));
      await steps.button(staff, "New route");
      await steps.choose(dialog(staff).getByLabel("Operator or biller"), "AT");
      await steps.button(dialog(staff), "Continue");
      await steps.click(dialog(staff).getByLabel(/^Go live/));
      await steps.button(dialog(staff), "Add route");
      await staff.getByRole("dialog", { name: /AT/ }).waitFor();
      expect(await read("/routes?provider=acme")).toMatchObject({ items: [{ service: "recharge", operator: "AT" }] });
    },

    "Top up a wallet with a second person's approval": async (steps) => {
      await change(service(), "/approval-rules", { wallet_threshold: "10000.00", new_person_hours: 0 });
      const before = await balanceOf(failing.accountId);
      await steps.menu(staff, "Accounts");
      await steps.fill(staff.getByLabel("Search"), failing.accountId);
      await steps.click(staff.getByRole("link", { name: new RegExp(failing.accountId) }));
      await steps.click(staff.getByRole("tab", { name: "Wallet" }));
      await steps.button(staff, "Top up");
      await steps.fill(dialog(staff).getByLabel("Amount in rupees"), "50000");
      await steps.fill(dialog(staff).getByLabel("Note"), "NEFT of 3 May");
      await steps.button(dialog(staff), "Top up");
      await staff.getByText("Waiting for approval.").waitFor();
      await steps.menu(second, "Approvals");
      await steps.click(second.getByRole("link", { name: /^Top-up/ }));
      await steps.button(second, "Approve");
      await steps.button(dialog(second), "Approve");
      await second.getByText("The request was approved and carried out.").first().waitFor();
      expect(await balanceOf(failing.accountId)).toBe(before + 50_000);
    },
  };

  /** Settles the order whose drawer is open as failed. */
  async function settleOpen(steps: CountedSteps): Promise<void> {
    const drawer = staff.getByRole("dialog", { name: /^Transaction / });
    await steps.button(drawer, "Settle manually");
    await steps.choose(dialog(staff).getByLabel("Result"), "FAILED");
    await steps.fill(dialog(staff).getByLabel("Evidence"), "The operator has no such recharge.");
    await steps.button(dialog(staff), "Settle manually");
    await drawer.getByText("Failed", { exact: true }).first().waitFor();
  }

  test("the guide's table has every piece of work", () => {
    expect(stated.map(([name]) => name)).toEqual(Object.keys(WORK));
  });

  test.each(stated)("%s takes as many clicks and fields as the guide says", async (name, effort) => {
    await database((sql) => sql`update sessions set proved_at = now()`);
    await client.page.goto(portalUrl(service(), "/"));
    for (const page of [staff, second]) await page.goto(consoleUrl(service(), "/"));
    await staff.getByText("Complaints due").waitFor();
    const steps = new CountedSteps();
    await WORK[name]?.(steps);
    expect(steps.effort()).toEqual(effort);
  });
});
