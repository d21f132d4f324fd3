import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./harness/service.ts";

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

/** File names such as `domain/orders/place-order.ts`, at any depth. A name with capitals such as NNNN is a placeholder. */
const NAMED_FILE = /`((?:[a-z0-9._-]+\/)*[a-z0-9._-]+\.(?:ts|tsx|mjs|sql|sh))`/g;

test("every source file that a page names exists", async () => {
  const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  const paths = new Set(files.flatMap((file) => file.split("/").map((_part, index, parts) => parts.slice(index).join("/"))));
  const missing: string[] = [];
  for (const page of pages()) {
    for (const [, name = ""] of (await textOf(join(ROOT, page))).matchAll(NAMED_FILE))
      if (!name.startsWith("../") && !paths.has(name)) missing.push(`${name} in ${page}`);
  }
  expect(missing).toEqual([]);
});
