import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { addPasskey, type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog, proved, takeSecretFromCard } from "./harness/browser/console-steps.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { acceptInvitation, PASSWORD, portalUrl } from "./harness/browser/portal.ts";
import { totpCode } from "./harness/browser/totp.ts";
import { get } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

describe.skipIf(NO_BROWSER !== null)(`the console's accounts${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let listener: Listener;
  let accountId: string;
  beforeAll(async () => {
    listener = await startListener();
    site = await startConsole({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" });
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "admin");
    await addPasskey(page, site.installation.service);
    accountId = String((await change(service(), "/accounts", { name: "Kaveri Mobiles" }))["account_id"]);
    await change(service(), "/accounts", { name: "Tara Telecom" });
  });
  afterAll(async () => {
    await site?.close();
    await listener?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const account = async (id = accountId) => (await operator(service(), "GET", `/accounts/${id}`)).body;
  const drawer = (name = "Kaveri Mobiles") => page.getByRole("dialog", { name, exact: true });
  const open = async (part: string, id = accountId) => {
    await page.goto(url(`/accounts/${id}?part=${part}`));
    await page.getByRole("tab", { selected: true }).waitFor();
  };
  const latestChange = async () =>
    ((await operator(service(), "GET", `/audit?subject_kind=account&subject_id=${accountId}&limit=1`)).body["items"] as JsonRecord[])[0];

  async function ask(button: string, title: string | RegExp, action = button, reason = ""): Promise<void> {
    await drawer().getByRole("button", { name: button, exact: true }).click();
    if (reason !== "")
      await page
        .getByRole("dialog", { name: title })
        .getByLabel(/^Reason/)
        .fill(reason);
    await confirmDialog(page, title, action);
  }

  test("a new account shows its token once and opens its drawer", async () => {
    await page.goto(url("/accounts?mode=test"));
    await page.getByRole("button", { name: "New account" }).click();
    const dialog = page.getByRole("dialog", { name: "New account" });
    await dialog.getByRole("button", { name: "Create account" }).click();
    await dialog.getByText("Enter a name.").waitFor();
    await checkPage(page, "console-account-new");
    await dialog.getByLabel("Client name").fill("Nila Sandbox");
    await dialog.getByText(/^This becomes a sandbox account/).waitFor();
    await dialog.getByRole("button", { name: "Create account" }).click();
    expect(await takeSecretFromCard(page, "The account was created")).toMatch(/^tok_test_/);
    await drawer("Nila Sandbox").getByText("Sandbox", { exact: true }).waitFor();
    expect(page.url()).toMatch(/\/console\/accounts\/A\w{11}\?mode=test$/);
  });

  test("the list is searched and filtered in the address; a row is a link to the account", async () => {
    await page.goto(url("/accounts"));
    await page.getByRole("link", { name: /Tara Telecom/ }).waitFor();
    await page.getByLabel("Search").fill("kaveri");
    await page.getByRole("link", { name: /Tara Telecom/ }).waitFor({ state: "detached" });
    await until("the search is in the URL", async () => page.url().includes("search=kaveri"));
    await checkPage(page, "console-accounts");
    await page.reload();
    await page.getByRole("link", { name: /Kaveri Mobiles/ }).click();
    await drawer().waitFor();
    expect(page.url()).toContain(`/accounts/${accountId}?search=kaveri`);
    await drawer().getByRole("button", { name: "Close", exact: true }).click();
    expect(page.url()).toContain("/accounts?search=kaveri");
    await page.getByLabel("Standing").selectOption("paused");
    await page.getByText("No account matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("link", { name: /Tara Telecom/ }).waitFor();
    expect(await page.getByRole("link", { name: /Nila Sandbox/ }).count()).toBe(0);
  });

  test.each([
    ["standing", "Standing", "Paused", "paused"],
    ["standing", "Standing", "Inactive", "inactive"],
    ["standing", "Standing", "Active", "active"],
    ["kyc", "KYC", "Pending", "pending"],
    ["agreement", "Agreement", "Pending", "pending"],
    ["signing_required", "Signing of recharges", "Required", true],
  ])("%s is changed with its effect shown and a reason recorded", async (field, label, choice, expected) => {
    await open("account");
    await drawer()
      .getByRole("button", { name: `Change: ${label}` })
      .click();
    const dialog = page.getByRole("dialog", { name: `Change: ${label}` });
    await dialog.getByLabel(choice, { exact: true }).check();
    if (choice === "Paused") {
      await dialog.getByText("New calls are refused immediately with account_paused").waitFor();
      await checkPage(page, "console-account-pause");
    }
    await dialog.getByLabel(/^Reason/).fill(`because of ${field}`);
    await confirmDialog(page, `Change: ${label}`, "Change");
    expect((await account())[field]).toBe(expected);
    expect(await latestChange()).toMatchObject({ action: "account.changed", details: { reason: `because of ${field}` } });
  });

  test("limits must be numbers, and an invalid one is an error at its field", async () => {
    await open("account");
    await checkPage(page, "console-account");
    for (const [label, value] of [
      ["Money calls", "900"],
      ["GET calls", "450"],
      ["Daily limit of recharges", "25000"],
    ] as const) {
      await drawer()
        .getByRole("button", { name: `Change: ${label}` })
        .click();
      await page
        .getByRole("dialog", { name: `Change: ${label}` })
        .getByLabel(label, { exact: true })
        .fill(value);
      await confirmDialog(page, `Change: ${label}`, "Change");
    }
    expect(await account()).toMatchObject({ money_per_minute: 900, get_per_minute: 450, daily_limit: "25000.0000" });
    await drawer().getByRole("button", { name: "Change: Daily limit of recharges" }).click();
    const dialog = page.getByRole("dialog", { name: "Change: Daily limit of recharges" });
    await dialog.getByLabel("Daily limit of recharges").fill("a lot");
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByText("Must be an amount greater than zero").waitFor();
    await dialog.getByLabel("Daily limit of recharges").fill("");
    await confirmDialog(page, "Change: Daily limit of recharges", "Change");
    expect((await account())["daily_limit"]).toBeNull();
  });

  test("services are turned on and off", async () => {
    await open("account");
    await drawer().getByRole("switch", { name: "Bill payments" }).click();
    await confirmDialog(page, "Turn Bill payments on?", "Turn on");
    await drawer().getByRole("switch", { name: "Recharge" }).click();
    await page.getByText("New calls are refused with service_not_enabled").waitFor();
    await confirmDialog(page, "Turn Recharge off?", "Turn off");
    expect((await account())["services"]).toMatchObject({ recharge: false, bills: true });
    await until(
      "the switch shows it",
      async () => (await drawer().getByRole("switch", { name: "Recharge" }).getAttribute("aria-checked")) === "false",
    );
  });

  test("the wallet is topped up and debited; what it does not hold is refused in the dialog", async () => {
    await open("wallet");
    await drawer().getByText("Changes to the balance will appear here").waitFor();
    await drawer().getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog", { name: "Top up wallet" });
    await dialog.getByRole("button", { name: "Top up" }).click();
    await dialog.getByText("Enter an amount.").waitFor();
    await dialog.getByText(accountId, { exact: true }).waitFor();
    await dialog.getByLabel("Amount in rupees").fill("1250,00.50");
    await dialog.getByRole("button", { name: "Top up" }).click();
    await dialog.getByText("Enter an amount such as 2500.00 or ₹2,50,000.").waitFor();
    await dialog.getByLabel("Amount in rupees").fill("₹1,25,000.50");
    await dialog.getByLabel("Note").fill("NEFT of 3 May");
    await dialog.getByTitle("125000.5000").waitFor();
    await checkPage(page, "console-account-topup");
    await confirmDialog(page, "Top up wallet", "Top up");
    await drawer().getByText("NEFT of 3 May").waitFor();
    expect((await account())["balance"]).toBe("125000.5000");
    await drawer().getByRole("button", { name: "Debit" }).click();
    const debit = page.getByRole("dialog", { name: "Debit wallet" });
    await debit.getByLabel("Amount in rupees").fill("999999");
    await debit.getByLabel("Note").fill("Paid out");
    await debit.getByRole("button", { name: "Debit" }).click();
    await proved(page, () => debit.getByText("The wallet does not hold that much.").isVisible());
    await debit.getByLabel("Amount in rupees").fill("25000.50");
    await confirmDialog(page, "Debit wallet", "Debit");
    await until("the balance is shown", () => drawer().getByTitle("100000.0000").first().isVisible());
    await checkPage(page, "console-account-wallet");
    await drawer().getByRole("button", { name: "Change: Wallet" }).click();
    await page.getByRole("dialog", { name: "Change: Wallet" }).getByLabel("Suspended").check();
    await confirmDialog(page, "Change: Wallet", "Change");
    expect(await account()).toMatchObject({ wallet: "suspended", balance: "100000.0000" });
  });

  test("credentials are replaced and shown once", async () => {
    await open("access");
    await ask("Replace token", "Replace token?", "Replace token", "lost");
    const token = await takeSecretFromCard(page, "API token of Kaveri Mobiles");
    expect(token).toMatch(/^tok_live_/);
    await ask("Create signing secret", "Create signing secret?");
    const first = await takeSecretFromCard(page, /^Signing secret of/);
    await ask("Replace signing secret", "Replace signing secret?");
    expect(await takeSecretFromCard(page, /^Signing secret of/)).not.toBe(first);
    await drawer().getByText("Replaced signing secret", { exact: true }).waitFor();
    await checkPage(page, "console-account-access");
    await ask("Revoke now", "Revoke the replaced signing secrets?", "Revoke secrets");
    await drawer().getByText("Replaced signing secret", { exact: true }).waitFor({ state: "detached" });
    expect((await account())["signing_secrets"]).toHaveLength(1);
    await drawer().getByText("First token").waitFor();
    await change(service(), `/accounts/${accountId}/allowlist`, { entries: ["127.0.0.1"] });
    await get(service().port, "/recharge?urid=unknown", { token });
    await change(service(), `/accounts/${accountId}/allowlist`, { entries: [] });
    const refused = page.getByRole("link", { name: "GET /recharge" }).first();
    await until("the refusal is in the API log", async () => {
      await page.goto(url(`/api-log?account_id=${accountId}`));
      await refused.or(page.getByText("No call matches these filters")).first().waitFor();
      return await refused.isVisible();
    });
    await checkPage(page, "console-api-log");
    await refused.click();
    await page.getByText("Reply (masked)").waitFor();
    await checkPage(page, "console-api-log-call");
  });

  test("addresses are added and removed, and an invalid address is an error at its field", async () => {
    await open("access");
    const field = drawer().getByLabel("Address or CIDR range");
    const add = drawer().getByRole("button", { name: "Add", exact: true });
    await field.fill("nowhere");
    await add.click();
    await proved(page, () => drawer().getByText("is neither an address nor a CIDR range").isVisible());
    for (const entry of ["203.0.113.10", "198.51.100.7/24"]) {
      await field.fill(entry);
      await add.click();
      await drawer()
        .getByRole("button", { name: `Remove ${entry.replace("7/24", "0/24")}` })
        .waitFor();
      await expect.poll(() => field.inputValue()).toBe("");
    }
    await field.fill("::/0");
    await add.click();
    await page.getByRole("dialog", { name: "Allow ::/0?" }).getByText("Anybody on the internet").waitFor();
    await page
      .getByRole("dialog", { name: "Allow ::/0?" })
      .getByLabel(/to confirm$/)
      .fill("every address");
    await confirmDialog(page, "Allow ::/0?", "Allow this range");
    await drawer().getByRole("button", { name: "Remove ::/0" }).click();
    await confirmDialog(page, "Remove ::/0?", "Remove");
    await drawer().getByRole("button", { name: "Remove 203.0.113.10" }).click();
    await confirmDialog(page, "Remove 203.0.113.10?", "Remove");
    expect((await account())["allowlist"]).toEqual(["198.51.100.0/24"]);
  });

  test("callbacks: addresses, secret, version 3 and back to version 2, pause and resume, a test complaint", async () => {
    await open("callbacks");
    for (const [label, path] of [
      ["Callback URL", "/status"],
      ["Complaint callback URL", "/complaints"],
    ] as const) {
      await drawer()
        .getByRole("button", { name: `Change: ${label}`, exact: true })
        .click();
      await page
        .getByRole("dialog", { name: `Change: ${label}`, exact: true })
        .getByLabel(label, { exact: true })
        .fill(`${listener.url}${path}`);
      await confirmDialog(page, `Change: ${label}`, "Change");
    }
    await drawer().getByRole("button", { name: "Switch to version 3" }).click();
    const early = page.getByRole("dialog", { name: "Switch to version 3?" });
    await early.getByRole("button", { name: "Switch to version 3" }).click();
    await proved(page, () => early.getByText("Create a callback secret first").isVisible());
    await early.getByRole("button", { name: "Cancel" }).click();
    await ask("Create callback secret", "Create callback secret?");
    expect(await takeSecretFromCard(page, /^Callback secret of/)).toMatch(/^cbk_/);
    await ask("Switch to version 3", "Switch to version 3?");
    await drawer().getByText("Version 3", { exact: true }).waitFor();
    await drawer().getByRole("button", { name: "Send test complaint callback" }).click();
    await drawer().getByText("The receiver responded with 200.").waitFor();
    expect(listener.heard.at(-1)).toMatchObject({ url: "/complaints" });
    listener.answer(503);
    await drawer().getByRole("button", { name: "Send test complaint callback" }).click();
    await drawer().getByText("The callback was not delivered: the receiver responded with 503.").waitFor();
    await checkPage(page, "console-account-callbacks");
    await ask("Pause", "Pause callbacks?", "Pause", "their receiver is down");
    expect((await account())["callbacks_paused"]).toBe(true);
    await ask("Resume", "Resume callbacks?");
    await drawer().getByRole("button", { name: "Return to version 2" }).click();
    await page.getByText("A receiver that supports only version 3 refuses them.").waitFor();
    await checkPage(page, "console-account-version-2");
    await confirmDialog(page, "Return to version 2?", "Return to version 2");
    expect(await account()).toMatchObject({ callback_version: 2, callbacks_paused: false, callback_secret_set: true });
  });

  test("a member is invited, signs in, and has a second factor reset", async () => {
    await open("people");
    await drawer().getByText("Members of this client will appear here.").waitFor();
    await drawer().getByRole("button", { name: "Invite a member" }).click();
    await page.getByLabel("Email address").fill("ravi@kaveri.example");
    await page.getByRole("dialog", { name: "Invite a member" }).getByRole("button", { name: "Create invitation" }).click();
    const link = await takeSecretFromCard(page, "The invitation is ready");
    await drawer().getByText("ravi@kaveri.example, Owner").waitFor();
    const { page: portal } = await site.visitor();
    await acceptInvitation(portal, link.replace("127.0.0.1", "localhost"), {
      email: "ravi@kaveri.example",
      name: "Ravi K",
      password: PASSWORD,
    });
    await portal.goto(portalUrl(service(), "/security"));
    await portal.getByRole("button", { name: "Set up" }).click();
    await portal.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    const secret = (await portal.getByRole("dialog").locator("code").textContent()) ?? "";
    await portal.getByLabel("Current code from the app").fill(totpCode(secret));
    await portal.getByRole("button", { name: "Turn on" }).click();
    await portal.getByRole("dialog", { name: "Your recovery codes" }).waitFor();
    await open("people");
    await drawer().getByText("Ravi K").waitFor();
    await checkPage(page, "console-account-people");
    await ask("Reset", "Reset the second factor of Ravi K?", "Reset second factor", "lost the telephone");
    // One for the second factor, one for the email domains of single sign-on.
    await expect.poll(() => drawer().getByText("None", { exact: true }).count()).toBe(2);
    await portal.close();
  });

  test("the client's portal opens read-only in a new tab", async () => {
    await open("account");
    const [portal] = await Promise.all([
      page.context().waitForEvent("page"),
      drawer()
        .getByRole("button", { name: "View as client" })
        .click()
        .then(() => proved(page, async () => page.context().pages().length > 1)),
    ]);
    await portal.waitForURL(/\/portal\/?$/);
    await portal.getByText("Kaveri Mobiles").first().waitFor();
    await portal.close();
  });

  test("an account with an empty wallet is closed permanently and is then read-only", async () => {
    await open("account");
    await drawer().getByRole("button", { name: "Close permanently" }).click();
    const dialog = page.getByRole("dialog", { name: "Close the account of Kaveri Mobiles?" });
    await dialog.getByRole("button", { name: "Close permanently" }).click();
    await proved(page, () => dialog.getByText("The wallet is not empty").isVisible());
    await checkPage(page, "console-account-close");
    await change(service(), `/accounts/${accountId}/wallet`, { amount: "-100000", reference: "paid-out" });
    await dialog.getByLabel(/^Reason/).fill("left us");
    await confirmDialog(page, "Close the account of Kaveri Mobiles?", "Close permanently");
    await drawer().getByText("This account was closed on").waitFor();
    for (const part of ["account", "wallet", "access", "callbacks", "people"]) {
      await open(part);
      for (const name of [/^Change/, "Top up", "Replace token", "Add", "Pause", "Invite a member", "Close permanently"])
        expect(await drawer().getByRole("button", { name, exact: true }).count(), `${part}: ${name}`).toBe(0);
    }
    expect((await latestChange())?.["action"]).toBe("account.closed");
  });

  test.each([
    ["finance", ["Top up", "Debit"], ["Change: Standing", "Replace token", "New account", "View as client", "Close permanently"]],
    ["operations", ["Change: Standing", "Add", "View as client", "New account"], ["Top up", "Replace token", "Close permanently"]],
    ["support", ["View as client", "Send test complaint callback"], ["Top up", "Change: Standing", "Replace token", "New account"]],
    ["auditor", [], ["Top up", "Change: Standing", "Replace token", "New account", "View as client", "Pause"]],
  ] as const)("%s sees what they may do, and nothing else", async (role, offered, hidden) => {
    const { accountId: id } = await newClient(service());
    const { page: other } = await site.visitor();
    await signedInStaff(site, other, role);
    const seen = new Set<string>();
    for (const part of ["account", "wallet", "access", "callbacks", "people"]) {
      await other.goto(url(`/accounts/${id}?part=${part}`));
      await other.getByRole("dialog", { name: "Asha Stores" }).getByRole("tab", { selected: true }).waitFor();
      for (const name of [...offered, ...hidden]) if ((await other.getByRole("button", { name, exact: true }).count()) > 0) seen.add(name);
    }
    await other.goto(url("/accounts"));
    await other
      .getByRole("link", { name: /Asha Stores/ })
      .first()
      .waitFor();
    if ((await other.getByRole("button", { name: "New account" }).count()) > 0) seen.add("New account");
    expect([...seen].sort()).toEqual([...offered].sort());
    await other.context().close();
  });

  test("the ledger is consistent and no page reported an error", async () => {
    expect((await operator(service(), "GET", "/ledger/check")).body["ok"]).toBe(true);
    expect(site.pageErrors).toEqual([]);
  });
});
