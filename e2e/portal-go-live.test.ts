import { CallbackVerifier, Corprail } from "@corprail/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { acceptInvitation, invitationFor, newAccount, PASSWORD, type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import { member, recharge, takeSecret } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

const ASHA = { email: "asha@example.in", name: "Asha Rao", password: PASSWORD };
const STEPS = 6;

describe.skipIf(NO_BROWSER !== null)(
  `from the operator's invitation to version 3, by clicks alone${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`,
  () => {
    let portal: Portal;
    let listener: Listener;
    let page: Page;
    let accountId = "";
    let token = "";
    let signingSecret = "";
    beforeAll(async () => {
      listener = await startListener();
      portal = await startPortal({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8", CORPRAIL_SIMULATOR_DELAY_MS: "300" });
      ({ page } = await portal.visitor());
    });
    afterAll(async () => {
      await portal?.close();
      await listener?.close();
    });

    const service = () => portal.installation.service;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const confirm = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

    /** Home says that so many steps are done, and which one is next. */
    async function progress(done: number, next?: string): Promise<void> {
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await page.getByText(`${done} of ${STEPS} steps ${done === 1 ? "is" : "are"} done.`).waitFor();
      await expect.poll(() => page.getByRole("progressbar", { name: "Completed steps" }).getAttribute("value")).toBe(String(done));
      if (next !== undefined) expect(await page.locator("[aria-current=step]").textContent()).toContain(next);
    }

    /** Follows the checklist's own link of a step. */
    async function follow(step: string, heading: string): Promise<void> {
      await page.getByRole("link", { name: step, exact: true }).click();
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    }

    test("the invitation leads to Home, which shows the way to go live and how far it is", async () => {
      accountId = await newAccount(service());
      await change(service(), `/accounts/${accountId}/wallet`, { amount: "500.00", reference: "start", note: "" });
      await acceptInvitation(page, await invitationFor(service(), accountId, ASHA.email), ASHA);
      await progress(1, "Allow your server's address");
      await page.getByText("Transactions of the last 24 hours will appear here").waitFor();
      await checkPage(page, "home-checklist");
    });

    test("with the token shown once and an allowed address, the first recharge succeeds", async () => {
      await follow("Get an API token", "API › Credentials");
      await press("Replace token");
      await confirm("Replace token");
      token = await takeSecret(page);
      expect(await recharge(service().url, token, "walk-0", "9876543210")).toMatchObject({ error: "ip_not_allowed" });

      await progress(1, "Allow your server's address");
      await follow("Allow your server's address", "API › IP allowlist");
      await page.getByLabel("Address or CIDR range").fill("127.0.0.1");
      await press("Add");
      await page.getByText("127.0.0.1 was added.").waitFor();

      await progress(2, "Make a first call");
      await follow("Make a first call", "Logs");
      await press("Live tail");
      await page.getByText("Live. New calls: 0").waitFor();
      expect(await recharge(service().url, token, "walk-1", "9876543210")).toMatchObject({ status: "SUCCESS", urid: "walk-1" });
      await page
        .getByRole("table", { name: "API calls" })
        .getByRole("row")
        .filter({ hasText: "walk-1" })
        .filter({ hasText: "200" })
        .waitFor();
      await progress(3, "Create a signing secret");
    });

    test("a signing secret and a callback URL are set, each on the page that its step leads to", async () => {
      await follow("Create a signing secret", "API › Credentials");
      await press("Create signing secret");
      signingSecret = await takeSecret(page);
      await progress(4, "Receive a callback");

      await follow("Receive a callback", "API access");
      await page.getByLabel("Callback URL", { exact: true }).fill(`${listener.url}/status`);
      await press("Save");
      await page.getByText("The callback URLs were saved.").waitFor();
      await progress(4, "Receive a callback");
    });

    test("version 3 is switched to, and its callback of a signed recharge is one that the SDK verifies", async () => {
      await follow("Switch callbacks to version 3", "API › IP allowlist");
      const card = page.getByRole("heading", { name: "Callback security" });
      await until("the card is what one looks at", async () => {
        const box = await card.boundingBox();
        return box !== null && box.y > 0 && box.y < 400;
      });
      await press("Create callback secret");
      const verifier = new CallbackVerifier({ callbackSecret: await takeSecret(page) });
      await press("Send version 3 test");
      await page.getByText("Your receiver responded with 200.").waitFor();
      await progress(5, "Switch callbacks to version 3");
      await follow("Switch callbacks to version 3", "API › IP allowlist");
      await press("Switch to version 3");
      await confirm("Switch");
      await page.getByText("All callbacks are version 3.").waitFor();

      const corprail = new Corprail({ baseUrl: service().url, token, signingSecret });
      const made = await corprail.recharge.create({ urid: "walk-2", account: "9876543200", operator: "AT", amount: "10" });
      if (made.outcome !== "pending") throw new Error(`It should be pending: ${made.outcome}.`);
      const { body, ...received } = await until("the callback comes", () =>
        listener.heard.find((heard) => heard.body.includes('"walk-2"')),
      );
      expect(await verifier.verify({ ...received, body: Buffer.from(body) })).toMatchObject({
        ok: true,
        callback: { kind: "status", version: 3, status: "SUCCESS", orderId: made.orderId, urid: "walk-2", account: "9876543200" },
      });
      expect(await verifier.verify({ ...received, body: Buffer.from(body.replace("walk-2", "walk-3")) })).toMatchObject({ ok: false });
    });

    test("Home shows every step as done until the checklist is hidden; a finished account never shows it to a new browser", async () => {
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await page.getByText(`All ${STEPS} steps are done. Your account is ready to go live.`).waitFor();
      expect(
        await page
          .getByRole("listitem")
          .filter({ hasText: /^Done: / })
          .count(),
      ).toBe(STEPS);
      expect(
        await page
          .getByRole("listitem")
          .filter({ hasText: /^To do: / })
          .count(),
      ).toBe(0);
      await page.reload();
      await page.getByText("ready to go live").waitFor();
      await press("Hide");
      await page.getByRole("heading", { name: "Go live" }).waitFor({ state: "detached" });

      const colleague = await member(portal, accountId, "developer");
      await colleague.goto(portalUrl(service()));
      await colleague.getByText("Success rate today").waitFor();
      await colleague.getByRole("img", { name: /^Transactions per hour/ }).waitFor();
      await expect.poll(() => colleague.getByText("Go live").count()).toBe(0);
    });

    test("no page reported an error", () => {
      expect(portal.pageErrors).toEqual([]);
    });
  },
);
