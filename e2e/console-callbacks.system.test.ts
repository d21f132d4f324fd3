import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

// Pending first, then SUCCESS, which sends a callback.
const PENDING = "9876543200";

describe.skipIf(NO_BROWSER !== null)(`callback operations${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let client: Client;
  let receiver: Listener;
  beforeAll(async () => {
    site = await startConsole({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8", CORPRAIL_SIMULATOR_DELAY_MS: "300" });
    receiver = await startListener();
    client = await clientAt(receiver.url);
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "operations");
  });
  afterAll(async () => {
    await site?.close();
    await receiver?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const receivers = () => page.getByRole("table", { name: "Receivers with problems" });
  const deliveries = () => page.getByRole("table", { name: "Callbacks" });

  async function clientAt(callbackUrl: string | null): Promise<Client> {
    const { service } = site.installation;
    const made = await newClient(service, { settings: { callback_url: callbackUrl } });
    await change(service, `/accounts/${made.accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
    return made;
  }

  /** An order whose final state sends a callback. Returns its id. */
  async function orderWithCallback(urid: string): Promise<string> {
    const reply = await recharge(site.installation.service.url, client.token, urid, PENDING);
    expect(reply).toMatchObject({ status: "pending" });
    return String(reply["order_id"]);
  }

  test("without callbacks, the page says what will appear there", async () => {
    await page.goto(url("/callbacks"));
    await page.getByText("All receivers accept their callbacks.").waitFor();
    await page.getByText("Callbacks will appear here").waitFor();
    await checkPage(page, "console-callbacks-empty");
  });

  test("a delivery is found by reference, shows every attempt and the exact request, and is sent again", async () => {
    const orderId = await orderWithCallback("INV-7");
    await expect.poll(() => receiver.heard.length).toBe(1);
    await page.goto(url("/callbacks"));
    await page.getByLabel("Callback", { exact: true }).fill("INV-7");
    await deliveries().getByText("Delivered").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?search=INV-7");
    await page.getByRole("link", { name: orderId }).click();
    const drawer = page.getByRole("dialog", { name: `Status callback of ${orderId}` });
    await drawer.getByText("Attempt 1", { exact: true }).waitFor();
    await drawer.getByText(/^GET \/\?.*urid=INV-7/).waitFor();
    await page.reload();
    await drawer.getByText("HTTP 200").waitFor();
    await checkPage(page, "console-callback");
    await drawer.getByRole("button", { name: "Resend" }).click();
    await drawer.getByText("Attempt 2", { exact: true }).waitFor();
    expect(receiver.heard).toHaveLength(2);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    for (const [label, option, found] of [
      ["Kind", "complaint", false],
      ["Kind", "status", true],
      ["State", "parked", false],
      ["State", "delivered", true],
    ] as const) {
      await page.getByRole("combobox", { name: label, exact: true }).selectOption(option);
      await (found ? deliveries().getByText("Delivered") : page.getByText("No callback matches these filters")).waitFor();
    }
    await page.getByLabel("Since").fill("2099-01-01");
    await page.getByText("No callback matches these filters").waitFor();
    await press("Clear");
    await deliveries().getByText("Delivered").waitFor();
  });

  test("a failing receiver is listed with the cause, and its callbacks are paused and resumed", async () => {
    receiver.answer(503);
    await orderWithCallback("INV-8");
    await receivers().getByText("Failing").waitFor();
    await checkPage(page, "console-callbacks");
    await receivers().getByRole("link", { name: "Asha Stores" }).click();
    const drawer = page.getByRole("dialog", { name: "Status callbacks of Asha Stores" });
    await drawer.getByText("HTTP 503").waitFor();
    await page.reload();
    await drawer.getByText("HTTP 503").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/callbacks/receivers/${client.accountId}.status`);
    await checkPage(page, "console-receiver");
    await drawer.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Callbacks created meanwhile are kept").waitFor();
    await checkPage(page, "console-receiver-pause");
    await press("Pause callbacks");
    await drawer.getByText("This account's callbacks are paused.").waitFor();
    await orderWithCallback("INV-9");
    await drawer.getByText("Waiting", { exact: true }).locator("..").getByText("2", { exact: true }).waitFor();
    await drawer.getByRole("button", { name: "Resume" }).click();
    await page.getByText("The account's callbacks are being sent again.").waitFor();
    await drawer.getByText("The latest attempts failed").waitFor();
    await drawer.getByRole("link", { name: "Show waiting callbacks" }).click();
    await deliveries().getByText("Failing, retrying").first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("account_id")).toBe(client.accountId);
  });

  test("failed callbacks are recovered by a job that survives a reload, for one client or for all", async () => {
    receiver.answer(200);
    const before = receiver.heard.length;
    await page.goto(url(`/callbacks?account_id=${client.accountId}`));
    await press("Recover failed callbacks");
    const whose = page.getByRole("dialog").getByLabel("Client", { exact: true });
    await expect.poll(() => whose.inputValue()).toBe(client.accountId);
    await whose.fill("nobody that is known");
    await expect.poll(() => page.getByRole("button", { name: "Recover", exact: true }).isDisabled()).toBe(true);
    await whose.fill(client.accountId);
    await checkPage(page, "console-recover");
    await press("Recover");
    const card = page.getByRole("region", { name: "Recovering failed callbacks" });
    await card.getByText(/callbacks? (?:is|are) being sent again\./).waitFor();
    await page.reload();
    await card.getByText("Done").waitFor();
    await checkPage(page, "console-recovered");
    await expect.poll(() => receiver.heard.length).toBeGreaterThanOrEqual(before + 2);
    await page.getByText("All receivers accept their callbacks.").waitFor();
    await page.goto(url("/callbacks"));
    await press("Recover failed callbacks");
    await page.getByLabel("Clients").selectOption({ label: "All clients" });
    await expect.poll(() => page.getByRole("button", { name: "Recover", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel(/to confirm$/).fill("all clients");
    await press("Recover");
    await card.getByText("0 callbacks are being sent again.").waitFor();
  });

  test("receivers are chosen by what is wrong with them", async () => {
    const parked = await clientAt(null);
    const { service } = site.installation;
    // Made while there was a URL, and waiting since it is gone.
    await change(service, `/accounts/${parked.accountId}`, { callback_url: "http://127.0.0.1:9/closed" });
    await recharge(service.url, parked.token, "INV-10", PENDING);
    await page.goto(url(`/callbacks?account_id=${parked.accountId}`));
    await receivers().getByText("Failing").waitFor();
    await change(service, `/accounts/${parked.accountId}`, { callback_url: null });
    await receivers().getByText("No URL").waitFor();
    await page.getByLabel("Receiver state").selectOption("broken");
    await page.getByText("No receiver is in this state.").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("receivers")).toBe("broken");
    await page.getByLabel("Receiver state").selectOption("parked");
    await receivers().getByText("No URL").waitFor();
  });

  test("support may resend and recover but not pause; an auditor may only view", async () => {
    for (const [role, recover] of [
      ["support", 1],
      ["auditor", 0],
    ] as const) {
      const { page: other } = await site.visitor();
      await signedInStaff(site, other, role);
      await other.goto(url(`/callbacks/receivers/${client.accountId}.status`));
      await other.getByText("This receiver has no problems now.").waitFor();
      const drawer = other.getByRole("dialog", { name: "Receiver" });
      await expect.poll(() => drawer.getByRole("button", { name: "Recover failed callbacks" }).count()).toBe(recover);
      await expect.poll(() => drawer.getByRole("button", { name: /Pause|Resume/ }).count()).toBe(0);
      await other.context().close();
    }
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(site.installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
