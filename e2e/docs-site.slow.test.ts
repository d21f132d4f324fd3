import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "./harness/service.ts";

const BUILD_MILLISECONDS = 180_000;
const DIST = join(ROOT, "docs/.vitepress/dist");
const IS_INSTALLED = existsSync(join(ROOT, "docs/node_modules/vitepress"));

test(
  "the site builds, and its pages request nothing from other hosts",
  async (context) => {
    if (!IS_INSTALLED) return context.skip("VitePress is not installed: npm run docs does it");
    await promisify(execFile)("npm", ["--prefix", "docs", "run", "build"], { cwd: ROOT });
    const built = (await readdir(DIST, { recursive: true })).filter((name) => /\.(?:html|css|js)$/.test(name));
    expect(built.filter((name) => name.endsWith(".html")).length).toBeGreaterThan(40);
    const asked: string[] = [];
    for (const name of built) asked.push(...(await outsideRequests(join(DIST, name))));
    expect(asked).toEqual([]);
  },
  BUILD_MILLISECONDS,
);

// What a browser fetches by itself; a link that the reader may follow is none.
async function outsideRequests(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8");
  const fetched =
    /<(?:script|img|iframe|link|source|video)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*"|url\(["']?(?:https?:)?\/\/[^)]*\)|@import[^;]*\/\//g;
  return [...text.matchAll(fetched)].map(([found]) => `${relative(DIST, file)}: ${found.slice(0, 120)}`);
}
