import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";

const MAPPING = {
  ...{ reference: "Ref", provider_reference: null, amount: "Amount", status: "Status" },
  ...{ success: ["SUCCESS"], failed: [], pending: [] },
};

describe.skipIf(NO_BROWSER !== null)(`jobs at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let auditor: Page;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    ({ page: auditor } = await site.visitor());
    await signedInStaff(site, page, "operations", { name: "Meera Nair" });
    await signedInStaff(site, auditor, "auditor");
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const today = () => new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
  const row = (name: string | RegExp) => page.getByRole("table", { name: "Jobs" }).getByRole("link", { name });

  /** A file of the day, uploaded and ready to run. */
  async function uploaded(name: string): Promise<string> {
    const query = new URLSearchParams({ provider: "simulator", day: today(), name });
    const reply = await fetch(`${service().url}/api/operator/v1/reconciliations?${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${service().operatorKey}`, "content-type": "text/csv" },
      body: `Ref,Amount,Status\nX-${name},10.00,SUCCESS\n`,
    });
    return ((await reply.json()) as { reconciliation_id: string }).reconciliation_id;
  }

  test("an empty list says what will appear there and how to start", async () => {
    await page.goto(url("/jobs"));
    await page.getByText("will appear here with their progress").waitFor();
    await checkPage(page, "console-jobs-empty");
    await page.getByRole("link", { name: "Reconcile a day" }).click();
    await page.getByRole("heading", { name: "Reconciliation" }).waitFor();
  });

  test("a finished job shows its requester, rate and result, and offers its file", async () => {
    const id = await uploaded("first.csv");
    await change(service(), `/reconciliations/${id}/run`, MAPPING);
    await expect.poll(async () => (await operator(service(), "GET", `/reconciliations/${id}`)).body["state"]).toBe("done");
    await change(service(), `/reconciliations/${id}/export`, {});
    await page.goto(url("/jobs"));
    await row(/^Reconciliation export/).waitFor();
    // Both of them, and the head of the column.
    await expect.poll(() => page.getByRole("table", { name: "Jobs" }).getByText("Done", { exact: true }).count()).toBe(3);
    await checkPage(page, "console-jobs");
    await row(/^Reconciliation export/).click();
    const drawer = page.getByRole("dialog", { name: "Reconciliation export" });
    await drawer.getByText("The key in CORPRAIL_OPERATOR_KEY").waitFor();
    await checkPage(page, "console-jobs-job");
    const [download] = await Promise.all([page.waitForEvent("download"), drawer.getByRole("link", { name: "Download" }).click()]);
    expect(download.suggestedFilename()).toBe(`reconciliation-simulator-${today()}.csv`);
    await drawer.getByRole("link", { name: "Show reconciliation" }).click();
    await page.getByRole("tab", { name: "Missing here (1)" }).waitFor();
  });

  test("a job under way is followed and cancelled; filters live in the address", async () => {
    const id = await uploaded("second.csv");
    const sql = postgres(site.installation.databaseUrl, { max: 1, onnotice: () => {} });
    onTestFinished(() => sql.end());
    // Matching reads this table, so the lock stops the run until its claim is changed to that of another process.
    await sql.begin(async (tx) => {
      await tx`lock table order_attempts in access exclusive mode`;
      await change(service(), `/reconciliations/${id}/run`, MAPPING);
      await until("the run has begun", async () => {
        const taken = await tx`
          update jobs set claim_id = 'elsewhere', lease_until = now() + interval '50 seconds' where state = 'running' returning job_id`;
        return taken.length > 0;
      });
    });
    const renewal = setInterval(
      () => void sql`update jobs set lease_until = now() + interval '50 seconds' where claim_id = 'elsewhere'`.execute(),
      5_000,
    );
    onTestFinished(() => clearInterval(renewal));
    await page.goto(url("/jobs?state=running"));
    const card = page.getByRole("list", { name: "Running jobs" }).getByRole("region", { name: /^Reconciliation, simulator/ });
    await card.getByText("Running").waitFor();
    await checkPage(page, "console-jobs-running");
    await auditor.goto(url("/jobs"));
    await auditor.getByRole("list", { name: "Running jobs" }).getByText("Running").waitFor();
    await expect.poll(() => auditor.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    await Promise.all([page.waitForResponse(/\/cancel$/), card.getByRole("button", { name: "Cancel" }).click()]);
    // The other process seems to have died, so this one takes the job over and cancels it.
    clearInterval(renewal);
    await sql`update jobs set lease_until = now() where claim_id = 'elsewhere'`;
    await page.getByText("No job matches these filters.").waitFor();
    await page.getByLabel("State").selectOption("cancelled");
    await row(/^Reconciliation, simulator/).click();
    await page.getByRole("dialog").getByText("Cancelled").waitFor();
    await page.getByRole("link", { name: "Show audit log" }).click();
    await page.getByRole("table", { name: "Audit" }).getByText("Meera Nair").waitFor();
  });

  test("the ledger is consistent, and no page reported an error", async () => {
    expect((await operator(service(), "GET", "/ledger/check")).body["ok"]).toBe(true);
    expect(site.pageErrors).toEqual([]);
  });
});
