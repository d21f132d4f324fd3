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
