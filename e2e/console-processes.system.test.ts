import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { operator } from "./harness/operator.ts";
import type { Service } from "./harness/service.ts";

describe.skipIf(NO_BROWSER !== null)(`the console's system${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let second: Service;
  let page: Page;
  beforeAll(async () => {
    site = await startConsole({ CORPRAIL_SMTP_URL: "smtp://post:hidden-word@127.0.0.1:9", CORPRAIL_PROVIDER_FIRST_KEY: "hidden-word" });
    second = await site.installation.another();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "auditor");
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const processes = () => page.getByRole("table", { name: "Processes" });

  test("the system page shows the parts, processes, database, master key and scheduled jobs", async () => {
    await page.goto(url("/system"));
    await page.getByText("2 running.").waitFor();
    await page.getByText("Every process has the master key.").waitFor();
    await page.getByText("The continuous check found no violations.").waitFor();
    await page.getByText("All migrations are applied.").waitFor();
    await page
      .getByRole("table", { name: "Scheduled jobs" })
      .getByRole("row", { name: /nonce sweep/i })
      .waitFor();
    await page.getByText("All migrations", { exact: true }).click();
    await page.getByText("1 schema", { exact: true }).waitFor();
    await expect.poll(() => processes().getByText("Running").count()).toBe(2);
    await checkPage(page, "console-system");
  });

  test("the reference of the operator API is shown to signed-in staff", async () => {
    const reference = await page.context().newPage();
    await reference.goto(new URL("/docs/operator", page.url()).href);
    await reference.getByRole("heading", { name: "Corprail operator API" }).waitFor();
    await reference.getByText("/api/operator/v1/accounts/{account_id}/wallet").first().waitFor();
    await reference.close();
  });

  test("a process has a drawer with its details and its own URL", async () => {
    await processes().getByRole("link").first().click();
    const drawer = page.getByRole("dialog", { name: "Process" });
    await drawer.getByText("In sync with the database").waitFor();
    await drawer.getByText("No violations").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/system\/processes\/[0-9A-Z]+$/);
    await page.reload();
    await drawer.getByText("In sync with the database").waitFor();
    await checkPage(page, "console-system-process");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("no secret of the configuration is in the page or in what it asked for", async () => {
    const { body } = await operator(site.installation.service, "GET", "/system");
    const text = JSON.stringify(body) + (await page.content());
    for (const secret of ["hidden-word", site.installation.service.operatorKey, new URL(site.installation.databaseUrl).password])
      expect(text).not.toContain(secret);
    await page.getByRole("row", { name: /CORPRAIL_PROVIDER_FIRST_KEY set/ }).waitFor();
    await page.getByRole("row", { name: /CORPRAIL_SMTP_URL smtp:\/\/127\.0\.0\.1:9/ }).waitFor();
  });

  test("a killed process leaves the list as soon as its orders have been recovered", async () => {
    await second.kill();
    await page.getByText("1 running.").waitFor();
    await expect.poll(() => processes().getByRole("row").count()).toBe(2);
  });

  test("the ledger is consistent and no page reported an error", async () => {
    expect((await operator(site.installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
    expect(site.pageErrors).toEqual([]);
  });
});
