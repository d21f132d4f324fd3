import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const SHOTS = process.env["CORPRAIL_SHOTS"];
const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

type View = { readonly theme: "light" | "dark"; readonly width: number; readonly height: number; readonly rules: readonly string[] | null };

// The dark theme differs only in colours, and the narrow view only in layout, so fewer rules apply.
const NARROW_AND_DARK = ["color-contrast", "target-size", "scrollable-region-focusable"];
const VIEWS: readonly View[] = [
  { theme: "light", width: 1280, height: 800, rules: null },
  { theme: "dark", width: 390, height: 844, rules: NARROW_AND_DARK },
];
// Only for screenshots.
const SHOT_VIEWS: readonly View[] = [
  { theme: "light", width: 390, height: 844, rules: [] },
  { theme: "dark", width: 1280, height: 800, rules: [] },
];

/** Checks a page in both themes, wide and narrow: no serious axe violation and no horizontal overflow. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const scope = await scopeOf(page);
  for (const view of SHOTS === undefined ? VIEWS : [...VIEWS, ...SHOT_VIEWS]) {
    await page.evaluate(`document.documentElement.dataset.theme = "${view.theme}"`);
    await page.setViewportSize({ width: view.width, height: view.height });
    if (SHOTS !== undefined) await shoot(page, SHOTS, `${name}-${view.width}-${view.theme}`);
    const where = `${name}, ${view.theme}, ${view.width} px`;
    expect((await seriousViolations(page, scope, view.rules)).map((fault) => `${where}: ${fault}`)).toEqual([]);
    const beside = await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(beside, `${where}: wider than the screen`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

// Blocks of code, lists of choices, the tables of charts and the code editor scroll by design.
const LAYOUT_FAULTS = `(() => {
  const scrolls = (element, axis) => {
    const style = getComputedStyle(element);
    return axis === "x"
      ? /auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth
      : /auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight;
  };
  const named = (element) => element.tagName.toLowerCase() + " " + (element.getAttribute("aria-label") ?? element.className);
  const isMeant = (element) => element.closest("pre, textarea, figure, [role=listbox], .cm-editor") !== null;
  const all = [...document.querySelectorAll("body *")].filter((element) => !isMeant(element));
  const strips = all.filter((element) => element.matches("main nav, [role=tablist]"));
  const inner = all.filter((element) => element.closest("dialog[open]") !== null && element.tagName !== "DIALOG" && scrolls(element, "y"));
  return [
    ...all.filter((element) => scrolls(element, "x")).map((element) => "cut off: " + named(element)),
    ...strips.filter((element) => scrolls(element, "y")).map((element) => "scrolls: " + named(element)),
    ...inner.filter((element) => scrolls(element.closest("dialog"), "y")).map((element) => "scrolls inside a scroller: " + named(element)),
  ];
})()`;

/** Checks that nothing is cut off, that rows of tabs do not scroll, and that a drawer has one scroller. */
export async function checkLayout(page: Page, name: string): Promise<void> {
  expect(await page.evaluate<readonly string[]>(LAYOUT_FAULTS), name).toEqual([]);
}

const DIALOG = `[...document.querySelectorAll("dialog[open]")].at(-1)`;
const seen = new Set<string>();

// A page behind a dialog is checked once; for the next dialog only the dialog is checked.
async function scopeOf(page: Page): Promise<string> {
  const title = await page.evaluate<string | null>(`document.querySelector("h1")?.textContent ?? null`);
  const key = `${new URL(page.url()).origin} ${title}`;
  if (title !== null && seen.has(key) && (await page.evaluate<boolean>(`${DIALOG} !== undefined`))) return DIALOG;
  seen.add(key);
  return "document";
}

/** The serious and critical axe violations of the given rules, or of all rules when null. */
async function seriousViolations(page: Page, scope: string, rules: View["rules"]): Promise<readonly string[]> {
  if (rules?.length === 0) return [];
  // Injected once per document, because it is half a megabyte.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"], preload: false, ...(rules === null ? {} : { runOnly: rules }) };
  return await page.evaluate<readonly string[]>(
    `axe.run(${scope}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + " " + nodes.map((node) => node.html).join(" ")))`,
  );
}

async function shoot(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
