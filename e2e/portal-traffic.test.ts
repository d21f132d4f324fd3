import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import { expectTextOnly, member, newPortalClient, type PortalClient, recharge, SCRIPT } from "./harness/browser/portal-client.ts";
import { get, PREFIX } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { change, newSigningSecret, operator } from "./harness/operator.ts";
import { exchange, requestText } from "./harness/raw-http.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";
import { headersOf, hmac, newNonce, nowSeconds, sixLines } from "./harness/sign.ts";

describe.skipIf(NO_BROWSER !== null)(`the portal's traffic${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let listener: Listener;
  let client: PortalClient;
  beforeAll(async () => {
    listener = await startListener();
    portal = await startPortal({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8", CORPRAIL_SIMULATOR_DELAY_MS: "300" });
    client = await newPortalClient(portal, { callback_url: `${listener.url}/status?note=${SCRIPT}` });
  });
  afterAll(async () => {
    await portal?.close();
    await listener?.close();
  });

  const service = () => portal.installation.service;

  /** A recharge whose callback the receiver refused at least once. */
  async function failing(urid: string): Promise<string> {
    const made = await recharge(service().url, client.token, urid, "9876543200");
    const orderId = String(made["order_id"]);
    await until(`the callback of ${urid} was tried`, async () => {
      const { body } = await operator(service(), "GET", `/callbacks?account_id=${client.accountId}&state=waiting`);
      const items = body["items"] as readonly { readonly order_id: string; readonly attempts: number }[];
      return items.some((one) => one.order_id === orderId && one.attempts > 0);
    });
    return orderId;
  }

  test("the example of the empty list makes a callback appear there", async () => {
    const { page, open, token } = await newPortalClient(portal, { callback_url: `${listener.url}/example` });
    await open("/callbacks");
    await page.getByText("Callbacks will appear here").waitFor();
    const [, body] = /-d '(.*)'/.exec((await page.getByRole("main").locator("pre").textContent()) ?? "") ?? [];
    const headers = { "content-type": "application/json", "x-api-token": token };
    const made = await fetch(`${service().url}${PREFIX}/recharge`, { method: "POST", headers, body: body ?? "" });
    const { status, order_id: orderId } = (await made.json()) as { status: string; order_id: string };
    expect(status).toBe("pending");
    await page.getByRole("link", { name: orderId }).waitFor();
    await page.context().close();
  });

  test("a failing callback shows its attempts and its exact request, and is sent again on demand", async () => {
    const { page, open } = client;
    await open("/callbacks");
    await page.getByText("Callbacks will appear here").waitFor();
    listener.answer(503, SCRIPT);
    const orderId = await failing("cb-1");
    await page.getByLabel("State").selectOption("waiting");
    await page.waitForURL(/[?&]state=waiting/);
    const row = page.getByRole("link", { name: orderId });
    await expect.poll(() => row.getAttribute("href")).toMatch(/^\/portal\/callbacks\/[0-9A-Z]+\?state=waiting$/);
    await row.click();
    const drawer = page.getByRole("dialog", { name: `Status callback of ${orderId}` });
    await drawer.getByText("Attempt 1", { exact: true }).waitFor();
    await page.reload();
    await drawer.getByText("HTTP 503").first().waitFor();
    await page.locator("nav li", { hasText: "Callbacks" }).getByText("1 open").waitFor();
    await expect
      .poll(() => drawer.locator("pre", { hasText: "hash=" }).textContent())
      .toMatch(/^GET \/status\?.*urid=cb-1.*hash=[0-9a-f]{64}.* HTTP\/1\.1\nhost: 127\.0\.0\.1/);
    await checkPage(page, "callback");
    await expectTextOnly(page);
    listener.answer(200);
    await drawer.getByRole("button", { name: "Resend" }).click();
    await drawer.getByText("HTTP 200").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).search).toBe("?state=waiting");
  });

  test("recovering all failed is a job that is still there after a reload", async () => {
    const { page, open } = client;
    listener.answer(500);
    const orders = [await failing("cb-2"), await failing("cb-3")];
    listener.answer(200);
    await open("/callbacks");
    await page.getByRole("button", { name: "Recover all failed since…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Recover", exact: true }).click();
    const job = page.getByRole("region", { name: "Recovering failed callbacks" });
    await job.getByText(/are being sent again|is being sent again|0 callbacks/).waitFor();
    await page.reload();
    await job.getByText("Done", { exact: true }).waitFor();
    for (const orderId of orders) {
      const row = page.getByRole("row", { name: orderId });
      await row.getByText("Delivered").waitFor();
    }
    await checkPage(page, "callbacks");
  });

  test("API calls appear in the log, and the live tail shows new calls and can be paused", async () => {
    const { page, token, open } = client;
    await open("/logs");
    const table = page.getByRole("region", { name: "API calls" });
    await table.getByText("POST /recharge").first().waitFor();
    await page.getByRole("button", { name: "Live tail" }).click();
    await page.getByText("Live. New calls: 0").waitFor();
    await get(service().port, "/lookup", { token, query: "account=9876543210" });
    await table.getByText("GET /lookup").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await get(service().port, "/services", { token });
    await page.getByText("Paused. New calls: 1").waitFor();
    await expect.poll(() => table.getByText("GET /services").count()).toBe(0);
    await page.getByRole("button", { name: "Resume" }).click();
    await table.getByText("GET /services").waitFor();
  });

  test("callers' input is shown as text, filters are kept in the URL, and errors are grouped", async () => {
    const { page, token, open } = client;
    const headers = [
      ["Host", "127.0.0.1"],
      ["X-Api-Token", token],
      ["User-Agent", SCRIPT],
    ] as const;
    await exchange(service().port, requestText("GET", `${PREFIX}/${SCRIPT}?urid=${SCRIPT}`, headers));
    await get(service().port, "/recharge", { token, query: "urid=nobody-has-it" });
    // Calls are written a moment after they were answered: a page that comes too early shows none.
    const rows = page.getByRole("region", { name: "API calls" }).locator("tbody a");
    await until("both are in the log", async () => {
      await open("/logs?status=4xx");
      await rows.or(page.getByText("No call matches these filters")).first().waitFor();
      return (await page.getByText(/onload/).count()) > 0;
    });
    await expect.poll(() => page.getByLabel("HTTP status").inputValue()).toBe("4xx");
    await checkPage(page, "logs");
    await page
      .getByText(/onload/)
      .first()
      .click({ force: true });
    await page.getByRole("dialog").getByText("not_found", { exact: true }).waitFor();
    await expectTextOnly(page);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Grouped errors" }).click();
    await page.waitForURL(/view=errors/);
    await page.getByRole("link", { name: `Show the calls with not_found at ${PREFIX}/recharge` }).waitFor();
    await checkPage(page, "logs-errors");
    await page.getByRole("link", { name: `Show the calls with not_found at ${PREFIX}/recharge` }).click();
    await page.waitForURL(/error=not_found/);
    await page.getByText("nobody-has-it").waitFor();
    await expectTextOnly(page);
  });

  test("the signature debugger marks the line that differs, and why", async () => {
    const { page, token, accountId, open } = client;
    const secret = await newSigningSecret(service(), accountId);
    const [timestamp, nonce] = [String(nowSeconds()), newNonce()];
    const sign = (kind: string) =>
      sixLines({ method: "GET", path: `${PREFIX}/operators`, query: [["kind", kind]], secret, timestamp, nonce });
    const signed = sign("dth").join("\n");
    const reply = await get(service().port, "/operators", {
      token,
      query: "kind=mobile_prepaid",
      headers: headersOf(timestamp, nonce, hmac(secret, signed)),
    });
    expect(reply.status).toBe(401);
    await until("it is in the log", async () => {
      await open("/logs?error=invalid_signature");
      await page
        .getByRole("tabpanel")
        .getByText(/GET \/operators|No call matches/)
        .waitFor();
      return (await page.getByText("GET /operators").count()) > 0;
    });
    await page.locator("tbody a").first().click();
    await expect.poll(() => page.getByRole("dialog").locator("pre").first().textContent()).toBe(sign("mobile_prepaid").join("\n"));
    await page.getByRole("link", { name: "Open in the signature debugger" }).click();
    await page.getByLabel("Your six lines").fill(signed);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText(/^One line differs, the query\. /).waitFor();
    await expect.poll(() => page.locator("mark").allTextContents()).toEqual(["mobile_prepaid", "dth"]);
    await expect.poll(() => page.getByText("differs from character 6").count()).toBe(1);
    await expect.poll(() => page.getByText("matches", { exact: true }).count()).toBe(5);
    await checkPage(page, "signature-debugger");
    await page.getByLabel("Your six lines").fill(signed.replace("GET", SCRIPT));
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator("mark", { hasText: "onload" }).waitFor();
    await expectTextOnly(page);
  });

  test("limits are meters with words", async () => {
    const { page, accountId, open } = client;
    await change(service(), `/accounts/${accountId}`, { daily_limit: "30.00" });
    await open("/limits");
    const daily = page.getByRole("meter", { name: "Daily limit used today" });
    await expect.poll(() => daily.getAttribute("aria-valuetext")).toBe("₹30.00 of ₹30.00: Used up");
    await expect
      .poll(() => page.getByRole("meter", { name: "Money calls in the last minute" }).getAttribute("aria-valuetext"))
      .toMatch(/^\d+ of 600: Available$/);
    await expect
      .poll(() => page.getByRole("meter", { name: "GET calls in the last minute" }).getAttribute("aria-valuetext"))
      .toMatch(/^\d+ of 300: Available$/);
    await checkPage(page, "limits");
  });

  test("with scroll bars nothing is cut off at 1280 pixels", async () => {
    const shown = await pageWithScrollBars(client.page);
    for (const [path, ready] of [
      ["/logs", "GET /operators"],
      ["/transactions", "Export as CSV"],
      ["/callbacks", "Recover"],
      ["/security", "Password"],
    ] as const) {
      await shown.goto(portalUrl(service(), path));
      await shown.getByText(ready).first().waitFor();
      await checkLayout(shown, path);
    }
    await shown.context().close();
  });

  test("a read-only member sees no button that changes anything, and the service refuses the change", async () => {
    const page = await member(portal, client.accountId, "read_only");
    const changing = /^(?:Create|Replace|End|Add|Remove|Send|Switch to|Save|Resend|Recover)/;
    for (const path of ["/credentials", "/allowlist", "/api-access", "/callbacks", "/limits"]) {
      await page.goto(portalUrl(service(), path));
      await page.locator("main h2, main table, main dl").first().waitFor();
      const names = await page.locator("main button").allTextContents();
      expect(
        names.filter((name) => changing.test(name)),
        path,
      ).toEqual([]);
    }
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Callbacks" }).waitFor();
    await expect.poll(() => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Credentials" }).count()).toBe(0);
    const refused = await page.evaluate(
      `(async () => {
        const { csrf_token } = await (await fetch("/portal/api/session")).json();
        const headers = { "content-type": "application/json", "x-csrf-token": csrf_token };
        const calls = ["credentials/token", "allowlist/add", "callback-settings/urls", "callback-settings/switch-v3", "callbacks/recover"];
        const replies = await Promise.all(calls.map((call) => fetch("/portal/api/" + call, { method: "POST", headers, body: "{}" })));
        return replies.map((reply) => reply.status);
      })()`,
    );
    expect(refused).toEqual([403, 403, 403, 403, 403]);
  });

  test("no page reported an error", () => {
    expect(portal.pageErrors).toEqual([]);
  });
});
