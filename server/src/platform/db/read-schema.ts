import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The folder with the schema's SQL files, beside `src` and `dist`. */
export const SCHEMA_FOLDER = fileURLToPath(new URL("../../../schema/", import.meta.url));
const FILE_NAME = /^([0-9]{4})_([a-z0-9_]+)\.sql$/;

/** One version of the schema: the whole schema as version 1, then one file per version. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string; readonly checksum: string };

/** Version 1: the files of the manifest. Its name tells it apart from databases of earlier development versions. */
export const FIRST_VERSION = { version: 1, name: "schema" } as const;

/** Every version of the schema that this program knows, in order. */
export async function readMigrations(folder = SCHEMA_FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(`${folder}/migrations`)).filter((name) => name.endsWith(".sql")).sort();
  return [await readFirstVersion(folder), ...(await Promise.all(names.map((name) => readMigration(folder, name))))];
}

/** The files of version 1, in the order in which they are applied. */
export async function readManifest(folder = SCHEMA_FOLDER): Promise<readonly string[]> {
  const manifest: { readonly files: readonly string[] } = JSON.parse(await readFile(`${folder}/manifest.json`, "utf8"));
  return manifest.files;
}

async function readFirstVersion(folder: string): Promise<Migration> {
  const files = await readManifest(folder);
  const contents = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
  return { ...FIRST_VERSION, ...checked(contents.join("\n")) };
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const match = FILE_NAME.exec(fileName);
  if (!match) throw new Error(`Migration files must be named NNNN_words.sql; found ${fileName}.`);
  const version = Number(match[1]);
  if (version <= FIRST_VERSION.version)
    throw new Error(`The migration ${fileName} needs a number above 0001: version 1 is the schema itself.`);
  return { version, name: match[2] ?? "", ...checked(await readFile(`${folder}/migrations/${fileName}`, "utf8")) };
}

function checked(sql: string): Pick<Migration, "sql" | "checksum"> {
  return { sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
