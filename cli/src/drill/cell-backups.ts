import { cellName } from "@corprail/server/domain/cells/cell";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { UsageFault } from "../outcome.ts";

/** The base backup and the archived WAL of one cell. */
export type CellBackup = { readonly cell: number; readonly base: string; readonly wal: string };

type Given = {
  readonly base: string;
  readonly wal: string;
  readonly cellBase?: readonly string[];
  readonly cellWal?: readonly string[];
};

/** The backups to restore, home first, and the cells without one. */
export function planDrill(
  given: Given,
  cells: readonly number[],
): { readonly backups: readonly CellBackup[]; readonly unchecked: readonly number[] } {
  const [bases, wals] = [readFolders("--cell-base", given.cellBase), readFolders("--cell-wal", given.cellWal)];
  const others = [...new Set([...bases.keys(), ...wals.keys()])].sort((one, other) => one - other);
  const backups = others.map((cell): CellBackup => {
    const [base, wal] = [bases.get(cell), wals.get(cell)];
    if (cell === HOME_CELL || !cells.includes(cell)) throw new UsageFault(`CORPRAIL_CELLS does not name ${cellName(cell)}.`);
    if (base === undefined || wal === undefined) throw new UsageFault(`Give both --cell-base and --cell-wal for ${cellName(cell)}.`);
    return { cell, base, wal };
  });
  return {
    backups: [{ cell: HOME_CELL, base: given.base, wal: given.wal }, ...backups],
    unchecked: cells.filter((cell) => cell !== HOME_CELL && !others.includes(cell)),
  };
}

function readFolders(option: string, given: readonly string[] = []): ReadonlyMap<number, string> {
  const folders = given.map((text) => {
    const [, cell, folder] = /^([0-9]{1,2})=(.+)$/.exec(text) ?? [];
    if (cell === undefined || folder === undefined) throw new UsageFault(`${option} must be a cell and a folder such as 1=/backup/cell-1.`);
    return [Number(cell), folder] as const;
  });
  return new Map(folders);
}
