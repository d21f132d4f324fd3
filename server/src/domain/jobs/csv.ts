import { stringify } from "csv-stringify/sync";

// A spreadsheet would take such a cell for a formula and run it.
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Lines of a CSV file, ended; no cell of it is a formula. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : stringify(rows.map((row) => row.map(harmless)));
}

function harmless(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}
