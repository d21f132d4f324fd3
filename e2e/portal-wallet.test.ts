import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import {
  expectTextOnly,
  member,
  newPortalClient,
  type PortalClient,
  recharge,
  SCRIPT,
  takeSecret,
} from "./harness/browser/portal-client.ts";
import { get } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, operator } from "./harness/operator.ts";
import { logLines } from "./harness/service.ts";

// What each magic number comes to; null stays pending until it is settled.
const ENDS = {
  "000": "Success",
  "102": "Failed",
  "200": "Success",
  "202": "Failed",
  "110": null,
  "120": "Reversed",
  "130": "Success",
  "131": "Failed",
  "140": "Failed",
  "141": "Success",
  "150": "Success",
} as const;

describe.skipIf(NO_BROWSER !== null)(
  `the portal's wallet, operators and sandbox${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`,
  () => {
    let portal: Portal;
    let client: PortalClient;
    let page: Page;
    beforeAll(async () => {
      portal = await startPortal({ CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500" });
      client = await newPortalClient(portal);
      page = client.page;
    });
    afterAll(async () => {
      await portal?.close();
    });

    const service = () => portal.installation.service;
    const drawer = () => page.getByRole("dialog");
    const address = () => new URL(page.url());

    test("the wallet shows every line, a chart that can be read as a table, and money that is copied as the exact string", async () => {
      await change(service(), `/accounts/${client.accountId}/wallet`, { amount: "123456.50", reference: "neft", note: `NEFT ${SCRIPT}` });
      await recharge(service().url, client.token, "spent", "9876543000");
      await client.open("/wallet");
      await page.getByRole("heading", { name: "Signed days" }).waitFor();
      await page.getByText("Signed days will appear here after the first day with a change of your balance.").waitFor();
      const lines = page.getByRole("table", { name: "Statement" }).locator("tbody tr");
      await until("all lines are there", async () => (await lines.count()) === 3);
      await expect
        .poll(() => lines.allInnerTexts())
        .toEqual([
          expect.stringMatching(/recharge AT 9876543000.*-₹10\.0000.*₹1,28,446\.5000/s),
          expect.stringContaining(SCRIPT),
          expect.stringContaining("+₹5,000.0000"),
        ]);
      const copied = await page.evaluate<string>(`
      getSelection().selectAllChildren(document.querySelector('[title="128446.5000"]'));
      getSelection().toString()`);
      expect(copied).toBe("128446.5000");
      await page.getByRole("button", { name: "View as table" }).click();
      const days = page.getByRole("table", { name: "Balance at the end of each day" }).locator("tbody tr");
      expect([await days.count(), await days.last().textContent()]).toEqual([30, expect.stringContaining("₹1,28,446.50")]);
      await page.getByLabel("Type").selectOption("Top-up");
      await until("the type is in the address", () => address().search === "?type=topup");
      await until("only top-ups are listed", async () => (await lines.count()) === 2);
      await lines.first().getByRole("link").click();
      await drawer().getByText("Entry id").waitFor();
      expect(address().pathname).toBe(`/portal/wallet/${client.accountId}-2`);
      await page.reload();
      await drawer().getByText(`NEFT ${SCRIPT}`).waitFor();
      await page.keyboard.press("Escape");
      await until("the drawer leads back", () => address().pathname === "/portal/wallet");
      await expectTextOnly(page);
    });

    test("a low-balance threshold is set, and its recipients get one email when the balance falls below it", async () => {
      await client.open("/wallet");
      await page.getByLabel("Threshold in ₹").fill("lots");
      await page.getByLabel("Email addresses").fill("accounts@asha.example");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Must be an amount greater than zero").waitFor();
      await page.getByLabel("Threshold in ₹").fill("128440");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The low-balance threshold is now ₹1,28,440.00.").waitFor();
      await page.getByRole("button", { name: "Remove threshold" }).waitFor();
      await checkPage(page, "wallet");
      await recharge(service().url, client.token, "crossing", "9876545000");
      const isNotSent = (line: Readonly<Record<string, unknown>>) =>
        String(line["message"]).startsWith("mail not sent") && line["subject"] === "Low balance: Asha Stores";
      const mail = await until("the mail is logged as not sent", () => logLines(service().output()).find(isNotSent));
      expect(JSON.stringify(mail)).not.toContain("accounts@asha.example");
      await client.open("/");
      await page.getByText("Below the low-balance threshold of ₹1,28,440.0000").waitFor();
    });

    test("operators and services show their health, hours and limits, each at an address of its own", async () => {
      await change(service(), "/operators/VI", { enabled: false, reason: "outage" });
      await client.open("/operators?status=off");
      // The services above the list move it down when they arrive, and a click would miss its row.
      await page.getByRole("table", { name: "Services" }).getByRole("link").first().waitFor();
      await page.getByRole("link", { name: /^Vi/i }).click();
      await drawer().getByText("Off", { exact: true }).waitFor();
      expect(address().pathname + address().search).toBe("/portal/operators/VI?status=off");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Clear" }).click();
      await page
        .getByRole("row", { name: /^Airtel AT/ })
        .getByText("Up")
        .waitFor();
      await checkPage(page, "operators");
      await page.getByRole("table", { name: "Services" }).getByRole("link").first().click();
      await drawer().getByText("Hours (IST)").waitFor();
      await change(service(), "/operators/VI", { enabled: true, reason: "over" });
    });

    test("the sandbox is created with a token that is shown once, and every transition is made by clicks", async () => {
      await client.open("/sandbox");
      await page.getByRole("button", { name: "Create sandbox" }).click();
      const token = await takeSecret(page);
      expect((await get(service().port, "/balance", { token })).status).toBe(200);
      // There is money to try with, and no receiver: that of the live account must not get test results.
      expect((await get(service().port, "/balance", { token })).json()).toMatchObject({ balance: "10000.0000" });
      expect(await page.getByLabel("Callback URL", { exact: true }).inputValue()).toBe("");
      await page.getByRole("button", { name: "Top up" }).click();
      await page.getByText("₹10,000.00 of test money was added.").waitFor();
      await page.getByRole("button", { name: "Dismiss" }).click();
      await expect.poll(() => page.getByText("₹10,000.00 of test money was added.").count()).toBe(0);
      const row = (digits: string) =>
        page.getByRole("table", { name: "Sandbox transactions" }).getByRole("row", { name: new RegExp(`\\d{7}${digits}`) });
      for (const digits of Object.keys(ENDS)) {
        await page.getByRole("button", { name: `Run ${digits}` }).click();
        await row(digits).first().waitFor();
      }
      for (const [digits, end] of Object.entries(ENDS)) if (end !== null) await row(digits).getByText(end, { exact: true }).waitFor();
      await row("110")
        .getByRole("button", { name: /^Settle .* as SUCCESS$/ })
        .click();
      await row("110").getByText("Success", { exact: true }).waitFor();
      await row("110")
        .getByRole("button", { name: /^Reverse/ })
        .click();
      await row("110").getByText("Reversed", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Run 110" }).click();
      await row("110")
        .first()
        .getByRole("button", { name: /^Settle .* as FAILED$/ })
        .click();
      await row("110").first().getByText("Failed", { exact: true }).waitFor();
      await checkPage(page, "sandbox");
      await row("120").getByRole("link").click();
      await drawer().getByRole("region", { name: "Timeline" }).getByText("Reversed", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Replace token" }).click();
      const next = await takeSecret(page);
      expect((await get(service().port, "/balance", { token })).status).toBe(401);
      expect((await get(service().port, "/balance", { token: next })).status).toBe(200);
    });

    test("a read-only member sees no button that changes something", async () => {
      const reader = await member(portal, client.accountId, "read_only");
      const orderId = String((await recharge(service().url, client.token, "seen", "9876546000"))["order_id"]);
      const seen: [string, string][] = [
        ["/transactions", "9876546000"],
        [`/transactions/${orderId}`, "Request accepted"],
        ["/transactions/exports", "Your role is read-only."],
        ["/complaints", "will appear here"],
        ["/complaints/new", "Your role is read-only."],
        ["/wallet", "Mail to"],
        ["/sandbox", "Sandbox transactions"],
      ];
      // Whole words: while a list is loading it has a button that sorts by “Raised”.
      const actions = /\b(export|raise|resend|save|remove|create|replace|top up|run|settle|reverse|start)\b/i;
      for (const [path, text] of seen) {
        await reader.goto(portalUrl(service(), path));
        await reader.getByText(text).first().waitFor();
        expect([path, await reader.getByRole("main").getByRole("button", { name: actions }).count()]).toEqual([path, 0]);
        expect([path, await reader.locator("main a:not(td a), dialog a").filter({ hasText: actions }).count()]).toEqual([path, 0]);
      }
    });

    test("no page reported an error, and the ledger is consistent", async () => {
      expect(portal.pageErrors).toEqual([]);
      expect((await operator(service(), "GET", "/ledger/check")).body).toMatchObject({ ok: true });
    });
  },
);
