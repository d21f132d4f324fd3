import type { Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "../deadline.ts";
import { stepUp } from "./console.ts";

/**
 * Presses a button of an open dialog and waits until the dialog is gone; the page's passkey answers when a fresh proof is
 * asked for on the way, which depends on how long the tests have taken so far.
 */
export async function confirmDialog(page: Page, dialogName: string | RegExp, button: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: dialogName });
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await proved(page, async () => (await dialog.count()) === 0);
}

/** Waits for a result and confirms the identity dialog if it appears. */
export async function proved(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  const asked = page.getByRole("dialog", { name: "Confirm your identity" });
  await until("it is done, or a proof is asked for", async () => (await asked.isVisible()) || (await isDone()));
  if (await asked.isVisible()) await stepUp(page);
  await until("it is done", isDone);
}

/** Reads the secret that a card over a drawer shows once. */
export async function takeSecretFromCard(page: Page, cardName: string | RegExp): Promise<string> {
  const card = page.getByRole("dialog", { name: cardName });
  await proved(page, () => card.isVisible());
  const secret = (await card.locator("pre").textContent()) ?? "";
  expect(await card.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
  await card.getByLabel("I have stored it").check();
  await card.getByRole("button", { name: "Close" }).click();
  await card.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret);
  return secret;
}
