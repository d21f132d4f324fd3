import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, keepProved, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { change, newClient, operator } from "./harness/operator.ts";

// A provider's day for `npm run test:all`; enough to be run, cancelled and run again for the other tests.
const BULK = process.env["TEST_ALL"] ? 100_000 : 10_000;
const indian = (count: number) => count.toLocaleString("en-IN");
const INDIA_MILLISECONDS = 5.5 * 3_600_000;
const HEADER = "Txn ID,Client Ref,Date,Amount (INR),Status";
// What a page must show and never run.
const MARKUP = "<img src=x onerror=alert(1)>";

describe.skipIf(NO_BROWSER !== null)(`reconciliation at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let colleague: Page;
  let auditor: Page;
  let day: string;
  let orders: Readonly<Record<"same" | "one" | "two" | "three" | "other" | "absent", string>>;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    ({ page: colleague } = await site.visitor());
    ({ page: auditor } = await site.visitor());
    await signedInStaff(site, page, "operations");
    await keepProved(page, service());
    await signedInStaff(site, colleague, "finance");
    await keepProved(colleague, service());
    await signedInStaff(site, auditor, "auditor");
    const { accountId, token } = await newClient(service());
    await change(service(), `/accounts/${accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
    // What ends in 110 stays pending until somebody settles it.
    const made = async (urid: string, number: string) => String((await recharge(service().url, token, urid, number))["order_id"]);
    const pending = [await made("u-1", "9876543110"), await made("u-2", "9876544110"), await made("u-3", "9876545110")] as const;
    const [same, other, absent] = [await made("u-4", "9876543001"), await made("u-5", "9876543002"), await made("u-6", "9876543003")];
    orders = { same, other, absent, one: pending[0], two: pending[1], three: pending[2] };
    day = new Date(Date.now() + INDIA_MILLISECONDS).toISOString().slice(0, 10);
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const press = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" }).click();
  const tab = (name: string) => page.getByRole("tab", { name: new RegExp(`^${name} `) });
  const statusOf = async (orderId: string) =>
    ((await operator(service(), "GET", `/orders/${orderId}`)).body["order"] as { status: string }).status;

  function file(): string {
    const rows = [
      `T1,${orders.same},05/03/2026,10.00,SUCCESS`,
      `T2,${orders.one},05/03/2026,10.00,SUCCESS`,
      `T3,${orders.two},05/03/2026,10.00,Declined`,
      `T4,${orders.three},05/03/2026,10.00,SUCCESS`,
      `T5,${orders.other},05/03/2026,10.50,Declined`,
      `T6,"${MARKUP}",05/03/2026,99.00,SUCCESS`,
      `T1,${orders.same},05/03/2026,10.00,SUCCESS`,
      ",,Total,159.50,SUCCESS",
    ];
    return `\ufeff${[HEADER, ...rows].join("\r\n")}\r\n`;
  }

  async function choose(name: string, content: string): Promise<void> {
    await page.goto(url("/reconciliation/upload"));
    const drawer = page.getByRole("dialog", { name: "Upload a provider's file" });
    await drawer.getByLabel("Day in India").fill(day);
    await drawer.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
    await drawer.getByText(name).waitFor();
  }

  const note = async (dialog: string, text: string) => {
    const shown = page.getByRole("dialog", { name: dialog });
    await shown.getByLabel("Note").fill(text);
    await shown.getByRole("button", { name: "Resolve", exact: true }).click();
    await shown.waitFor({ state: "detached" });
  };

  const settle = async (title: string | RegExp) => {
    const shown = page.getByRole("dialog", { name: title });
    await shown.getByRole("button", { name: "Settle", exact: true }).click();
    await shown.getByText("Enter a reason.").waitFor();
    await shown.getByLabel("Reason").fill("Their file of the day.");
    await shown.getByRole("button", { name: "Settle", exact: true }).click();
  };

  test("an unreadable file is refused with its line number and is not stored", async () => {
    await page.goto(url("/reconciliation"));
    await page.getByText("Reconciled days will appear here").waitFor();
    await checkPage(page, "console-reconciliation-empty");
    await page.getByRole("link", { name: "Upload file" }).first().click();
    await press("Upload");
    await page.getByText("Choose a file.", { exact: true }).waitFor();
    await choose("broken.csv", `${HEADER}\nT1,X,today,10.00\n`);
    await press("Upload");
    await page.getByText("Line 2 has 4 cells, the header has 5.").first().waitFor();
    await checkPage(page, "console-reconciliation-upload");
    expect((await operator(service(), "GET", "/reconciliations")).body["items"]).toEqual([]);
  });

  test("a dropped file is uploaded, its columns are proposed, and the run waits for every word's meaning", async () => {
    await page.goto(url("/reconciliation/upload"));
    await page.getByLabel("Day in India").fill(day);
    const dropped = await page.evaluateHandle(
      `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(file())}], "day.csv", { type: "application/vnd.ms-excel" })); return all; })()`,
    );
    await page.getByText("or drop it here").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("dialog").getByText("day.csv").waitFor();
    await press("Upload");
    await page.getByRole("heading", { name: /^simulator, \d{1,2} \w{3} \d{4}$/ }).waitFor();
    await expect.poll(() => page.getByLabel("Our order id").inputValue()).toBe("Client Ref");
    await expect.poll(() => page.getByLabel("The provider's reference").inputValue()).toBe("Txn ID");
    await expect.poll(() => page.getByLabel("Amount").inputValue()).toBe("Amount (INR)");
    await page.getByLabel("Meaning of Declined").selectOption("");
    await page.getByLabel("Status", { exact: true }).selectOption("Date");
    await page.getByLabel("Meaning of Total").waitFor();
    await page.getByLabel("Status", { exact: true }).selectOption("Status");
    await press("Run");
    await page.getByText("Say what these words mean: Declined.").first().waitFor();
    await page.getByLabel("Meaning of Declined").selectOption("failed");
    await checkPage(page, "console-reconciliation-mapping");
    await press("Run");
    await tab("Differing").waitFor();
  });

  test("the result is shown in tabs, and each line opens next to our order", async () => {
    const labels = await page.getByRole("tab").allTextContents();
    expect(labels).toEqual(["Differing (4)", "Missing here (1)", "Missing there (1)", "Matched (1)", "Duplicates (1)", "Unclear (1)"]);
    await page.getByRole("link", { name: new RegExp(orders.other) }).waitFor();
    await checkPage(page, "console-reconciliation-result");
    await tab("Missing here").click();
    await page.getByRole("link", { name: /img src=x/ }).click();
    await page.getByRole("dialog", { name: "Line 7: Missing here" }).getByText(MARKUP).first().waitFor();
    await expect.poll(() => page.locator("img").count()).toBe(0);
    await page.keyboard.press("Escape");
    await tab("Missing there").click();
    await page.getByRole("link", { name: new RegExp(orders.absent) }).click();
    await page.getByRole("dialog", { name: "Missing there" }).getByText("9876543003").waitFor();
    await page.reload();
    await page.getByRole("dialog", { name: "Missing there" }).getByText("9876543003").waitFor();
    await page.keyboard.press("Escape");
    await tab("Differing").click();
    await page.getByLabel("In doubt here").selectOption("yes");
    await page.getByRole("link", { name: new RegExp(orders.other) }).waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).searchParams.get("can_settle")).toBe("yes");
    await page.getByLabel("Search").fill(orders.two.slice(6).toLowerCase());
    await expect.poll(() => new URL(page.url()).searchParams.has("search")).toBe(true);
    await page.getByRole("link", { name: new RegExp(orders.one) }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: new RegExp(orders.two) }).waitFor();
    await page.getByLabel("Search").fill("typed and thought better of");
    await press("Clear");
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("");
    await page.getByRole("link", { name: new RegExp(orders.other) }).waitFor();
    expect(new URL(page.url()).search).not.toContain("better");
  });

  test("an order in doubt is settled from its line, and the audit names file and line", async () => {
    await page.getByRole("link", { name: new RegExp(orders.one) }).click();
    const drawer = page.getByRole("dialog", { name: "Line 3: Differing" });
    await drawer.getByText("Status differs").waitFor();
    await checkPage(page, "console-reconciliation-item");
    await drawer.getByRole("button", { name: "Settle as SUCCESS" }).click();
    await settle("Settle as SUCCESS?");
    await drawer.getByText("Settled", { exact: true }).waitFor();
    await drawer.getByText("Their file of the day.").waitFor();
    await expect.poll(() => drawer.getByRole("button", { name: /^(Settle|Resolve|Open)/ }).count()).toBe(0);
    expect(await statusOf(orders.one)).toBe("SUCCESS");
    const { items } = (await operator(service(), "GET", `/audit?subject_kind=order&subject_id=${orders.one}`)).body as { items: unknown[] };
    expect(items[0]).toMatchObject({ action: "order.settled", details: { evidence: { file: "day.csv", line: 3 } } });
    await page.keyboard.press("Escape");
  });

  test("differences are resolved with a note, opened again, and resolved all at once", async () => {
    await page.getByRole("link", { name: new RegExp(orders.other) }).click();
    await press("Resolve with note");
    await page.getByRole("dialog", { name: "Resolve this difference" }).getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("Enter what you found out.", { exact: true }).waitFor();
    await note("Resolve this difference", "Their mistake; they will pay it back.");
    await page.getByText("Their mistake; they will pay it back.").waitFor();
    await press("Reopen");
    await page.getByRole("button", { name: "Resolve with note" }).waitFor();
    await page.keyboard.press("Escape");
    await tab("Missing here").click();
    await press("Resolve all");
    await note("Resolve all: Missing here", "A test of theirs.");
    await page.getByText("1 difference was resolved.").waitFor();
    await page.getByRole("table", { name: "Missing here" }).getByText("Resolved").waitFor();
  });

  test("above the threshold a colleague must approve; then a job settles the orders", async () => {
    // Both were invited by the same key, and so could not approve for one another for a day.
    await change(service(), "/approval-rules", { order_threshold: "15.00", new_person_hours: 0 });
    await press("Settle 2 orders in doubt");
    await settle("Settle 2 orders?");
    await page.getByText("Waiting for approval.").waitFor();
    await checkPage(page, "console-reconciliation-waits");
    expect([await statusOf(orders.two), await statusOf(orders.three)]).toEqual(["pending", "pending"]);
    const approval = await page.getByRole("link", { name: "Show approval" }).getAttribute("href");
    await colleague.goto(new URL(approval ?? "", url()).href);
    await colleague.getByText("All lines that can be settled").waitFor();
    await colleague.getByRole("button", { name: "Approve", exact: true }).click();
    const dialog = colleague.getByRole("dialog").last();
    await dialog.getByRole("button", { name: "Approve", exact: true }).last().click();
    await colleague.getByText("The request was approved and carried out.").first().waitFor();
    await expect.poll(() => Promise.all([orders.two, orders.three].map(statusOf))).toEqual(["FAILED", "SUCCESS"]);
    await page.goto(url("/reconciliation"));
    await page.getByRole("link", { name: /^simulator/ }).click();
    await page.getByRole("region", { name: "Settling from this file" }).getByText("2 orders were settled.").waitFor();
  });

  test("the lines are exported as a file", async () => {
    await page.getByRole("link", { name: "Export as CSV" }).click();
    const drawer = page.getByRole("dialog", { name: "Export as CSV" });
    await drawer.getByLabel("Lines").selectOption({ label: "Differing" });
    await drawer.getByRole("button", { name: "Start export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), drawer.getByRole("link", { name: "Download" }).click()]);
    expect(download.suggestedFilename()).toBe(`reconciliation-simulator-${day}-differing.csv`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Uint8Array);
    const lines = Buffer.concat(chunks).toString().trim().split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(`3,differing,status,${orders.one},T2,10.0000,SUCCESS,${orders.one}`);
    await checkPage(page, "console-reconciliation-exports");
    await page.keyboard.press("Escape");
  });

  test("a repeated upload is reported; a file that orders were settled from cannot be deleted", async () => {
    await press("Delete");
    await page.getByRole("dialog", { name: "Delete this upload?" }).getByRole("button", { name: "Delete upload" }).click();
    await page.getByText("Orders were settled from this file").waitFor();
    await choose("again.csv", file());
    await press("Upload");
    await page.getByText("The same file was uploaded before").waitFor();
    await page.getByText("This mapping was used for the provider's last file.").waitFor();
    await press("Delete");
    await page.getByRole("dialog", { name: "Delete this upload?" }).getByRole("button", { name: "Delete upload" }).click();
    await page.getByRole("heading", { name: "Reconciliation" }).waitFor();
    await page.getByText("again.csv", { exact: true }).waitFor({ state: "detached" });
    await checkPage(page, "console-reconciliation");
  });

  test("an auditor sees everything and no button that changes something", async () => {
    await auditor.goto(url("/reconciliation"));
    await auditor.getByRole("link", { name: /^simulator/ }).click();
    await auditor.getByRole("tab", { name: /^Missing there/ }).click();
    await auditor.getByRole("link", { name: new RegExp(orders.absent) }).click();
    await auditor.getByRole("dialog").getByText("Our order", { exact: true }).waitFor();
    await expect.poll(() => auditor.getByRole("button", { name: /^(Settle|Resolve|Delete)/ }).count()).toBe(0);
    await expect.poll(() => auditor.getByRole("link", { name: /^(Upload|Export)/ }).count()).toBe(0);
  });

  test(`a file of ${BULK} rows is run, cancelled and run again, while the service answers`, async () => {
    const { ids, token } = await manyOrders(site, BULK);
    // Of every hundred one is called otherwise, one differs; what has no line is missing there.
    const rows = ids.map((id, place) => {
      const status = place % 100 === 1 ? "FAILED" : "SUCCESS";
      return `T${place},${place % 100 === 0 ? `X${place}` : id},05/03/2026,10.00,${status}`;
    });
    await choose("large.csv", `${HEADER}\n${rows.join("\n")}\n`);
    await press("Upload");
    await page
      .getByText(`${indian(BULK)} rows`)
      .first()
      .waitFor();
    const sql = postgres(site.installation.databaseUrl, { max: 1, onnotice: () => {} });
    // Nothing but matching changes a line of this file: so the run stands still, loaded, until it is let go.
    await sql.unsafe(`
      create or replace function stand_still() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
      create or replace trigger stand_still before update on reconciliation_items for each row when (old.item = 2) execute function stand_still()`);
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(1)`;
      await press("Run");
      await page.getByText(new RegExp(`^${indian(BULK)} of `)).waitFor();
      await checkPage(page, "console-reconciliation-running");
      expect((await recharge(service().url, token, "meanwhile", "9876543004"))["status"]).toBe("SUCCESS");
      // It is heard between two steps, so it waits for this one.
      await Promise.all([page.waitForRequest(/\/cancel$/), press("Cancel")]);
    });
    await sql.end();
    await page.getByText("The run was cancelled.").waitFor();
    await press("Run");
    const [one, matched] = [BULK / 100, `Matched (${indian((BULK / 100) * 98)})`];
    await page.getByRole("tab", { name: matched }).waitFor();
    // Besides what has no line in the file, some orders of this test are not in it either.
    const missing = expect.stringMatching(new RegExp(`^Missing there \\(${indian(one).slice(0, -1)}\\d\\)$`));
    await expect
      .poll(() => page.getByRole("tab").allTextContents())
      .toEqual([`Differing (${indian(one)})`, `Missing here (${indian(one)})`, missing, matched]);
    const [last] = await jobs("done");
    const seconds = (Date.parse(`${last?.finished_at}Z`) - Date.parse(`${last?.started_at}Z`)) / 1000;
    process.stdout.write(`reconciliation of ${BULK} rows: ${seconds} s\n`);
    await checkPage(page, "console-reconciliation-large");
  });

  type Shown = { readonly started_at: string; readonly finished_at: string };
  const jobs = async (state: string) =>
    (await operator(service(), "GET", `/jobs?kind=reconcile&state=${state}`)).body["items"] as readonly Shown[];

  test("the ledger is consistent, and no page reported an error", async () => {
    expect((await operator(service(), "GET", "/ledger/check")).body["ok"]).toBe(true);
    expect(site.pageErrors).toEqual([]);
  });
});

/** Successful orders of ten rupees with all their money, made today as if one after the other. */
async function manyOrders(site: Console, count: number): Promise<{ readonly ids: readonly string[]; readonly token: string }> {
  const { service, databaseUrl } = site.installation;
  const { accountId, token } = await newClient(service);
  await change(service, `/accounts/${accountId}/wallet`, { amount: "2000000.00", reference: "start", note: "" });
  const { order_id: first } = await recharge(service.url, token, "first", "9876543009");
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // Ids that begin as one of now does.
  const prefix = String(first).slice(0, 10);
  const ids = Array.from({ length: count }, (_, place) => `${prefix}${String(place).padStart(8, "0")}`);
  await sql.begin(async (tx) => {
    await tx`
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
        operator_ref, process_id, created_at, updated_at)
      select ${accountId}, o.id, 'recharge', 'bulk-' || o.place, '', 1, 100000, '10.00', '9876543210', 'AT', 'simulator', 'R' || o.place, 'test',
        now(), now()
      from unnest(${ids}::text[]) with ordinality as o (id, place)`;
    await tx`
      insert into order_references (account_id, digest, order_id)
      select account_id, order_reference_digest(account_id, service, reference, operation), order_id
      from orders where account_id = ${accountId} and order_id = any(${ids})`;
    await tx`
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
      select ${accountId}, w.seq + 2 * (o.place - 1) + k.place, k.kind, k.from_bucket, k.to_bucket, 100000, w.available - 100000 * o.place, o.id, '',
        now()
      from wallets w, unnest(${ids}::text[]) with ordinality as o (id, place),
        (values (1, 'hold', 'available', 'held'), (2, 'capture', 'held', 'cleared')) as k (place, kind, from_bucket, to_bucket)
      where w.account_id = ${accountId}`;
    await tx`
      update wallets set available = available - 100000::bigint * ${count}, cleared = cleared + 100000::bigint * ${count}, seq = seq + 2 * ${count}
      where account_id = ${accountId}`;
  });
  await sql.end();
  return { ids, token };
}
