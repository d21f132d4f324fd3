import type { Locator, Page } from "playwright-core";

/** The console's JSON editor. It keeps only the visible lines in the page, so its text is copied and pasted as a person would. */
export function jsonEditor(page: Page): Locator {
  return page.getByRole("textbox", { name: "JSON", exact: true });
}

export async function readEditor(page: Page): Promise<string> {
  const editor = jsonEditor(page);
  await editor.press("Control+A");
  return await clipboard(editor, "copy", "");
}

export async function writeEditor(page: Page, text: string): Promise<void> {
  const editor = jsonEditor(page);
  await editor.press("Control+A");
  await clipboard(editor, "paste", text);
}

// Written as text, because the tests are compiled without the browser's types.
async function clipboard(editor: Locator, kind: "copy" | "paste", text: string): Promise<string> {
  return await editor.evaluate<string, readonly string[]>(
    `(element, [kind, text]) => {
      const clipboardData = new DataTransfer();
      if (text !== "") clipboardData.setData("text/plain", text);
      element.dispatchEvent(new ClipboardEvent(kind, { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData("text/plain");
    }`,
    [kind, text],
  );
}
