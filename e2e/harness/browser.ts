import { spawnSync } from "node:child_process";
import { type Browser, type BrowserContext, type ConsoleMessage, chromium, type Page } from "playwright-core";

// Debian's; CHROMIUM names another one. The headless shell needs a third less CPU than the whole browser.
const CANDIDATES = [process.env["CHROMIUM"], "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].filter(
  (name) => name !== undefined,
);

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

let started: Promise<Browser> | null = null;

// Starting one costs as much as many a test: the files of a worker share one, and it ends with the worker.
async function browserOfWorker(): Promise<Browser> {
  if (PROGRAM === null) throw new Error(`No browser: ${NO_BROWSER}.`);
  const running = await started;
  if (running?.isConnected()) return running;
  // Its sandbox refuses root, which is who runs tests in a container.
  started = chromium.launch({ executablePath: PROGRAM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  return await started;
}

/** A page of a browser of its own that shows scroll bars, as most desktops do: what fits only without them is cut off there. */
export async function pageWithScrollBars(of: Page): Promise<Page> {
  if (PROGRAM === null) throw new Error(`No browser: ${NO_BROWSER}.`);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: PROGRAM, ignoreDefaultArgs: ["--hide-scrollbars"], args });
  const context = await browser.newContext({
    storageState: await of.context().storageState(),
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  context.once("close", () => void browser.close());
  return await context.newPage();
}

export type OwnBrowser = {
  /** Cookies and storage of its own. */
  readonly newContext: Browser["newContext"];
  /** Closes every context that was made here. */
  readonly close: () => Promise<void>;
};

/** As good as a browser of one's own: nothing of other files is in its contexts. */
export async function launchBrowser(): Promise<OwnBrowser> {
  const browser = await browserOfWorker();
  const contexts: BrowserContext[] = [];
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

export type Watched = { readonly page: Page; readonly requested: readonly string[]; readonly complaints: readonly string[] };

/** A new page, with every address it asks for and everything it complains about. */
export async function watchedPage(browser: OwnBrowser): Promise<Watched> {
  return watched(await (await browser.newContext()).newPage());
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
