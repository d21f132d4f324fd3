import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { cellName } from "@corprail/server/domain/cells/cell";
import { type AccountPlace, readAccountCells } from "@corprail/server/domain/cells/store";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import type { Sql } from "@corprail/server/platform/db/connection";
import type { CommandContext } from "../shared/run-command.ts";
import { BrokenBackup } from "./frames.ts";
import { databaseFault } from "./fresh-place.ts";
import { type Inspected, inspectBackup } from "./inspect-backup.ts";
import { cellFile } from "./make-backup.ts";

type Part = { readonly path: string; readonly inspected: Inspected };
/** The files of a backup: home, and the other cells in the order of their numbers. */
export type Parts = { readonly home: Part; readonly others: readonly Part[]; readonly isFolder: boolean };
/** A file of a cell and the database that it is restored into. */
export type CellTarget = Part & { readonly url: string };

/** Reads the whole backup, a file or the folder of several cells. Returns why it cannot be restored. */
export async function readParts(ctx: CommandContext, path: string): Promise<Parts | string> {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const home = await readPart(ctx, isFolder ? join(path, cellFile(HOME_CELL)) : path);
  if (typeof home === "string") return home;
  const others: Part[] = [];
  for (const cell of isFolder ? home.inspected.header.other_cells : []) {
    const part = await readPart(ctx, join(path, cellFile(cell)));
    if (typeof part === "string") return part;
    others.push(part);
  }
  return { home, others, isFolder };
}

async function readPart(ctx: CommandContext, path: string): Promise<Part | string> {
  if (!existsSync(path)) return `${path} cannot be restored: there is no such file.`;
  try {
    return { path, inspected: await inspectBackup(ctx, path) };
  } catch (error) {
    if (error instanceof BrokenBackup) return `${path} cannot be restored: ${error.message}.`;
    throw error;
  }
}

/** Why the files do not fit together, or not CORPRAIL_CELLS; null if they do. */
export function cellsFault({ config }: CommandContext, { home, others, isFolder }: Parts): string | null {
  const { header } = home.inspected;
  if (!isFolder && (header.cell !== HOME_CELL || header.other_cells.length > 0))
    return `This file is ${cellName(header.cell)} of a backup of several cells. Name the folder that it was made in.`;
  const wrong = [home, ...others].find(({ inspected }, place) => {
    const { cell, backup_id, installation_id } = inspected.header;
    const wanted = [HOME_CELL, ...header.other_cells][place];
    return cell !== wanted || backup_id !== header.backup_id || installation_id !== header.installation_id;
  });
  if (wrong) return `${wrong.path} does not belong to this backup. Nothing was restored.`;
  const named = config.cells.map(({ cell }) => cell);
  if (named.join() === header.other_cells.join()) return null;
  const needed = header.other_cells.length === 0 ? "no cells" : header.other_cells.map(cellName).join(", ");
  return `The backup has ${needed} beside home. Set CORPRAIL_CELLS to an empty database for each of them, and to no other.`;
}

/** The databases of the cells. Their numbers are those of CORPRAIL_CELLS. */
export function targetsOf({ config }: CommandContext, { others }: Parts): readonly CellTarget[] {
  return others.flatMap((part) => {
    const address = config.cells.find(({ cell }) => cell === part.inspected.header.cell);
    return address ? [{ ...part, url: address.url }] : [];
  });
}

/** Why a cell cannot be restored where CORPRAIL_CELLS says; null if all its databases are empty. */
export async function cellPlaceFault(targets: readonly CellTarget[]): Promise<string | null> {
  for (const { url, inspected } of targets) {
    const fault = await databaseFault(url, inspected.header, `of ${cellName(inspected.header.cell)}`);
    if (fault !== null) return fault;
  }
  return null;
}

export type Misplaced = {
  /** Accounts whose rows are in another cell than home records, so that they cannot be used. */
  readonly lost: readonly string[];
  /** Accounts that home says to be in a cell, but that no cell has. */
  readonly missing: readonly string[];
};

/** Compares where home says that accounts are with where they are. Home is first. */
export async function findMisplaced(all: readonly Sql[]): Promise<Misplaced> {
  const [home] = all;
  const cells = home ? await readAccountCells(home, "all") : new Map<string, AccountPlace>();
  const [lost, found] = [new Set<string>(), new Set<string>()];
  for (const sql of all) {
    const own = await sql<{ account_id: string; cell: number }[]>`
      select account_id, (select cell::int from installation) as cell from accounts`;
    for (const { account_id, cell } of own) {
      found.add(account_id);
      if ((cells.get(account_id)?.cell ?? HOME_CELL) !== cell) lost.add(account_id);
    }
  }
  return { lost: [...lost], missing: [...cells.keys()].filter((accountId) => !found.has(accountId)) };
}
