import { BrokenBackup } from "./frames.ts";
import type { Sequence, Table } from "./tables.ts";

export type AppliedMigration = { readonly version: number; readonly name: string; readonly checksum: string };

/** The header of a backup. */
export type Header = {
  readonly corprail: string;
  readonly taken_at: string;
  readonly postgres: string;
  readonly installation_id: string;
  /** The files of one backup of several cells have the same. */
  readonly backup_id: string;
  /** The cell whose database it is. 0 is home. */
  readonly cell: number;
  /** The cells beside home that the installation has. Each has a file of its own. */
  readonly other_cells: readonly number[];
  /** The keys that its secrets are sealed with; two during a rotation. */
  readonly master_key_ids: readonly string[];
  /** The content of the key file, if --with-master-key was given. */
  readonly master_key: string | null;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly Table[];
  /** The partitions that the rows were in, which are made again before the rows are restored. */
  readonly partitions: readonly string[];
  readonly sequences: readonly Sequence[];
};

const TEXTS = ["corprail", "taken_at", "postgres", "installation_id", "backup_id"] as const;

/** Validates the header's format. The checksum is verified separately. */
export function parseHeader(content: Buffer): Header {
  const value = parseFrame(content);
  if (isHeader(value)) return value;
  throw new BrokenBackup("its header is not one that this version knows");
}

/** Parses a frame's JSON, which is read before the checksum is verified. */
export function parseFrame(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    throw new BrokenBackup("it was changed after it was written");
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== "object" || value === null) return false;
  const header = value as Readonly<Record<string, unknown>>;
  const key = header["master_key"];
  return (
    TEXTS.every((name) => typeof header[name] === "string") &&
    (key === null || typeof key === "string") &&
    Number.isInteger(header["cell"]) &&
    isNumbers(header["other_cells"]) &&
    isTexts(header["master_key_ids"]) &&
    isListOf(header["migrations"], (one) => Number.isInteger(one["version"]) && areTexts(one, ["name", "checksum"])) &&
    isTexts(header["partitions"]) &&
    isListOf(header["tables"], (one) => typeof one["name"] === "string" && isTexts(one["columns"])) &&
    isListOf(header["sequences"], (one) => areTexts(one, ["name", "last"]))
  );
}

function isListOf(value: unknown, test: (one: Readonly<Record<string, unknown>>) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && test(one));
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => Number.isInteger(one));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function areTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}
