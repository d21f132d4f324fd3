import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog } from "./harness/browser/console-steps.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { get } from "./harness/client.ts";
import { newClient } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`limits and fees of transfers${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "finance");
  });
  afterAll(() => site?.close());

  test("transfer limits and fees are changed with their impact shown, and every process applies them", async () => {
    const other = await site.installation.another();
    const client = await newClient(site.installation.service);
    await page.goto(consoleUrl(site.installation.service, "/services/transfers"));
    const drawer = page.getByRole("dialog", { name: "Money transfer" });
    await drawer.getByText("₹5,000.00").waitFor();
    await drawer.getByRole("button", { name: "Change limits and fees" }).click();
    const dialog = page.getByRole("dialog", { name: "Change limits and fees of transfers" });
    await dialog.getByText("No changes yet.").waitFor();
    expect(await dialog.getByRole("button", { name: "Set limits and fees" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Maximum per transfer").fill("50");
    await dialog.getByText("Must not be less than min_amount, which is 100.0000.").waitFor();
    // Typed as amounts are shown.
    await dialog.getByLabel("Maximum per transfer").fill("₹10,000");
    await dialog.getByLabel("Transfer fee in percent").fill("0.8");
    await dialog.getByText("Maximum per transfer: ₹5,000.00 → ₹10,000.00").waitFor();
    await dialog.getByText("There were no transfers in the last 30 days.").waitFor();
    await dialog.getByLabel("Reason (optional)").fill("New agreement");
    await checkPage(page, "console-transfer-settings");
    await confirmDialog(page, "Change limits and fees of transfers", "Set limits and fees");
    await drawer.getByText("₹10,000.00").waitFor();
    await drawer.getByText("0.80 %").waitFor();
    const limits = async () => {
      const items = (await get(other.port, "/services", { token: client.token })).json()["items"] as readonly {
        readonly service: string;
        readonly limits: Readonly<Record<string, unknown>>;
      }[];
      return items.find(({ service }) => service === "transfers")?.limits["per_transaction_max"];
    };
    await expect.poll(limits, { interval: 50 }).toBe("10000.0000");
    await drawer.getByRole("link", { name: "Show changes" }).click();
    await page.getByRole("link", { name: "Transfers settings changed" }).first().click();
    await page.getByText("New agreement").waitFor();
  });
});
