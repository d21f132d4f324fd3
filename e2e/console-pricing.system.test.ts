import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { addPasskey, type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { newPortalClient, type PortalClient, recharge } from "./harness/browser/portal-client.ts";
import { operator } from "./harness/operator.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const INDIA_MILLISECONDS = 5.5 * 60 * 60 * 1000;
const indiaDay = (days = 0) => new Date(Date.now() + INDIA_MILLISECONDS + days * DAY_MILLISECONDS).toISOString().slice(0, 10);

describe.skipIf(NO_BROWSER !== null)(
  `pricing and statements at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`,
  () => {
    let site: Console;
    let page: Page;
    let client: PortalClient;
    beforeAll(async () => {
      site = await startConsole();
      client = await newPortalClient(site);
      ({ page } = await site.visitor({ acceptDownloads: true }));
      await signedInStaff(site, page, "finance");
      // Proofs grow old while the tests run on a slow machine; a passkey renews them without waiting.
      await addPasskey(page, site.installation.service);
    });
    afterAll(async () => {
      await site?.close();
    });

    const service = () => site.installation.service;
    const url = (path = "") => consoleUrl(service(), path);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const dialog = (name: string) => page.getByRole("dialog", { name });
    const rows = () => page.getByRole("table", { name: "Rules" }).locator("tbody tr");
    const balance = async () => {
      const reply = await fetch(`${service().url}/api/corp/v1/balance`, { headers: { "x-api-token": client.token } });
      return ((await reply.json()) as { balance: string }).balance;
    };
    const choose = async (within: Locator | Page) => {
      const field = within.getByRole("combobox", { name: "Account" });
      await field.fill("Asha Stores");
      // What is chosen from the list is the id.
      await field.fill(client.accountId);
    };

    /** When the impact has been computed, because the form may change its height until then. */
    const cancel = async (form: Locator) => {
      await form.getByText("Fill in the rule to see").waitFor();
      await form.getByRole("button", { name: "Cancel" }).click();
      await form.waitFor({ state: "detached" });
    };

    test("without a rule the page says what will appear there, and an invalid rule is reported at its field", async () => {
      await page.goto(url("/pricing"));
      await page.getByText("Fee and commission rules will appear here.").waitFor();
      await checkPage(page, "console-pricing-empty");
      await page.getByRole("button", { name: "Set rule" }).first().click();
      const form = dialog("Set rule");
      await form.getByRole("button", { name: "Set rule" }).click();
      await form.getByText("Choose an account, or choose all accounts above.").waitFor();
      await choose(form);
      await form.getByLabel("Fee: Percent").fill("101");
      await form.getByText("Fill in the rule to see").waitFor();
      await form.getByRole("button", { name: "Set rule" }).click();
      await form.getByText("Must be a percentage from 0 to 100").waitFor();
      await form.getByLabel("Starts on").fill("2020-01-01");
      await form.getByLabel("Fee: Percent").fill("1");
      await form.getByRole("button", { name: "Set rule" }).click();
      await form.getByText("Must be a future day").waitFor();
      await cancel(form);
    });

    test("text that matches no account is an error at the field, never a rule for all accounts", async () => {
      const before = (await operator(service(), "GET", "/pricing")).body["items"];
      for (const text of ["Asha Stroes", "A00000000000", "all", "*"]) {
        await page.getByRole("button", { name: "Set rule" }).first().click();
        const form = dialog("Set rule");
        await form.getByRole("combobox", { name: "Account" }).fill(text);
        await form.getByLabel("Commission: Percent").fill("9");
        await form.getByText("No account matches this text.").waitFor();
        await form.getByRole("button", { name: "Set rule" }).click();
        await form.getByText("No account matches this text.").waitFor();
        if (text === "Asha Stroes") await checkPage(page, "console-pricing-unmatched");
        await cancel(form);
      }
      expect((await operator(service(), "GET", "/pricing")).body["items"]).toEqual(before);
    });

    test("a rule for an account's operator sets the fee and commission of the next order", async () => {
      await recharge(service().url, client.token, "before", "9876543000");
      expect(await balance()).toBe("4990.0000");
      await page.getByRole("button", { name: "Set rule" }).first().click();
      const form = dialog("Set rule");
      await choose(form);
      await form.getByLabel("Service").selectOption({ label: "Recharge" });
      await form.getByLabel("Operator").fill("AT");
      await form.getByLabel("Fee: Percent").fill("1");
      await form.getByLabel("Fee: Minimum ₹").fill("0.50");
      await form.getByLabel("Commission: Flat ₹").fill("0.20");
      const impact = form.getByRole("region", { name: "Impact" });
      await impact.getByText("match this rule").waitFor();
      await expect
        .poll(() => impact.locator("tbody tr").allInnerTexts())
        .toEqual([
          expect.stringMatching(/Fees paid\s+₹0\.5000\s+₹0\.0000/),
          expect.stringMatching(/Commission earned\s+₹0\.2000\s+₹0\.0000/),
        ]);
      await form.getByLabel("Reason").fill("Agreement of today");
      await checkPage(page, "console-pricing-set");
      await form.getByRole("button", { name: "Set rule" }).click();
      await page.getByText("The rule is in force.").waitFor();
      await rows().first().waitFor();
      await expect
        .poll(() => rows().allInnerTexts())
        .toEqual([expect.stringMatching(/Asha Stores.*Recharge, Airtel \(AT\).*1\.00 %, at least ₹0\.50.*₹0\.20.*In force/s)]);
      await recharge(service().url, client.token, "after", "9876543000");
      expect(await balance()).toBe("4979.7000");
      // It succeeds and is taken back later.
      await recharge(service().url, client.token, "reversed", "9876543120");
      await expect.poll(balance).toBe("4979.7000");
    });

    test("an order preview shows the rule that applies and its fee and commission", async () => {
      await press("Preview an order");
      const tried = dialog("Preview an order");
      await tried.getByRole("button", { name: "Show fee and commission" }).click();
      await tried.getByText("Choose an account.").waitFor();
      await choose(tried);
      await tried.getByLabel("Amount in ₹").fill("250");
      await tried.getByRole("button", { name: "Show fee and commission" }).click();
      const given = tried.getByRole("region", { name: "Fee and commission" });
      await given.getByText("₹2.5000").waitFor();
      await given.getByText("₹0.2000").waitFor();
      await checkPage(page, "console-pricing-try");
      await given.getByRole("link", { name: "Asha Stores: Recharge, Airtel (AT)" }).click();
      await dialog("Asha Stores").getByText("Agreement of today").waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/pricing\/[0-9A-Z]+$/);
    });

    test("a replaced rule ends and stays listed, and a scheduled rule can be discarded", async () => {
      const drawer = dialog("Asha Stores");
      await checkPage(page, "console-pricing-rule");
      await drawer.getByRole("button", { name: "Replace rule" }).click();
      const form = dialog("Replace rule");
      await form.getByLabel("Commission: Flat ₹").fill("0.30");
      await form.getByText("match this rule").waitFor();
      await form.getByRole("button", { name: "Set rule" }).click();
      await drawer.getByText("Ended", { exact: true }).first().waitFor();
      await expect.poll(() => drawer.getByRole("button", { name: "End rule" }).count()).toBe(0);
      await page.keyboard.press("Escape");
      await expect.poll(() => rows().count()).toBe(2);
      await press("Set rule");
      const later = dialog("Set rule");
      await later.getByLabel("Applies to").selectOption({ label: "All accounts" });
      await later.getByLabel("Commission: Percent").fill("3");
      await later.getByLabel("Starts on").fill(indiaDay(5));
      await later.getByRole("button", { name: "Continue" }).click();
      // A rule for everybody is asked about in words, with what it would have done.
      await later.getByText("This rule applies to every client.").waitFor();
      // Its only order goes by the account's own rule, which is closer.
      await later.getByText(/^No order of the last 30 days|match this rule/).waitFor();
      await checkPage(page, "console-pricing-for-all");
      await later.getByLabel(/to confirm$/).fill("yes");
      await later.getByRole("button", { name: "Set rule for all accounts" }).click();
      await later.getByText("Type the words all accounts").waitFor();
      await later.getByLabel(/to confirm$/).fill("All accounts");
      await later.getByRole("button", { name: "Set rule for all accounts" }).click();
      await page.getByText("The rule is scheduled.").waitFor();
      await page.getByLabel("State").selectOption({ label: "Scheduled" });
      await expect
        .poll(() => rows().allInnerTexts())
        .toEqual([expect.stringMatching(/All accounts.*All services.*None.*3\.00 %.*Scheduled/s)]);
      await expect.poll(() => new URL(page.url()).searchParams.get("state")).toBe("scheduled");
      await page.getByRole("link", { name: /^All accounts/ }).click();
      await dialog("All accounts").getByRole("button", { name: "Discard rule" }).click();
      await dialog("Discard this rule?").getByRole("button", { name: "Discard rule" }).click();
      await page.getByText("The rule was discarded and will not start.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("No rule matches these filters.").waitFor();
      await press("Clear");
      await expect.poll(() => rows().count()).toBe(3);
      await checkPage(page, "console-pricing");
    });

    test("after a rule ends, new orders have no fee, and the audit log records it", async () => {
      await page.getByLabel("State").selectOption({ label: "In force" });
      await page.getByRole("link", { name: /^Asha Stores/ }).click();
      const drawer = dialog("Asha Stores");
      await drawer.getByRole("button", { name: "End rule" }).click();
      const asked = dialog("End this rule now?");
      await asked.getByLabel("Reason").fill("The agreement ended");
      await checkPage(page, "console-pricing-end");
      await asked.getByRole("button", { name: "End now" }).click();
      await page.getByText("The rule has ended.").waitFor();
      await drawer.getByText("Meera finance").first().waitFor();
      const before = await balance();
      await recharge(service().url, client.token, "last", "9876543000");
      expect(Number(before) - Number(await balance())).toBeCloseTo(10, 4);
      await drawer.getByRole("link", { name: "Show audit log" }).click();
      await expect.poll(() => page.getByRole("table", { name: "Audit" }).locator("tbody tr").count()).toBe(2);
    });

    test("a monthly statement has the ledger's closing balance, and can be downloaded as CSV and printed", async () => {
      await page.goto(url("/statements"));
      await page.getByText("The monthly statement will appear here").waitFor();
      await checkPage(page, "console-statements-empty");
      await choose(page);
      const sums = page.getByRole("table", { name: "By service and operator" });
      await sums.getByText("Airtel (AT)").waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.get("account_id")).toBe(client.accountId);
      await expect.poll(() => sums.locator("tfoot tr").textContent()).toBe("Total4₹40.0000₹1.0000₹10.5000₹0.4000-₹0.2000-₹30.3000");
      const closing = await balance();
      expect(
        await page.getByRole("table", { name: "From the opening to the closing balance" }).locator("tr").last().textContent(),
      ).toContain(`₹${Number(closing).toLocaleString("en-IN", { minimumFractionDigits: 4 })}`);
      await checkPage(page, "console-statements");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download CSV" }).click()]);
      expect(download.suggestedFilename()).toBe(`statement-${client.accountId}-${indiaDay().slice(0, 7)}.csv`);
      const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
      expect(lines[0]).toMatch(/^entry_id,at,type,amount,balance_after,/);
      expect(lines.at(-1)?.split(",")[4]).toBe(closing);
      expect(lines.filter((line) => line.includes(",commission,"))).toHaveLength(3);
      await page.getByRole("link", { name: "Open print view" }).click();
      await page.getByRole("heading", { name: "Statement of account" }).waitFor();
      await checkPage(page, "console-statement-sheet");
      await page.emulateMedia({ media: "print" });
      for (const hidden of [page.getByRole("button", { name: "Print" }), page.getByRole("navigation").first()])
        await expect.poll(() => hidden.isVisible()).toBe(false);
      await expect.poll(() => page.getByRole("rowheader", { name: "Closing balance" }).isVisible()).toBe(true);
      const sheets = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      await page.emulateMedia({ media: "screen" });
    });

    test("an auditor sees rules and statements and is offered no change", async () => {
      const { page: auditor } = await site.visitor();
      await signedInStaff(site, auditor, "auditor");
      await auditor.goto(url("/pricing"));
      await auditor
        .getByRole("link", { name: /^Asha Stores/ })
        .first()
        .click();
      await auditor.getByRole("dialog", { name: "Asha Stores" }).getByText("Fee", { exact: true }).waitFor();
      for (const name of ["Set rule", "Replace rule", "End rule"]) expect(await auditor.getByRole("button", { name }).count()).toBe(0);
      await auditor.goto(url(`/statements?account_id=${client.accountId}`));
      await auditor.getByRole("table", { name: "By service and operator" }).waitFor();
      await auditor.context().close();
    });

    test("the client sees its fee and its commission: in the statement, by type, and in the transaction", async () => {
      await client.open("/wallet");
      const { page: portal } = client;
      const lines = portal.getByRole("table", { name: "Statement" }).locator("tbody tr");
      await portal.getByText("recharge AT 9876543000, fee 0.5000 included").waitFor();
      await portal.getByLabel("Type").selectOption({ label: "Commission" });
      await expect
        .poll(() => lines.allInnerTexts())
        .toEqual([
          expect.stringMatching(/Commission taken back: recharge AT 9876543120.*-₹0\.2000/s),
          expect.stringMatching(/Commission: recharge AT 9876543120.*\+₹0\.2000/s),
          expect.stringMatching(/Commission: recharge AT 9876543000.*\+₹0\.2000/s),
        ]);
      await checkPage(portal, "portal-wallet-commission");
      await lines.last().getByRole("link").click();
      await portal.getByRole("dialog").getByRole("link").click();
      const drawer = portal.getByRole("dialog");
      await drawer.getByText("Commission earned").waitFor();
      for (const name of ["Fee", "Commission"]) await drawer.locator("dt", { hasText: new RegExp(`^${name}$`) }).waitFor();
      await checkPage(portal, "portal-transaction-commission");
    });

    test("no page reported an error, and the ledger is consistent", async () => {
      expect(site.pageErrors).toEqual([]);
      expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
    });
  },
);
