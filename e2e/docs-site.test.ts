import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "./harness/service.ts";

const BUILD_MILLISECONDS = 180_000;
const DIST = join(ROOT, "docs/.vitepress/dist");
const IS_INSTALLED = existsSync(join(ROOT, "docs/node_modules/vitepress"));

/** Every Markdown file of the project, also those that are new. */
function pages(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: ROOT, encoding: "utf8" });
  return listed.split("\n").filter((name) => name !== "" && existsSync(join(ROOT, name)));
}

// As GitHub and VitePress make it, for the characters that headings here have.
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, "")
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

async function textOf(page: string): Promise<string> {
  return (await readFile(page, "utf8")).replaceAll(/^```[\s\S]*?^```$/gm, "");
}

test("every link between pages leads to a file that exists, and to a heading that is there", async () => {
  const dead: string[] = [];
  for (const name of pages()) {
    const page = join(ROOT, name);
    for (const [, link = "", anchor] of (await textOf(page)).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const target = link === "" ? page : resolve(dirname(page), link);
      if (!existsSync(target)) dead.push(`${link} in ${name}`);
      else if (anchor !== undefined && !(await anchorsOf(target)).includes(anchor)) dead.push(`${link}#${anchor} in ${name}`);
    }
  }
  expect(dead).toEqual([]);
});

async function anchorsOf(page: string): Promise<readonly string[]> {
  return [...(await textOf(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

test(
  "the site builds, and its pages ask nobody else for anything",
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
