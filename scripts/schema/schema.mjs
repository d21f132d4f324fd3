// `npm run schema`: applies server/schema to an empty database and writes the row types and docs/schema.md from its catalog.
// With --check it only compares. Needs no running service: it starts an embedded PostgreSQL in a temporary folder.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { startEmbedded } from "../../server/dist/platform/db/embedded/start-embedded.js";
import { migrate } from "../../server/dist/platform/db/schema/migrate.js";
import { readManifest } from "../../server/dist/platform/db/schema/read-schema.js";
import { readCatalog } from "./catalog.mjs";
import { schemaPage } from "./page.mjs";
import { rowTypes } from "./types.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// The cluster is deleted afterwards, so it need not survive a crash.
const SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

async function withSchema(work) {
  const dataFolder = await mkdtemp(join(tmpdir(), "corprail-schema-"));
  const server = await startEmbedded({ dataFolder, log: { info() {}, warn() {} }, settings: SETTINGS });
  try {
    await migrate(server.url);
    const sql = postgres(server.url, { max: 1, onnotice() {} });
    return await work(sql).finally(() => sql.end());
  } finally {
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** The schema's files with their content, in the order of the manifest. */
async function readFiles() {
  const names = await readManifest();
  return await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(ROOT, "server/schema", name), "utf8") })));
}

const [files, tables] = [await readFiles(), await withSchema(readCatalog)];
const written = new Map([
  ["server/src/platform/db/schema/row-types.ts", rowTypes(tables)],
  ["docs/schema.md", schemaPage(tables, files)],
]);

const stale = [];
for (const [path, text] of written) {
  if ((await readFile(join(ROOT, path), "utf8").catch(() => "")) !== text) stale.push(path);
}
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(`${stale.join(" and ")} do not match server/schema. Run: npm run schema`);
    process.exit(1);
  }
} else {
  for (const path of stale) await writeFile(join(ROOT, path), written.get(path));
}
