import { spawnSync } from "node:child_process";
import { type Browser, type ConsoleMessage, chromium, type Page } from "playwright-core";

// Debian's; CHROMIUM names another one.
const CANDIDATES = [process.env["CHROMIUM"], "chromium", "chromium-browser", "google-chrome"].filter((name) => name !== undefined);

function findChromium(): string | null {
  for (const name of CANDIDATES) {
    const found = spawnSync("sh", ["-c", 'command -v -- "$1"', "sh", name], { encoding: "utf8" });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

const PROGRAM = findChromium();

/** Why no browser can be opened here; null when one can. */
export const NO_BROWSER = PROGRAM === null ? "there is no Chromium on this machine (Debian: apt-get install chromium)" : null;

export async function openBrowser(): Promise<Browser> {
  if (PROGRAM === null) throw new Error(`No browser: ${NO_BROWSER}.`);
  // Its sandbox refuses root, which is who runs tests in a container.
  return await chromium.launch({ executablePath: PROGRAM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

export type Watched = { readonly page: Page; readonly requested: readonly string[]; readonly complaints: readonly string[] };

/** A new page, with every address it asks for and everything it complains about. */
export async function watchedPage(browser: Browser): Promise<Watched> {
  return watched(await browser.newPage());
}

// The browser writes a line about every answer of 400 and above; one of a site's own API is the page's affair.
function isRefusal(message: ConsoleMessage): boolean {
  return message.text().startsWith("Failed to load resource") && /\/(?:portal|console)\/api\//.test(message.location().url);
}

/** Listens to a page; complaints go to the given list as well as others' do. */
export function watched(page: Page, complaints: string[] = []): Watched {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message)) complaints.push(message.text());
  });
  return { page, requested, complaints };
}
