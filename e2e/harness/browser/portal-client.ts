import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PREFIX } from "../client.ts";
import { change, type JsonRecord } from "../operator.ts";
import { invitationFor, PASSWORD, type Portal, portalUrl } from "./portal.ts";
import { acceptWithoutPage } from "./site-session.ts";

/** An account with money, its signed-in owner, and its API token. */
export type PortalClient = {
  readonly accountId: string;
  readonly token: string;
  readonly page: Page;
  readonly open: (path: string) => Promise<void>;
};

export async function newPortalClient(portal: Portal, settings: JsonRecord = {}): Promise<PortalClient> {
  const { service } = portal.installation;
  const made = await change(service, "/accounts", { name: "Asha Stores" });
  const accountId = String(made["account_id"]);
  await change(service, `/accounts/${accountId}/allowlist`, { entries: ["127.0.0.1"] });
  await change(service, `/accounts/${accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
  if (Object.keys(settings).length > 0) await change(service, `/accounts/${accountId}`, settings);
  const page = await member(portal, accountId, "owner");
  return {
    accountId,
    token: String(made["api_token"]),
    page,
    open: async (path) => void (await page.goto(portalUrl(service, path))),
  };
}

/** A test that is tried again signs in another user. */
let memberCount = 0;

/** Signs in a user of the role at a separate browser; its page is not opened yet. */
export async function member(portal: Portal, accountId: string, role: string): Promise<Page> {
  const { page } = await portal.visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  memberCount += 1;
  const email = `${role}-${memberCount}-${accountId.toLowerCase()}@asha.example`;
  const link = await invitationFor(portal.installation.service, accountId, email, role);
  await acceptWithoutPage(page, portal.installation.service, "portal", link, { email, name: "Asha", password: PASSWORD });
  return page;
}

/** Makes a recharge; the last three digits of the number determine the outcome. */
export async function recharge(url: string, token: string, urid: string, account: string): Promise<JsonRecord> {
  const reply = await fetch(`${url}${PREFIX}/recharge`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-token": token },
    body: JSON.stringify({ urid, account, operator: "AT", amount: "10.00" }),
  });
  return (await reply.json()) as JsonRecord;
}

/** Reads the secret from the card that shows it once, and confirms the card. */
export async function takeSecret(page: Page): Promise<string> {
  const card = page.getByRole("dialog");
  const secret = (await card.locator("pre").textContent()) ?? "";
  await page.keyboard.press("Escape");
  expect(await card.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
  await card.getByLabel("I have stored it").check();
  await card.getByRole("button", { name: "Close" }).click();
  await card.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret);
  return secret;
}

/** Would run if a page rendered it as markup. */
export const SCRIPT = "<svg/onload=window.hacked=1>";

/** Expects that the page shows user input as text and that no script ran. */
export async function expectTextOnly(page: Page): Promise<void> {
  const found = await page.evaluate("[window.hacked ?? null, document.querySelectorAll('[onload]').length]");
  expect(found).toEqual([null, 0]);
}
