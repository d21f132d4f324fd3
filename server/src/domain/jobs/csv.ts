import { stringify } from "csv-stringify/sync";

// A spreadsheet would execute such a cell as a formula.
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Lines of a CSV file with line endings. No cell is a formula. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : stringify(rows.map((row) => row.map(harmless)));
}

function harmless(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}
