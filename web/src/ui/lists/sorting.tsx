import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";

type Direction = "ascending" | "descending";
type Sorted<Row> = { readonly header: string; readonly sort?: (row: Row) => string | number };

export type Sorting = {
  readonly isSorted: boolean;
  readonly directionOf: (header: string) => Direction | "none";
  /** Ascending, then descending, then as the list is by itself. */
  readonly press: (header: string) => void;
};

export function useSorting(): Sorting {
  const [by, setBy] = useState<{ readonly header: string; readonly direction: Direction } | null>(null);
  const directionOf = (header: string) => (by?.header === header ? by.direction : "none");
  const press = (header: string) => {
    const before = directionOf(header);
    setBy(before === "descending" ? null : { header, direction: before === "none" ? "ascending" : "descending" });
  };
  return { isSorted: by !== null, directionOf, press };
}

/** The rows in the chosen order. Rows of the same value keep the order of the list. */
export function sortedRows<Row>(
  rows: readonly Row[] | undefined,
  columns: readonly Sorted<Row>[],
  sorting: Pick<Sorting, "directionOf">,
): readonly Row[] | undefined {
  const column = columns.find(({ header }) => sorting.directionOf(header) !== "none");
  const value = column?.sort;
  if (rows === undefined || column === undefined || value === undefined) return rows;
  const sign = sorting.directionOf(column.header) === "ascending" ? 1 : -1;
  return rows.toSorted((one, other) => sign * compare(value(one), value(other)));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
}

export function SortButton({ header, sorting }: { readonly header: string; readonly sorting: Sorting }): ReactNode {
  const direction = sorting.directionOf(header);
  const Icon = direction === "none" ? ArrowUpDown : direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      title={fill(uiText.sortBy, { column: header })}
      className="inline-flex min-h-6 items-center gap-1 font-medium hover:text-ink"
      onClick={() => sorting.press(header)}
    >
      {header}
      <Icon aria-hidden className={direction === "none" ? "size-3 opacity-50" : "size-3"} />
    </button>
  );
}
