import { resolve } from "node:path";
import { cellName } from "@corprail/server/domain/cells/cell";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { UsageFault } from "../shared/outcome.ts";

/** The base backup of one cell, and the command with which PostgreSQL fetches its archived WAL (`restore_command`). */
export type CellBackup = { readonly cell: number; readonly base: string; readonly restoreCommand: string };

export type GivenBackups = {
  readonly base: string;
  /** A folder with plain WAL files. */
  readonly wal?: string;
  readonly restoreCommand?: string;
  readonly cellBase?: readonly string[];
  readonly cellWal?: readonly string[];
  readonly cellRestoreCommand?: readonly string[];
};

/** The backups to restore, home first, and the cells without one. */
export function planDrill(
  given: GivenBackups,
  cells: readonly number[],
): { readonly backups: readonly CellBackup[]; readonly unchecked: readonly number[] } {
  const bases = readByCell("--cell-base", given.cellBase);
  const wals = readByCell("--cell-wal", given.cellWal);
  const commands = readByCell("--cell-restore-command", given.cellRestoreCommand);
  const others = [...new Set([...bases.keys(), ...wals.keys(), ...commands.keys()])].sort((one, other) => one - other);
  const backups = others.map((cell): CellBackup => {
    const base = bases.get(cell);
    if (cell === HOME_CELL || !cells.includes(cell)) throw new UsageFault(`CORPRAIL_CELLS does not name ${cellName(cell)}.`);
    if (base === undefined) throw new UsageFault(`Give --cell-base for ${cellName(cell)}.`);
    const options = `--cell-wal or --cell-restore-command for ${cellName(cell)}`;
    return { cell, base, restoreCommand: restoreCommandOf(wals.get(cell), commands.get(cell), options) };
  });
  const ofHome = restoreCommandOf(given.wal, given.restoreCommand, "--wal or --restore-command");
  return {
    backups: [{ cell: HOME_CELL, base: given.base, restoreCommand: ofHome }, ...backups],
    unchecked: cells.filter((cell) => cell !== HOME_CELL && !others.includes(cell)),
  };
}

function restoreCommandOf(wal: string | undefined, command: string | undefined, options: string): string {
  if ((wal === undefined) === (command === undefined)) throw new UsageFault(`Give one of ${options}.`);
  return command ?? `cp "${resolve(wal ?? "")}/%f" "%p"`;
}

function readByCell(option: string, given: readonly string[] = []): ReadonlyMap<number, string> {
  const values = given.map((text) => {
    const [, cell, value] = /^([0-9]{1,2})=(.+)$/.exec(text) ?? [];
    if (cell === undefined || value === undefined)
      throw new UsageFault(`${option} must begin with a cell's number, such as 1=/backup/cell-1.`);
    return [Number(cell), value] as const;
  });
  return new Map(values);
}
