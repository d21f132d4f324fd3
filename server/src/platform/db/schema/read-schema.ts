import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The folder with the schema's SQL files, beside `src` and `dist`. */
export const SCHEMA_FOLDER = fileURLToPath(new URL("../../../../schema/", import.meta.url));
const FILE_NAME = /^([0-9]{4})_([a-z0-9_]+)\.sql$/;

/**
 * expand: the previous version of the program works after it. index: one index, built concurrently. contract: removes what
 * the previous version still uses, so it is applied when none runs.
 */
export type Phase = "expand" | "index" | "contract";

/** One version of the schema: the whole schema as version 1, then one file per version. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly phase: Phase;
  /** The newest migration that a program must know to work after this one; null: any program that accepted the one before. */
  readonly needs: number | null;
  readonly sql: string;
  readonly checksum: string;
};

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
  return { ...FIRST_VERSION, phase: "expand", needs: null, ...checked(contents.join("\n")) };
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const match = FILE_NAME.exec(fileName);
  if (!match) throw new Error(`Migration files must be named NNNN_words.sql; found ${fileName}.`);
  const version = Number(match[1]);
  if (version <= FIRST_VERSION.version)
    throw new Error(`The migration ${fileName} needs a number above 0001: version 1 is the schema itself.`);
  const sql = await readFile(`${folder}/migrations/${fileName}`, "utf8");
  return { version, name: match[2] ?? "", ...readHeader(fileName, version, sql), ...checked(sql) };
}

const HEADER = /^-- phase: (expand|index|contract)(?:, needs ([0-9]{1,4}))?$/;

/** The first line of a migration, such as `-- phase: contract`. */
function readHeader(fileName: string, version: number, sql: string): Pick<Migration, "phase" | "needs"> {
  const [, phase, needs] = HEADER.exec(sql.split("\n")[0] ?? "") ?? [];
  if (phase === undefined)
    throw new Error(`The first line of ${fileName} must be "-- phase: expand", "-- phase: index" or "-- phase: contract".`);
  // What a contraction removes is used by every program that does not know it.
  return { phase: phase as Phase, needs: needs === undefined ? (phase === "contract" ? version : null) : Number(needs) };
}

function checked(sql: string): Pick<Migration, "sql" | "checksum"> {
  return { sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
