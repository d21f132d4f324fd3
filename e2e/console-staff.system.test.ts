import type { Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import {
  acceptStaffInvitation,
  type Console,
  consoleUrl,
  enrolByApp,
  keepProved,
  signedInStaff,
  startConsole,
} from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { PASSWORD, signIn } from "./harness/browser/portal.ts";
import { takeSecret } from "./harness/browser/portal-client.ts";
import { operator } from "./harness/operator.ts";

const MEERA = { email: "meera@platform.example", name: "Meera Nair", password: PASSWORD };
// What a page must show and never run.
const VIKRAM = { email: "vikram@platform.example", name: "<img src=x onerror=alert(1)>", password: PASSWORD };

describe.skipIf(NO_BROWSER !== null)(`the people of the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let colleague: Page;
  let recovery: readonly string[] = [];
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    ({ page: colleague } = await site.visitor());
    await signedInStaff(site, page, "admin", MEERA);
    await keepProved(page, site.installation.service);
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const drawerOf = (name: string) => page.getByRole("dialog", { name });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  async function invite(email: string, role: string): Promise<string> {
    await press("Invite a member");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Role").selectOption({ label: role });
    await press("Create invitation");
    return await takeSecret(page);
  }

  test("an admin invites somebody by a link that is shown once; it makes them staff of that role", async () => {
    await page.goto(url("/staff"));
    await press("Invite a member");
    await checkPage(page, "console-staff-invite");
    await press("Create invitation");
    await page.getByText("Enter an email address.").waitFor();
    await page.keyboard.press("Escape");
    const link = await invite(VIKRAM.email, "Support");
    expect(link).toMatch(/\/console\/invite#inv_/);
    await page.getByRole("button", { name: `Revoke the invitation of ${VIKRAM.email}` }).waitFor();
    await acceptStaffInvitation(colleague, link.replace("127.0.0.1", "localhost"), VIKRAM);
    ({ codes: recovery } = await enrolByApp(colleague));
    await colleague.goto(url("/staff"));
    await colleague.getByRole("link", { name: MEERA.name }).click();
    await colleague.getByRole("dialog", { name: MEERA.name }).getByText("Admin: ").waitFor();
    for (const name of ["Invite a member", "Change the role", "Disable this member", "Reset second factor"])
      await expect.poll(() => colleague.getByRole("button", { name }).count()).toBe(0);
  });

  test("a name that contains markup is shown as text and runs no script", async () => {
    const alerts: string[] = [];
    page.on("dialog", (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(url("/staff"));
    await page.getByRole("link", { name: VIKRAM.name }).waitFor();
    await checkPage(page, "console-staff");
    await page.getByRole("link", { name: VIKRAM.name }).click();
    await drawerOf(VIKRAM.name).waitFor();
    await expect.poll(() => page.locator("img").count()).toBe(0);
    expect(alerts).toEqual([]);
    await checkPage(page, "console-staff-member");
  });

  test("a role is changed, and a disabled member is signed out immediately until they are enabled again", async () => {
    const drawer = drawerOf(VIKRAM.name);
    await drawer.getByLabel("Change the role").selectOption({ label: "Auditor" });
    await drawer.getByRole("button", { name: "Change the role" }).click();
    await drawer.getByText(/^Auditor: /).waitFor();
    await drawer.getByRole("button", { name: "Disable this member" }).click();
    await page.getByText("until an admin enables them again").waitFor();
    await press("Disable");
    await drawer.getByText("Disabled").waitFor();
    await colleague.goto(url("/staff"));
    await colleague.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(colleague, VIKRAM);
    await colleague.getByText("The email address or the password is wrong.").waitFor();
    await drawer.getByRole("button", { name: "Enable this member" }).click();
    await drawer.getByText("Active").waitFor();
    await signIn(colleague, VIKRAM);
    await recover(colleague, recovery[0] ?? "");
    await colleague.getByRole("heading", { name: "Staff" }).waitFor();
  });

  test("a second factor that was reset must be set up again, and the old one no longer works", async () => {
    const drawer = drawerOf(VIKRAM.name);
    await drawer.getByRole("button", { name: "Reset second factor" }).click();
    await checkPage(page, "console-staff-reset");
    await press("Confirm reset");
    await drawer.getByText("None", { exact: true }).waitFor();
    await expect.poll(() => drawer.getByRole("button", { name: "Reset second factor" }).count()).toBe(0);
    await colleague.goto(url("/staff"));
    await colleague.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(colleague, VIKRAM);
    await colleague.getByRole("heading", { name: "Protect your access" }).waitFor();
    await enrolByApp(colleague);
  });

  test("a staff member's changes are linked, and the last admin cannot lose the role", async () => {
    await drawerOf(VIKRAM.name).getByRole("link", { name: "Show changes" }).click();
    await page.getByRole("heading", { name: "Audit" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("actor")).toMatch(/^staff:/);
    await page.getByRole("table", { name: "Audit" }).getByText(VIKRAM.name).first().waitFor();
    await page.goto(url("/staff"));
    await page.getByRole("link", { name: MEERA.name }).click();
    const drawer = drawerOf(MEERA.name);
    await drawer.getByLabel("Change the role").selectOption({ label: "Finance" });
    await drawer.getByRole("button", { name: "Change the role" }).click();
    await page.getByText("Error.").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(page.url()).toBe(url("/staff"));
  });

  test("a revoked invitation no longer works", async () => {
    const link = await invite("gone@platform.example", "Operations");
    await press("Revoke the invitation of gone@platform.example");
    await press("Revoke invitation");
    await page.getByText("The link no longer works.").waitFor();
    const { page: stranger } = await site.visitor();
    await stranger.goto(link);
    await stranger.getByRole("alert").waitFor();
    await stranger.context().close();
  });

  test("a key is limited to a role, a last day and source addresses, and shows its last use", async () => {
    await page.goto(url("/keys"));
    await press("New key");
    await page.getByLabel("Key name").fill("Auditor's export");
    await page.getByLabel("Access").selectOption({ label: "Auditor" });
    await page.getByText("Can view everything except secrets and cannot change anything.").waitFor();
    await page.getByLabel("Last day (optional)").fill("1 Jan 2020");
    await page.getByLabel("Source addresses (optional)").fill("127.0.0.1\n203.0.113.0/24");
    await press("Create key");
    await page.getByText("Must be in the future.").waitFor();
    await page.getByLabel("Last day (optional)").fill("31 Dec 2099");
    await page.getByLabel("Source addresses (optional)").fill("127.0.0.1\nnowhere");
    await press("Create key");
    await page.getByText("nowhere is neither an address nor a CIDR range.").waitFor();
    await checkPage(page, "console-keys-new-limits");
    await page.getByLabel("Source addresses (optional)").fill("127.0.0.1\n203.0.113.0/24");
    await press("Create key");
    await page.getByText("This key can make the calls of the role Auditor.").waitFor();
    const headers = { authorization: `Bearer ${await takeSecret(page)}` };
    const base = `${site.installation.service.url}/api/operator/v1`;
    expect((await fetch(`${base}/accounts`, { headers })).status).toBe(200);
    expect((await fetch(`${base}/keys`, { headers })).status).toBe(403);
    await page.getByRole("link", { name: "Auditor's export" }).click();
    const drawer = drawerOf("Auditor's export");
    await drawer.getByText("127.0.0.1, 203.0.113.0/24").waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        await drawer.getByText("Last used from").waitFor();
        return await drawer.getByText("127.0.0.1", { exact: true }).count();
      })
      .toBe(1);
    await checkPage(page, "console-key-limits");
  });

  test("a key is shown once and works until it is deleted", async () => {
    await page.goto(url("/keys"));
    await page
      .getByText("Keys for your own programs will appear here.")
      .or(page.getByRole("table", { name: "Operator keys" }))
      .first()
      .waitFor();
    await press("New key");
    await checkPage(page, "console-keys-new");
    await press("Create key");
    await page.getByText("Enter a name.").waitFor();
    await page.getByLabel("Key name").fill("Nightly settlement");
    await press("Create key");
    const key = await takeSecret(page);
    const ask = async () =>
      (await fetch(`${site.installation.service.url}/api/operator/v1/accounts`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await ask()).toBe(200);
    await page.getByRole("link", { name: "Nightly settlement" }).waitFor();
    await checkPage(page, "console-keys");
    await page.getByRole("link", { name: "Nightly settlement" }).click();
    const drawer = drawerOf("Nightly settlement");
    await page.reload();
    await drawer.getByText("Created", { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/keys\/[A-Z0-9]+$/);
    await checkPage(page, "console-key");
    await drawer.getByRole("link", { name: "Show who created it" }).click();
    await page.getByRole("table", { name: "Audit" }).getByText(MEERA.name).waitFor();
    await page.goBack();
    await drawer.getByRole("button", { name: "Delete key" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The key Nightly settlement was deleted.").waitFor();
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("link", { name: "Nightly settlement" }).count()).toBe(0);
    expect(await ask()).toBe(401);
  });

  test("the audit log is filtered by its address, and each entry has one of its own", async () => {
    await page.goto(url("/audit"));
    await page.getByRole("table", { name: "Audit" }).getByRole("row").nth(5).waitFor();
    await checkPage(page, "console-audit");
    await page.getByLabel("Subject", { exact: true }).selectOption({ label: "Operator key" });
    await page.getByRole("link", { name: "Operator key deleted" }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?subject_kind=operator_key");
    await page.getByLabel("Action").fill("operator_key.created");
    await page.getByRole("link", { name: "Operator key deleted" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Operator key created" }).first().click();
    const drawer = drawerOf("Operator key created");
    await drawer.getByText("Nightly settlement").waitFor();
    await page.reload();
    await drawer.getByText("Nightly settlement").waitFor();
    await checkPage(page, "console-audit-entry");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).search).toContain("action=operator_key.created");
  });

  test("filters without results say so, and the audit chain is verified", async () => {
    await page.getByLabel("From", { exact: true }).fill("2001-01-01");
    await page.getByLabel("To", { exact: true }).fill("2001-01-02");
    await page.getByText("No change matches these filters.").waitFor();
    await checkPage(page, "console-audit-nothing");
    await press("Clear");
    await page.getByRole("table", { name: "Audit" }).getByRole("row").nth(5).waitFor();
    await page.getByLabel("Who").fill("nobody known");
    await page.getByLabel("Who").blur();
    await page.getByText("Choose somebody from the list, or clear the field.").waitFor();
    await page.getByLabel("Who").fill(MEERA.name.toLowerCase());
    await expect.poll(() => new URL(page.url()).searchParams.get("actor")).toMatch(/^staff:/);
    await page.getByLabel("Who").blur();
    await expect.poll(() => page.getByLabel("Who").inputValue()).toBe(MEERA.name);
    await press("Clear");
    await expect.poll(() => page.getByLabel("Who").inputValue()).toBe("");
    await press("Verify chain");
    await page.getByText(/^The chain is intact: [1-9][0-9]* entries/).waitFor();
    await checkPage(page, "console-audit-whole");
    await page.keyboard.press("Escape");
  });

  test("an altered audit chain is reported with the entry where it breaks", async () => {
    const sql = postgres(site.installation.databaseUrl, { max: 1 });
    const [altered] = await sql<{ details: string }[]>`select details from audit_log where seq = 3`;
    await sql`update audit_log set details = '{"altered":true}' where seq = 3`;
    await press("Verify chain");
    await page.getByText("The chain is broken at entry 3").waitFor();
    await checkPage(page, "console-audit-broken");
    await page.getByRole("link", { name: "Show this entry" }).click();
    await page.getByText('"altered": true').waitFor();
    await sql`update audit_log set details = ${altered?.details ?? ""} where seq = 3`;
    await sql.end();
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(site.installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });

  async function recover(on: Page, code: string): Promise<void> {
    await on.getByRole("button", { name: "Use a recovery code" }).click();
    await on.getByLabel("Recovery code").fill(code);
    await on.getByRole("button", { name: "Continue" }).click();
  }
});
