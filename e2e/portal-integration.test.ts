import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, startPortal } from "./harness/browser/portal.ts";
import { expectTextOnly, newPortalClient, type PortalClient, recharge, SCRIPT, takeSecret } from "./harness/browser/portal-client.ts";
import { get, signedGet } from "./harness/client.ts";
import { until } from "./harness/deadline.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

describe.skipIf(NO_BROWSER !== null)(
  `the portal's settings of the integration${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`,
  () => {
    let portal: Portal;
    let listener: Listener;
    let client: PortalClient;
    beforeAll(async () => {
      listener = await startListener();
      portal = await startPortal({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8", CORPRAIL_SIMULATOR_DELAY_MS: "300" });
      client = await newPortalClient(portal);
    });
    afterAll(async () => {
      await portal?.close();
      await listener?.close();
    });

    const port = () => portal.installation.service.port;
    const balance = async (token: string, secret?: string, from?: string) => {
      const headers = secret === undefined ? [] : signedGet("/balance", secret);
      return (await get(port(), "/balance", { token, headers, ...(from === undefined ? {} : { from }) })).status;
    };

    test("a signing secret is created, shown once, replaced with an overlap that is counted down, and ended", async () => {
      const { page, token, open } = client;
      await open("/credentials");
      await page
        .getByText(`tok_live_••••${token.slice(-4)}`)
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Create signing secret" }).click();
      const first = await takeSecret(page);
      expect(first).toMatch(/^sig_/);
      expect(await balance(token, first)).toBe(200);

      await page.getByRole("button", { name: "Replace signing secret" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Replace signing secret" }).click();
      const second = await takeSecret(page);
      const old = page.getByRole("region", { name: "Old signing secret" });
      const shown = await old.getByRole("timer").textContent();
      expect(shown).toMatch(/^(?:24:00:00|23:5\d:\d\d)$/);
      await until("the countdown moves", async () => (await old.getByRole("timer").textContent()) !== shown);
      expect([await balance(token, first), await balance(token, second)]).toEqual([200, 200]);
      await until("the old one is seen in use, twice", async () => {
        await page.reload();
        return /Still in use.*Calls in 24 hours2$/.test((await old.textContent()) ?? "");
      });
      await checkPage(page, "credentials");
      await old.getByRole("button", { name: "Revoke old secret" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke now" }).click();
      await old.waitFor({ state: "detached" });
      expect([await balance(token, first), await balance(token, second)]).toEqual([401, 200]);
    });

    test("signing can be required and made optional again, and a replaced token stops working immediately", async () => {
      const { page, open } = client;
      await open("/credentials");
      const turn = page.getByRole("switch", { name: "Signing required" });
      await turn.click();
      await page.getByRole("dialog").getByRole("button", { name: "Require signatures" }).click();
      await page.locator("[role=switch][aria-checked=true]").waitFor();
      expect(await balance(client.token)).toBe(401);
      await turn.click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop requiring signatures" }).click();
      await page.locator("[role=switch][aria-checked=false]").waitFor();
      expect(await balance(client.token)).toBe(200);

      await page.getByRole("button", { name: "Replace token" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Replace token" }).click();
      const token = await takeSecret(page);
      expect([await balance(client.token), await balance(token)]).toEqual([401, 200]);
      client = { ...client, token };
    });

    test("a token of its own is limited, made the primary one and revoked, and a refusal is in the log with its bodies", async () => {
      const { page, open } = client;
      await open("/credentials");
      const create = async (name: string, ...limits: readonly string[]) => {
        await page.getByRole("button", { name: "Create token" }).click();
        const dialog = page.getByRole("dialog", { name: "Create a token" });
        await dialog.getByLabel("Token name").fill(name);
        for (const limit of limits) await dialog.getByLabel(limit).check();
        await dialog.getByRole("button", { name: "Create token" }).click();
        return await takeSecret(page);
      };
      const limited = await create("Bus counter", "Bus booking", "Read-only: GET requests and no others");
      const whole = await create("New servers");
      expect([await balance(limited), await balance(whole)]).toEqual([403, 200]);
      // A retry with a token that may not recharge must not read as a failed recharge that was carried out.
      const bought = (token: string, urid: string) => recharge(`http://127.0.0.1:${port()}`, token, urid, "9876543210");
      expect(await bought(whole, "TWO-TOKENS")).toMatchObject({ status: "SUCCESS" });
      expect(await bought(limited, "TWO-TOKENS")).toMatchObject({ status: "rejected", error: "service_not_enabled", code: 331 });
      expect(await bought(limited, "NEVER-BOUGHT")).toMatchObject({ status: "failed", code: 331, order_id: "" });
      await checkPage(page, "credentials-tokens");
      await page.getByRole("button", { name: "Make primary: New servers" }).click();
      await page.getByRole("dialog").getByText("Version 2 callbacks are hashed with this token").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Make primary" }).click();
      await page
        .getByText(`tok_live_••••${whole.slice(-4)}`)
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Revoke: Bus counter" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
      await page.getByRole("button", { name: "Revoke: Bus counter" }).waitFor({ state: "detached" });
      expect([await balance(limited), await balance(client.token)]).toEqual([401, 200]);
      const refused = page.getByRole("link", { name: "GET /balance" }).first();
      await until("the refusal is in the log", async () => {
        await open("/logs?status=403");
        await refused.or(page.getByText("No call matches these filters")).first().waitFor();
        return await refused.isVisible();
      });
      await refused.click();
      await page.getByText("Reply (masked)").waitFor();
      await checkPage(page, "logs-bodies");
    });

    test("a refused caller is listed and allowed with one click, and an entry is removed again", async () => {
      const { page, token, open } = client;
      expect(await balance(token, undefined, "127.0.0.2")).toBe(403);
      await open("/allowlist");
      const refused = page.getByRole("region", { name: "Refused callers" });
      await refused.getByRole("button", { name: "Add this address: 127.0.0.2" }).click();
      await refused.getByText("Added").waitFor();
      expect(await balance(token, undefined, "127.0.0.2")).toBe(200);

      await page.getByLabel("Address or CIDR range").fill(SCRIPT);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("Must be an address or a CIDR range.").waitFor();
      await page.getByLabel("Address or CIDR range").fill("203.0.113.9/24");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const allowed = page.getByRole("region", { name: "Allowed addresses" });
      await allowed.getByText("203.0.113.0/24").waitFor();
      await page.getByLabel("Address or CIDR range").fill("0.0.0.0/0");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const asked = page.getByRole("dialog", { name: "Allow 0.0.0.0/0?" });
      await asked.getByText("This range has 4,29,49,67,296 addresses.").waitFor();
      await asked.getByRole("button", { name: "Allow this range" }).click();
      await asked.getByText("Type the words every address").waitFor();
      await checkPage(page, "allowlist-everyone");
      await asked.getByRole("button", { name: "Cancel" }).click();
      await asked.waitFor({ state: "detached" });
      expect(await allowed.getByText("0.0.0.0/0").count()).toBe(0);
      await allowed.getByRole("button", { name: "Remove 127.0.0.2" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await allowed.getByText("127.0.0.2").waitFor({ state: "detached" });
      expect(await balance(token, undefined, "127.0.0.2")).toBe(403);
      await expectTextOnly(page);
    });

    test("callback URLs are saved, and a test complaint shows the answer and why it failed", async () => {
      const { page, open } = client;
      await open("/api-access");
      await page.getByLabel("Callback URL", { exact: true }).fill("ftp://example.com/");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      await page.getByLabel("Callback URL", { exact: true }).fill(`${listener.url}/status?note=${SCRIPT}`);
      await page.getByLabel("Complaint callback URL").fill(`${listener.url}/complaint`);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The callback URLs were saved.").waitFor();

      const send = page.getByRole("button", { name: "Send test complaint callback" });
      listener.answer(500, `<script>window.hacked=1</script>${SCRIPT}`);
      await send.click();
      await page
        .getByRole("status")
        .getByText(/^The receiver answered 500\. /)
        .waitFor();
      await checkPage(page, "api-access");
      listener.answer(204);
      await send.click();
      await page.getByText("Your receiver responded with 204.").waitFor();
      const sent = listener.heard.at(-1);
      expect(sent?.url).toMatch(/^\/complaint\?.*\btest=1\b/);
      await expect.poll(() => page.locator("pre").textContent()).toContain(`GET ${sent?.url} HTTP/1.1`);
      await listenNowhere();
      await expectTextOnly(page);
    });

    async function listenNowhere(): Promise<void> {
      const { page } = client;
      const gone = await startListener();
      await gone.close();
      await page.getByLabel("Complaint callback URL").fill(gone.url);
      const saved = page.waitForResponse((reply) => reply.url().endsWith("/callback-settings/urls"));
      await page.getByRole("button", { name: "Save" }).click();
      await saved;
      await page.getByRole("button", { name: "Send test complaint callback" }).click();
      await page.getByText(/^Your receiver did not respond: /).waitFor();
    }

    test("version 3 is reached by a secret, a test that must be answered 2xx, and a switch without a way back", async () => {
      const { page, token, open } = client;
      await open("/allowlist");
      const turn = page.getByRole("button", { name: "Switch to version 3" });
      await page.getByRole("button", { name: "Create callback secret" }).click();
      const secret = await takeSecret(page);
      expect(secret).toMatch(/^cbk_/);
      const signatureOf = (body: string) => createHmac("sha256", secret).update(body).digest("hex");

      listener.answer(500);
      await page.getByRole("button", { name: "Send version 3 test" }).click();
      await page.getByText(/^The receiver answered 500\. /).waitFor();
      await expect.poll(() => turn.isDisabled()).toBe(true);
      listener.answer(200);
      await page.getByRole("button", { name: "Send version 3 test" }).click();
      await page.getByText("Your receiver responded with 200.").waitFor();
      const sent = listener.heard.at(-1);
      expect(sent?.headers["x-callback-signature"]).toBe(signatureOf(sent?.body ?? ""));
      await checkPage(page, "callback-security");
      await turn.click();
      await page.getByRole("dialog").getByRole("button", { name: "Switch" }).click();
      await page.getByText("Returning to version 2 goes through your account manager.").waitFor();
      await expect.poll(() => turn.count()).toBe(0);

      const { service } = portal.installation;
      expect(await recharge(service.url, token, "v3-1", "9876543200")).toMatchObject({ status: "pending" });
      const received = await until("the callback of the recharge", () => listener.heard.find(({ body }) => body.includes('"v3-1"')));
      expect(JSON.parse(received.body)).toMatchObject({ v: "3", status: "SUCCESS", urid: "v3-1" });
      expect(received.headers["x-callback-signature"]).toBe(signatureOf(received.body));
      await expectTextOnly(page);
    });

    test("no page reported an error", () => {
      expect(portal.pageErrors).toEqual([]);
    });
  },
);
