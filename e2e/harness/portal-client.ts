import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PREFIX } from "./client.ts";
import { change, type JsonRecord } from "./operator.ts";
import { acceptInvitation, invitationFor, PASSWORD, type Portal, portalUrl } from "./portal.ts";

/** An account with money, an owner who is signed in, and the token its servers call with. */
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

/** Somebody of that role, signed in in a browser of their own. */
export async function member(portal: Portal, accountId: string, role: string): Promise<Page> {
  const { page } = await portal.visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  const email = `${role}-${accountId.toLowerCase()}@asha.example`;
  const link = await invitationFor(portal.installation.service, accountId, email, role);
  await acceptInvitation(page, link, { email, name: "Asha", password: PASSWORD });
  return page;
}

/** A recharge of the client's servers; the last three digits of the number say what becomes of it. */
export async function recharge(url: string, token: string, urid: string, account: string): Promise<JsonRecord> {
  const reply = await fetch(`${url}${PREFIX}/recharge`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-token": token },
    body: JSON.stringify({ urid, account, operator: "AT", amount: "10.00" }),
  });
  return (await reply.json()) as JsonRecord;
}

/** The secret of the card that shows it once; the card is confirmed and left. */
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

/** Would run if it ever stood in a page as markup. */
export const SCRIPT = "<svg/onload=window.hacked=1>";

/** What others wrote stands there as text, and did nothing. */
export async function expectTextOnly(page: Page): Promise<void> {
  const found = await page.evaluate("[window.hacked ?? null, document.querySelectorAll('[onload]').length]");
  expect(found).toEqual([null, 0]);
}
