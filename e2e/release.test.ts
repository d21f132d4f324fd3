import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT, temporaryFolder } from "./harness/service.ts";

const run = promisify(execFile);
const WORKSPACES = ["server", "cli", "sdk", "connectors/kit", "web"];
const VERSIONED = ["package.json", ...WORKSPACES.map((name) => `${name}/package.json`), "package-lock.json"];
const FILES = [
  ...VERSIONED,
  "vendor/postgres/package.json",
  ".gitignore",
  "scripts/release.mjs",
  "scripts/sbom.mjs",
  "scripts/production-packages.mjs",
];
const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first one.\n";

type Sbom = { readonly components: readonly { readonly purl: string }[] };

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder("corprail-release-");
  for (const file of FILES) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(folder, file));
  }
  await writeFile(join(folder, "CHANGELOG.md"), CHANGELOG);
  await setVersion("0.1.0");
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "Release test");
  await git("config", "user.email", "release@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "start");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function git(...words: readonly string[]): Promise<string> {
  return (await run("git", words, { cwd: folder })).stdout.trim();
}

async function setVersion(version: string): Promise<void> {
  const manifest = join(folder, "package.json");
  await writeFile(manifest, (await readFile(manifest, "utf8")).replace(/"version": "[^"]*"/, `"version": "${version}"`));
}

async function release(...words: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  try {
    const { stdout } = await run(process.execPath, ["scripts/release.mjs", ...words], { cwd: folder });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr } = error as { readonly code: number; readonly stderr: string };
    return { code, text: stderr };
  }
}

async function versionIn(file: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, file), "utf8")) as { readonly version: string }).version;
}

test("a release without --write changes nothing", async () => {
  expect(await release("minor")).toMatchObject({ code: 0, text: expect.stringContaining("Nothing was changed.") });
  expect([await git("status", "--porcelain"), await git("tag"), await versionIn("package.json")]).toEqual(["", "", "0.1.0"]);
});

test("a changed working tree, an earlier version and an empty change log are refused with the reason", async () => {
  expect(await release("0.0.9")).toMatchObject({ code: 1, text: expect.stringContaining("is not later than the current version") });
  await writeFile(join(folder, "CHANGELOG.md"), CHANGELOG.replace("- A thing.\n", ""));
  expect(await release("minor", "--write")).toMatchObject({ code: 1, text: expect.stringContaining("The working tree has changes.") });
  await git("commit", "--quiet", "--all", "--message", "empty");
  expect(await release("minor", "--write")).toMatchObject({ code: 1, text: expect.stringContaining("no entry under") });
  expect(await git("tag")).toBe("");
});

test("a release sets every version, dates the change log, writes an SBOM, and commits and tags all of it", async () => {
  expect(await release("minor", "--write")).toMatchObject({ code: 0 });
  const versions = await Promise.all(VERSIONED.map(versionIn));
  expect(new Set(versions)).toEqual(new Set(["0.2.0"]));
  expect(await readFile(join(folder, "CHANGELOG.md"), "utf8")).toMatch(
    /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\./,
  );
  const sbom = JSON.parse(await readFile(join(folder, "release/corprail-0.2.0.cdx.json"), "utf8")) as Sbom;
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "corprail", version: "0.2.0" } } });
  const names = sbom.components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@.*$/, "$1"));
  // Packages that tests need too are among them; packages that only tests need are not.
  expect(names).toEqual(expect.arrayContaining(["@corprail/server", "fastify", "postgres", "react", "zod"]));
  expect(names).not.toContain("vitest");
  expect([await git("tag", "--points-at", "HEAD"), await git("status", "--porcelain")]).toEqual(["v0.2.0", ""]);
});
