import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, NO_BROWSER, type OwnBrowser, type Watched, watchedPage } from "./harness/browser/browser.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

const WAIT_MILLISECONDS = 60_000;

describe.skipIf(NO_BROWSER !== null)(`the reference in a browser${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let installation: Installation;
  let browser: OwnBrowser;
  beforeAll(async () => {
    installation = await sharedInstallation();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
  });

  async function shown(): Promise<Watched> {
    const watched = await watchedPage(browser);
    await watched.page.goto(`${installation.service.url}/docs#tag/recharge/POST/api/corp/v1/recharge`);
    const operation = watched.page.getByRole("heading", { name: /Recharge a number/ }).first();
    await operation.waitFor({ timeout: WAIT_MILLISECONDS });
    return watched;
  }

  test("it shows an operation, requests nothing from other hosts, and is not stopped by its own policy", {
    timeout: 3 * WAIT_MILLISECONDS,
  }, async () => {
    const { page, requested, pageErrors } = await shown();
    await page.waitForLoadState("networkidle");
    expect(requested.length).toBeGreaterThan(3);
    const own = (address: string) => address.startsWith(`${installation.service.url}/docs`) || /^(?:data|blob):/.test(address);
    expect(requested.filter((address) => !own(address))).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test("it has no button that sends a request and no field for a credential", { timeout: 3 * WAIT_MILLISECONDS }, async () => {
    const { page } = await shown();
    const buttons = await page.locator("button:visible").allInnerTexts();
    expect(buttons.length).toBeGreaterThan(0);
    expect(buttons.filter((name) => /test request|^send|try it|api client/i.test(name))).toEqual([]);
    const fields = await page.locator("input:visible, textarea:visible").evaluateAll((all) => all.map((one) => one.outerHTML));
    expect(fields.filter((field) => /token|auth|secret|password/i.test(field))).toEqual([]);
  });
});
