// The service and the command line as a few JavaScript files with everything they import. Reading them takes a third of the
// time that reading 1,500 modules takes.
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readLock } from "../production-packages.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The only package whose file is read, not imported: the browser bundle of the API reference. */
export const API_REFERENCE = "@scalar/fastify-api-reference";
// CommonJS packages call require, which an ES module does not have.
const BANNER =
  'import { createRequire as createRequireOfThisFile } from "node:module"; const require = createRequireOfThisFile(import.meta.url);';

/** Writes `corprail.js` and what it loads later into a folder of the archive. Returns the packages that are in them. */
export async function bundlePrograms(folder) {
  const { metafile } = await build({
    entryPoints: { corprail: join(ROOT, "cli/dist/main.js") },
    outdir: folder,
    absWorkingDir: ROOT,
    bundle: true,
    // What a command does not need is not read: the service is loaded by `serve` alone.
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: BANNER },
    // The machine code of argon2 is a package for each platform.
    external: ["@node-rs/argon2-*", "*.node"],
    plugins: [addressesInTheArchive],
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    // The loader of argon2 looks for its file in places that exist elsewhere only.
    logOverride: { "require-resolve-not-external": "silent" },
  });
  return new Set(Object.keys(metafile.inputs).map(readLock().packageOf));
}

// A module finds schema and pages relative to where it was before it was bundled. The archive keeps those places.
const addressesInTheArchive = {
  name: "addresses-in-the-archive",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:server|cli)\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const from = (place) => `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`;
      const contents = text
        .replaceAll("import.meta.url", from(relative(ROOT, path)))
        .replaceAll(`import.meta.resolve("${API_REFERENCE}")`, from("lib/api-reference/index.js"));
      return { contents, loader: "default" };
    });
  },
};
