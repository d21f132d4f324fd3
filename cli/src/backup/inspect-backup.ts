import { stat } from "node:fs/promises";
import { DEVELOPMENT_VERSION, isDevelopmentVersion } from "@corprail/server/platform/db/schema/migrate";
import { readMigrations } from "@corprail/server/platform/db/schema/read-schema";
import type { CommandContext } from "../shared/run-command.ts";
import { readBackupFile } from "./backup-file.ts";
import { newlines } from "./copy-out.ts";
import { BrokenBackup, type Frame, KINDS } from "./frames.ts";
import { type Header, parseFrame, parseHeader } from "./header.ts";
import { startProgress } from "./progress.ts";

export type Inspected = { readonly header: Header; readonly rows: number };

/** Reads the whole backup, so that damage is found before anything is written. */
export async function inspectBackup(ctx: CommandContext, path: string): Promise<Inspected> {
  const { size } = await stat(path);
  const progress = startProgress(ctx);
  const seen = { header: null as Header | null, tables: [] as string[], rows: 0, ofTable: 0 };
  const frames = readBackupFile(path, (read) =>
    progress.show(() => `checking the backup: ${Math.floor((100 * read) / Math.max(size, 1))} %`),
  );
  try {
    for await (const frame of frames) takeIn(seen, frame);
  } finally {
    progress.end();
  }
  if (seen.header === null) throw new BrokenBackup("it has no header");
  const wanted = seen.header.tables.map((table) => table.name);
  if (wanted.join() !== seen.tables.join()) throw new BrokenBackup("its tables are not those that its header names");
  return { header: seen.header, rows: seen.rows };
}

type Seen = { header: Header | null; readonly tables: string[]; rows: number; ofTable: number };

function takeIn(seen: Seen, { kind, content }: Frame): void {
  if (kind === KINDS.header) seen.header = parseHeader(content);
  if (kind === KINDS.rows) seen.ofTable += newlines(content);
  if (kind === KINDS.table) {
    seen.tables.push(String(parseFrame(content)));
    seen.ofTable = 0;
  }
  if (kind !== KINDS.tableEnd) return;
  if (Number(content.toString("utf8")) !== seen.ofTable) throw new BrokenBackup(`rows of ${seen.tables.at(-1)} are missing`);
  seen.rows += seen.ofTable;
}

/** Why this version cannot create the backup's schema; null if it can. */
export async function schemaFaultOf({ migrations, corprail }: Header): Promise<string | null> {
  if (isDevelopmentVersion(migrations)) return `It ${DEVELOPMENT_VERSION}`;
  const known = await readMigrations();
  for (const { version, name, checksum } of migrations) {
    const ours = known.find((migration) => migration.version === version);
    if (ours === undefined)
      return `It has migration ${version} (${name}), which this version does not know: restore it with Corprail ${corprail}.`;
    if (ours.checksum !== checksum)
      return `Its migration ${version} (${name}) is another than this version's: restore it with Corprail ${corprail}.`;
  }
  return null;
}
