// npm run package [-- --platform linux-x64 --output folder]: makes the archive that one installs from, release/corprail-VERSION-PLATFORM.tgz.
// docs/decisions/0020-archive.md says why it is made this way.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { buildStep } from "./build-step.mjs";
import { buildSites, staleSites } from "./build-web.mjs";
import { compile } from "./compile.mjs";
import { licenceTexts } from "./package/licences.mjs";
import { addNatives, PLATFORMS } from "./package/natives.mjs";
import { API_REFERENCE, bundlePrograms } from "./package/programs.mjs";
import { readme } from "./package/readme.mjs";
import { readLock } from "./production-packages.mjs";
import { sbom } from "./sbom.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Files for the hosting's release page. Ignored by Git. */
const OUTPUT = join(ROOT, "release");
const OPTIONS = {
  platform: { type: "string", default: `${process.platform}-${process.arch}` },
  output: { type: "string", default: OUTPUT },
};
// The larger space for young objects is what `npm start` gives the service too.
const SHEBANG = "#!/usr/bin/env -S node --max-semi-space-size=32";
const PROGRAM = `${SHEBANG}\nimport { main } from ${JSON.stringify("../lib/corprail.js")};\nawait main(process.argv.slice(2));\n`;
// Everything the programs read besides themselves, from its place in the checkout to its place in the archive.
const FILES = {
  "server/schema": "server/schema",
  "web/dist/portal": "web/dist/portal",
  "web/dist/console": "web/dist/console",
  "connectors/shipped": "connectors/shipped",
  "contract/provider-description.schema.json": "contract/provider-description.schema.json",
  "contract/verify-statement.mjs": "contract/verify-statement.mjs",
  "contract/verify-audit.mjs": "contract/verify-audit.mjs",
  "examples/plug-in": "examples/plug-in",
  [`node_modules/${API_REFERENCE}/dist/js/standalone.js`]: "lib/api-reference/js/standalone.js",
  "docs/monitoring": "monitoring",
  LICENSE: "LICENSE",
  "CHANGELOG.md": "CHANGELOG.md",
};
const LEFT_OUT = new Set(["node_modules", "dist"]);

const { version, description, license, engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

async function main() {
  const { platform, output } = readOptions();
  const name = `corprail-${version}-${platform}`;
  const scratch = await mkdtemp(join(tmpdir(), "corprail-package-"));
  try {
    const sites = staleSites();
    await buildStep("[1/3] Compile and build the pages", async () => {
      await compile();
      await buildSites(sites);
    });
    const folder = join(scratch, name);
    await buildStep(`[2/3] Collect what ${platform} needs`, () => collect({ name, platform, folder, scratch }));
    const file = resolve(output, `${name}.tgz`);
    await buildStep("[3/3] Write the archive", () => writeArchive(folder, file));
    process.stdout.write(`${file}\n`);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (PLATFORMS[values.platform] !== undefined) return values;
  throw new Error(`There is no archive for ${values.platform}. Choose one of ${Object.keys(PLATFORMS).join(", ")}.`);
}

async function collect({ name, platform, folder, scratch }) {
  for (const [from, to] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, to)), { recursive: true });
    await cp(join(ROOT, from), join(folder, to), { recursive: true, filter: (path) => isWanted(from, path) });
  }
  const bundled = await bundlePrograms(join(folder, "lib"));
  const natives = await addNatives(platform, join(folder, "node_modules"), scratch);
  const write = (file, text) => writeFile(join(folder, file), text);
  await mkdir(join(folder, "bin"));
  await write("bin/corprail.mjs", PROGRAM);
  await chmod(join(folder, "bin/corprail.mjs"), 0o755);
  await mkdir(join(folder, "cli"));
  for (const part of ["server", "cli"]) await write(`${part}/package.json`, json({ name: `@corprail/${part}`, version, type: "module" }));
  await write("package.json", json(manifest(platform, natives)));
  const packages = packagesIn(bundled, natives);
  await write("sbom.cdx.json", sbom(new Set(packages.keys()), new Date(commitSeconds() * 1000)));
  await write("THIRD-PARTY-LICENCES.txt", licenceTexts([...packages].filter(([, place]) => existsSync(join(place, "package.json")))));
  await write("README.md", readme({ name, version, platform, commit: commit() }));
}

// A folder of this name above the checkout does not matter.
function isWanted(from, path) {
  return !path
    .slice(join(ROOT, from).length)
    .split("/")
    .some((part) => LEFT_OUT.has(part));
}

/** Every package whose code is in the archive, "name@version" to the folder where its licence is. */
function packagesIn(bundled, natives) {
  const { production, referenceOf } = readLock();
  const pages = production(["web"]);
  const code = [...bundled, `node_modules/${API_REFERENCE}`].filter((place) => place !== "").map((place) => [referenceOf(place), place]);
  const found = [...pages, ...code].map(([reference, place]) => [reference, join(ROOT, place)]);
  return new Map([...found, ...natives.map(({ place, folder }) => [referenceOf(place), folder])]);
}

/** As a package of npm, it brings its packages along: nothing is downloaded when it is installed. */
function manifest(platform, natives) {
  const { os, cpu, libc } = PLATFORMS[platform];
  return {
    ...{ name: "corprail", version, description, license, type: "module", bin: { corprail: "bin/corprail.mjs" }, engines },
    ...{ os: [os], cpu: [cpu], ...(libc ? { libc: [libc] } : {}) },
    dependencies: Object.fromEntries(natives.map((native) => [native.name, native.version])),
    bundleDependencies: natives.map((native) => native.name),
    gitHead: commit(),
  };
}

/** The same files give the same bytes: sorted, without owners, and with the commit's time. */
async function writeArchive(folder, file) {
  await mkdir(dirname(file), { recursive: true });
  const fixed = ["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner", `--mtime=@${commitSeconds()}`];
  const words = [...fixed, "--mode=u+rw,go=rX", "-C", dirname(folder), "-cf", "-", basename(folder)];
  const tar = spawn("tar", words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done, failed) => {
    tar.once("error", failed);
    tar.once("close", (code) => (code === 0 ? done() : failed(new Error("The archive could not be written. GNU tar is needed."))));
  });
  await Promise.all([ended, pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file))]);
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  await writeFile(`${file}.sha256`, `${digest}  ${basename(file)}\n`);
}

function commit() {
  const changed = git("status", "--porcelain") === "" ? "" : "-changed";
  return `${git("rev-parse", "HEAD")}${changed}`;
}

function commitSeconds() {
  return Number(git("log", "-1", "--format=%ct"));
}

function git(...words) {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
