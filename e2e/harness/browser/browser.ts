import { spawnSync } from "node:child_process";
import { type Browser, type BrowserContext, type ConsoleMessage, chromium, type Page } from "playwright-core";

// Names of the program on Debian and elsewhere. The variable CHROMIUM names another one. The headless shell needs a third less CPU than the whole browser.
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

// A browser takes as long to start as many tests run, so the files of a worker share one, which ends with the worker.
async function browserOfWorker(): Promise<Browser> {
  if (PROGRAM === null) throw new Error(`No browser: ${NO_BROWSER}.`);
  const running = await started;
  if (running?.isConnected()) return running;
  // Chromium's sandbox does not start as root, and tests in a container run as root.
  started = chromium.launch({ executablePath: PROGRAM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  return await started;
}

/** A page in a separate browser that shows scroll bars, as most desktops do. Content that fits only without them is cut off. */
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

/** Behaves like a separate browser: its contexts share no cookies or storage with those of other test files. */
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

export type Watched = { readonly page: Page; readonly requested: readonly string[]; readonly pageErrors: readonly string[] };

/** A new page, with every address that it requests and every error that it reports. */
export async function watchedPage(browser: OwnBrowser): Promise<Watched> {
  return watched(await (await browser.newContext({ reducedMotion: "reduce" })).newPage());
}

// The browser logs every response with status 400 and above. The page itself handles those of its own API.
function isRefusal(message: ConsoleMessage): boolean {
  return message.text().startsWith("Failed to load resource") && /\/(?:portal|console)\/api\//.test(message.location().url);
}

/** Listens to a page. Its errors are added to the given list, which several pages can share. */
export function watched(page: Page, pageErrors: string[] = []): Watched {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message)) pageErrors.push(message.text());
  });
  return { page, requested, pageErrors };
}
