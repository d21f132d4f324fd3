import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HOME_CELL } from "@corprail/server/platform/core/ids";

export const FORMAT = "corprail archive 1";
const NAME = "manifest.json";

export type ArchivedFile = {
  readonly name: string;
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** What an archive of a month holds, with the checksum of each file. */
export type Manifest = {
  readonly format: typeof FORMAT;
  readonly installation_id: string;
  readonly month: string;
  readonly from: string;
  readonly to: string;
  readonly made_at: string;
  readonly files: readonly ArchivedFile[];
};

export function manifestPath(folder: string): string {
  return join(folder, NAME);
}

export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder);
  if (!existsSync(path)) throw new Error(`${folder} is not an archive of a month: it has no ${NAME}.`);
  const read: unknown = JSON.parse(await readFile(path, "utf8"));
  if (!isManifest(read)) throw new Error(`${path} is not a manifest that this version can read.`);
  return read;
}

const TEXTS = ["installation_id", "month", "from", "to", "made_at"] as const;

function isManifest(read: unknown): read is Manifest {
  if (!isObject(read) || read["format"] !== FORMAT || TEXTS.some((name) => typeof read[name] !== "string")) return false;
  return Array.isArray(read["files"]) && read["files"].every(isArchivedFile);
}

/** The name is part of a path, so nothing but a file's own name may be in it. */
function isArchivedFile(file: unknown): boolean {
  if (!isObject(file) || typeof file["table"] !== "string" || !/^[a-z_]+$/.test(file["table"])) return false;
  const isCounted = ["rows", "bytes"].every((name) => Number.isInteger(file[name]));
  return isCounted && file["name"] === `${file["table"]}.parquet` && typeof file["sha256"] === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The months that a folder holds, the oldest first. */
export async function listMonths(folder: string): Promise<readonly string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names.filter((name) => /^[0-9]{4}-[0-9]{2}$/.test(name)).sort();
}

/** The folder of a cell's months. Home's months are in the folder itself. */
export function folderOfCell(folder: string, cell: number): string {
  return cell === HOME_CELL ? folder : join(folder, `cell-${cell}`);
}

/** The folders of all cells that an archive has, home first. */
export async function listCellFolders(folder: string): Promise<readonly string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return [
    folder,
    ...names
      .filter((name) => /^cell-[0-9]{1,2}$/.test(name))
      .sort()
      .map((name) => join(folder, name)),
  ];
}
