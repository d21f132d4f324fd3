// npm run release -- VERSION [--write]: makes a release. Without --write it only checks and shows what it would do.
// CONTRIBUTING.md, Releases, describes the steps around it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLock } from "./production-packages.mjs";
import { sbom } from "./sbom.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MANIFESTS = ["", "server/", "cli/", "sdk/", "connectors/kit/", "web/"].map((folder) => `${folder}package.json`);
const LOCK = "package-lock.json";
const CHANGELOG = "CHANGELOG.md";
/** Files for the hosting's release page. Ignored by Git. */
const OUTPUT = "release";
/** The folders whose production packages a checkout runs with. */
const INSTALLED = ["", "server", "cli", "web"];
const UNRELEASED = "## [Unreleased]";
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** An error that the person at the terminal can fix; it is shown without a stack. */
class Refusal extends Error {}

function main() {
  const { wanted, isWrite } = readArguments(process.argv.slice(2));
  const current = JSON.parse(read("package.json")).version;
  const version = nextVersion(current, wanted);
  checkRepository(version);
  const notes = releaseNotes(read(CHANGELOG));
  say(`Release ${version}, after ${current}.`);
  say(`Change log: ${notes.split("\n").filter((line) => line.startsWith("- ")).length} entries.`);
  if (!isWrite) {
    say(`Would change ${[...MANIFESTS, LOCK, CHANGELOG].join(", ")}, commit them and tag the commit v${version}.`);
    say(`Would write ${OUTPUT}/corprail-${version}.cdx.json (SBOM) and ${OUTPUT}/notes-${version}.md.`);
    say("Nothing was changed. Add --write to make the release.");
    return;
  }
  writeRelease(version, notes);
  say(`Made the commit and the tag v${version}. Check them, then: git push --follow-tags`);
  say(`Attach the files in ${OUTPUT}/ to the release.`);
}

function readArguments(words) {
  const unknown = words.filter((word) => word.startsWith("-") && word !== "--write");
  const [wanted, ...more] = words.filter((word) => !word.startsWith("-"));
  if (unknown.length > 0 || more.length > 0 || wanted === undefined)
    throw new Refusal("Usage: npm run release -- VERSION [--write], where VERSION is major, minor, patch or a number such as 1.2.3.");
  return { wanted, isWrite: words.includes("--write") };
}

function nextVersion(current, wanted) {
  const [major, minor, patch] = VERSION.exec(current).slice(1).map(Number);
  const steps = { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` };
  const version = steps[wanted] ?? wanted;
  const parts = VERSION.exec(version)?.slice(1).map(Number);
  if (parts === undefined) throw new Refusal(`"${wanted}" is not a version. Use major, minor, patch or a number such as 1.2.3.`);
  const isLater = parts[0] - major || parts[1] - minor || parts[2] - patch;
  if (isLater <= 0) throw new Refusal(`${version} is not later than the current version, ${current}.`);
  return version;
}

/** The text below "Unreleased" in the change log. */
function releaseNotes(changelog) {
  const start = changelog.indexOf(`${UNRELEASED}\n`);
  if (start < 0) throw new Refusal(`${CHANGELOG} has no section "${UNRELEASED}". Add it above the latest version.`);
  const below = changelog.slice(start + UNRELEASED.length);
  const end = below.indexOf("\n## ");
  const notes = (end < 0 ? below : below.slice(0, end)).trim();
  if (!/^- /m.test(notes)) throw new Refusal(`${CHANGELOG} has no entry under "Unreleased". Describe the changes there first.`);
  return notes;
}

function checkRepository(version) {
  const changed = git("status", "--porcelain");
  if (changed !== "") throw new Refusal(`The working tree has changes. Commit or stash them first:\n${changed}`);
  const branch = git("rev-parse", "--abbrev-ref", "HEAD");
  if (branch !== "main") throw new Refusal(`Releases are made on the branch main; this is ${branch}. Run: git switch main`);
  if (git("tag", "--list", `v${version}`) !== "") throw new Refusal(`The tag v${version} exists already. Choose a later version.`);
}

function writeRelease(version, notes) {
  try {
    for (const file of MANIFESTS) write(file, withVersion(read(file), version));
    writeLock(version);
    const heading = `## [${version}] - ${new Date().toISOString().slice(0, 10)}`;
    write(CHANGELOG, read(CHANGELOG).replace(UNRELEASED, `${UNRELEASED}\n\n${heading}`));
    mkdirSync(join(ROOT, OUTPUT), { recursive: true });
    write(`${OUTPUT}/corprail-${version}.cdx.json`, sbom(new Set(readLock().production(INSTALLED).keys()), new Date()));
    write(`${OUTPUT}/notes-${version}.md`, `${notes}\n`);
  } catch (error) {
    git("restore", ...MANIFESTS, LOCK, CHANGELOG);
    throw new Refusal(`The release could not be written, and the changed files were restored: ${error.message}`);
  }
  git("add", ...MANIFESTS, LOCK, CHANGELOG);
  git("commit", "--quiet", "--message", `release: v${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `Corprail ${version}`);
}

function withVersion(text, version) {
  return text.replace(/"version": "[^"]*"/, `"version": "${version}"`);
}

function writeLock(version) {
  const lock = JSON.parse(read(LOCK));
  lock.version = version;
  for (const file of MANIFESTS) lock.packages[file.replace(/\/?package\.json$/, "")].version = version;
  write(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}

function git(...words) {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trimEnd();
}

function read(file) {
  return readFileSync(join(ROOT, file), "utf8");
}

function write(file, text) {
  writeFileSync(join(ROOT, file), text);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
