import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";

/** What a piece of work costs a person: clicks, with keys that start something, and fields that are filled in or chosen. */
export type Effort = { readonly clicks: number; readonly fields: number };

type File = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Carries out steps on pages and counts them, over all people who take part. */
export class CountedSteps {
  private clicks = 0;
  private fields = 0;

  effort(): Effort {
    return { clicks: this.clicks, fields: this.fields };
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  async press(page: Page, key: string): Promise<void> {
    await page.keyboard.press(key);
    this.clicks += 1;
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.fields += 1;
  }

  /** Fills in a field that is no input element, such as the editor of JSON. */
  async fillBy(write: () => Promise<void>): Promise<void> {
    await write();
    this.fields += 1;
  }

  async choose(field: Locator, option: string | { readonly label: string }): Promise<void> {
    await field.selectOption(option);
    this.fields += 1;
  }

  async attach(field: Locator, file: File): Promise<void> {
    await field.setInputFiles(file);
    this.fields += 1;
  }

  /** A button by its whole name. */
  async button(within: Page | Locator, name: string): Promise<void> {
    await this.click(within.getByRole("button", { name, exact: true }));
  }

  /** An entry of the main menu. */
  async menu(page: Page, name: string): Promise<void> {
    await this.click(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }));
  }

  /** Confirms the card that shows a secret once. */
  async storeSecret(page: Page): Promise<string> {
    const card = page.getByRole("dialog").last();
    const secret = (await card.locator("pre").textContent()) ?? "";
    await this.click(card.getByLabel("I have stored it"));
    await this.button(card, "Close");
    await card.locator("pre").waitFor({ state: "detached" });
    return secret;
  }
}

const PAGE = new URL("../../../docs/guide/everyday-work.md", import.meta.url);
const ROW = /^\| (?<name>[^|]+) \| (?:[^|]+) \| (?<clicks>\d+) \| (?<fields>\d+) \|$/gm;

/** The efforts that the guide's table states for this version, by the name of the work. */
export async function statedEfforts(): Promise<readonly (readonly [string, Effort])[]> {
  const text = await readFile(PAGE, "utf8");
  return [...text.matchAll(ROW)].map(({ groups }) => [
    String(groups?.["name"]),
    { clicks: Number(groups?.["clicks"]), fields: Number(groups?.["fields"]) },
  ]);
}
