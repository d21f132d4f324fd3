import { MAX_CELL } from "../../platform/core/ids.ts";
import { parseDatabaseUrl } from "../../platform/db/servers/database-url.ts";

/** A cell beside home, and where its database is. */
export type CellAddress = { readonly cell: number; readonly url: string };

/** Reads CORPRAIL_CELLS: number=address, with spaces between, because an address may contain commas. Null if it is malformed. */
export function readCells(text: string): readonly CellAddress[] | null {
  const cells = text.split(/\s+/).map(readCell);
  if (!cells.every((one) => one !== null)) return null;
  return new Set(cells.map(({ cell }) => cell)).size === cells.length ? cells.toSorted((a, b) => a.cell - b.cell) : null;
}

function readCell(text: string): CellAddress | null {
  const [, digits, url = ""] = /^([1-9][0-9]?)=(.+)$/.exec(text) ?? [];
  const cell = Number(digits);
  return cell <= MAX_CELL && parseDatabaseUrl(url) !== null ? { cell, url } : null;
}

/** How staff and logs call a cell. */
export function cellName(cell: number): string {
  return cell === 0 ? "home" : `cell ${cell}`;
}
