// Builds the sites in web/ that were not built from these very sources yet: both at once, each in its own process.
// With a site's name it builds that site here.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const SITES = ["portal", "console"];
const web = new URL("../web/", import.meta.url);
// What the pages use of the rest of the repository.
const OUTSIDE = ["../package-lock.json", "../contract/provider-description.schema.json", "../connectors/kit/src/required-operations.ts"];
const self = fileURLToPath(import.meta.url);

/** The sites whose build is missing or older than its sources. */
export function staleSites() {
  const wanted = sources();
  return SITES.filter((site) => !existsSync(stamp(site)) || readFileSync(stamp(site), "utf8") !== wanted);
}

/** Resolves once every one of these sites is built; rejects when one could not be. */
export async function buildSites(sites) {
  await Promise.all(sites.map(buildApart));
}

// The bundler sets NODE_ENV, by which the service would take itself to be in production; and most of a build with
// Node's default heap is garbage collection, hence the larger space for young objects.
function buildApart(site) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ["--max-semi-space-size=64", self, site], { stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", failed);
    child.once("exit", (code) => (code === 0 ? done() : failed(new Error(`The build of the ${site} failed.`))));
  });
}

async function buildHere(site) {
  const wanted = sources();
  // Gone first: an interrupted build must not pass for a whole one.
  rmSync(stamp(site), { force: true });
  const { build } = await import("vite");
  const configFile = fileURLToPath(new URL("vite.config.ts", web));
  await build({ configFile, mode: site, logLevel: "warn", build: { reportCompressedSize: false } });
  writeFileSync(stamp(site), wanted);
}

function stamp(site) {
  return new URL(`dist/${site}.built-from`, web);
}

/** One digest over everything a build depends on. */
function sources() {
  const top = readdirSync(web).filter((name) => /\.(?:html|json|ts)$/.test(name));
  const below = readdirSync(new URL("src/", web), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folder = fileURLToPath(web);
  const names = [...top, ...below.map((entry) => relative(folder, join(entry.parentPath, entry.name))), ...OUTSIDE];
  const hash = createHash("sha256");
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === self) {
  const [site] = process.argv.slice(2);
  await (site === undefined ? buildSites(staleSites()) : buildHere(site));
}
