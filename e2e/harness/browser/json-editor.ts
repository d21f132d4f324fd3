import type { Locator, Page } from "playwright-core";

/** The console's JSON editor. It keeps only the visible lines in the page, so its text is copied and pasted as a person would. */
export function jsonEditor(page: Page): Locator {
  return page.getByRole("textbox", { name: "JSON", exact: true });
}

export async function readEditor(page: Page): Promise<string> {
  await jsonEditor(page).press("Control+A");
  return await clipboard(page, "copy", "");
}

export async function writeEditor(page: Page, text: string): Promise<void> {
  await jsonEditor(page).press("Control+A");
  await clipboard(page, "paste", text);
}

/** Sends the event to the editor, which has the focus inside its shadow tree, and returns what is on the clipboard then. */
async function clipboard(page: Page, kind: "copy" | "paste", text: string): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const event = new ClipboardEvent("${kind}", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.shadowRoot.activeElement.dispatchEvent(event);
    return clipboardData.getData("text/plain");
  })()`);
}

/** Takes a completion of what was typed. */
export async function chooseCompletion(page: Page, name: RegExp): Promise<void> {
  const completion = page.getByRole("option", { name });
  await repeatUntilShown(completion, () => page.keyboard.press("Control+Space"));
  await completion.click();
}

/** Points at a text of the editor until its explanation is shown. */
export async function hoverUntilExplained(page: Page, text: string, explanation: string): Promise<void> {
  await repeatUntilShown(page.getByText(explanation, { exact: true }).first(), async () => {
    await page.mouse.move(0, 0);
    await jsonEditor(page).getByText(text).hover();
  });
}

const SHOWN_MILLISECONDS = 2_000;

/** Asks for a completion or an explanation again when it does not come: the editor closes both when it is drawn anew meanwhile. */
async function repeatUntilShown(shown: Locator, ask: () => Promise<unknown>): Promise<void> {
  const comes = () =>
    shown.waitFor({ timeout: SHOWN_MILLISECONDS }).then(
      () => true,
      () => false,
    );
  while (!(await comes())) await ask();
}
