import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../button.tsx";
import { classes } from "../classes.ts";
import { ErrorCard } from "../error-card.tsx";
import { Skeleton } from "../skeleton.tsx";
import { useLeftOutColumns } from "./fitting-columns.ts";
import type { List } from "./list.ts";
import { ListTools, useColumns } from "./list-tools.tsx";
import { SearchOlder } from "./search-older.tsx";
import type { Selection } from "./selection.ts";
import { SortButton, type Sorting, sortedRows, useSorting } from "./sorting.tsx";

export type Column<Row> = {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, for money and counts. */
  readonly right?: boolean;
  /** Hidden on narrow screens; the drawer shows the value. */
  readonly wideOnly?: boolean;
  /** Of the columns that narrow screens lack, the first to be left out when the table does not fit. */
  readonly leftOutFirst?: boolean;
  /** The value by which the rows can be sorted. */
  readonly sort?: (row: Row) => string | number;
};

type DataTableProps<Row> = {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** The link that a row opens. The first cell is a real link that covers the row. */
  readonly link?: (row: Row) => LinkProps;
  /** Boxes with which rows are chosen. */
  readonly selection?: Selection | undefined;
  /** How the rows are sorted, and the change of it. Without it the headers are no buttons. */
  readonly sorting?: Sorting | undefined;
  /** Shown instead of the table when there is no row. */
  readonly empty: ReactNode;
};

/** A table that always fits if its rows have drawers: columns without room are left out and named below it. */
export function DataTable<Row>({ empty, ...table }: DataTableProps<Row>): ReactNode {
  return table.rows?.length === 0 ? empty : <FittingTable {...table} />;
}

type TableProps<Row> = Omit<DataTableProps<Row>, "empty">;

function FittingTable<Row>({ columns, ...table }: TableProps<Row>): ReactNode {
  const scroller = useRef<HTMLElement>(null);
  const { rows, rowKey, link } = table;
  const contents = [...columns.map(({ header }) => header), ...(rows?.map(rowKey) ?? [])].join("\n");
  // Without a drawer the values would be nowhere.
  const leftOut = useLeftOutColumns(scroller, link ? columns : [], contents);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section ref={scroller} aria-label={table.label} tabIndex={0} className="relative overflow-x-auto">
      <Table {...table} columns={columns.filter(({ header }) => !leftOut.includes(header))} />
      {leftOut.length > 0 && (
        <p className="hidden border-line border-t px-5 py-2 text-soft text-xs sm:block">
          {fill(uiText.columnsLeftOut, { columns: leftOut.join(", ") })}
        </p>
      )}
    </section>
  );
}

function Table<Row>({ label, columns, rows, rowKey, link, selection, sorting }: TableProps<Row>): ReactNode {
  return (
    <table className="w-full border-collapse text-left" aria-busy={rows === undefined}>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-line border-y bg-sunken text-soft text-xs">
          {selection && <SelectAll selection={selection} keys={rows?.map(rowKey) ?? []} />}
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={cellClass(column, "py-2 font-medium")}
              {...(sorting && column.sort ? { "aria-sort": sorting.directionOf(column.header) } : {})}
            >
              {sorting && column.sort ? <SortButton header={column.header} sorting={sorting} /> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns} selectable={selection !== undefined} />)
          : rows.map((row) => (
              <Row
                key={rowKey(row)}
                row={row}
                columns={columns}
                box={selection && <SelectRow selection={selection} name={rowKey(row)} />}
                {...(link ? { link: link(row) } : {})}
              />
            ))}
      </tbody>
    </table>
  );
}

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

function cellClass<Row>(column: Column<Row>, more: string): string {
  return classes(
    "px-2 first:pl-3 last:pr-3 sm:px-3 sm:first:pl-5 sm:last:pr-5",
    column.right && "text-right",
    column.wideOnly && "hidden sm:table-cell",
    more,
  );
}

function SelectAll({ selection, keys }: { readonly selection: Selection; readonly keys: readonly string[] }): ReactNode {
  const isOn = keys.length > 0 && keys.every((key) => selection.keys.has(key));
  return (
    <th scope="col" className="w-9 pl-3 sm:pl-4">
      <Box label={uiText.selectAllRows} isOn={isOn} disabled={keys.length === 0} onChange={(on) => selection.set(keys, on)} />
    </th>
  );
}

function SelectRow({ selection, name }: { readonly selection: Selection; readonly name: string }): ReactNode {
  return <Box label={fill(uiText.select, { name })} isOn={selection.keys.has(name)} onChange={(on) => selection.set([name], on)} />;
}

type BoxProps = { readonly label: string; readonly isOn: boolean; readonly disabled?: boolean; readonly onChange: (on: boolean) => void };

/** Above the link that covers the row. */
function Box({ label, isOn, disabled = false, onChange }: BoxProps): ReactNode {
  return (
    <label className="relative z-10 inline-flex size-8 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={label}
        className="size-4 accent-accent"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

type SkeletonProps<Row> = { readonly columns: readonly Column<Row>[]; readonly selectable: boolean };

function SkeletonRow<Row>({ columns, selectable }: SkeletonProps<Row>): ReactNode {
  return (
    <tr className="h-12 border-line border-b last:border-b-0">
      {selectable && <td />}
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column, "py-2")}>
          <Skeleton className={column.right ? "max-w-20" : "max-w-36"} />
        </td>
      ))}
    </tr>
  );
}

function Row<Row>({
  row,
  columns,
  box,
  link,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly box?: ReactNode;
  readonly link?: LinkProps;
}): ReactNode {
  return (
    <tr
      className={classes("relative h-12 border-line border-b last:border-b-0", link && "hover:bg-sunken has-[a:focus-visible]:bg-sunken")}
    >
      {box !== undefined && <td className="w-9 pl-3 sm:pl-4">{box}</td>}
      {columns.map((column, index) => (
        <td key={column.header} className={cellClass(column, "py-2")}>
          {index === 0 && link ? (
            <Link {...link} className="font-medium after:absolute after:inset-0">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

// A count and a choice of columns help nobody who sees the whole list at a glance.
const FEWEST_FOR_TOOLS = 6;

type ListTableProps<Row> = Omit<DataTableProps<Row>, "rows" | "sorting"> & {
  readonly list: List<Row>;
  readonly total?: number | undefined;
};

/** A table of a useList result with its skeleton, error, count, choice of columns, sorting and "Load more" button. */
export function ListTable<Row>({ list, total, columns, ...table }: ListTableProps<Row>): ReactNode {
  const chosen = useColumns(table.label, columns);
  const sorting = useSorting();
  if (list.error) {
    return (
      <div className="p-5">
        <ErrorCard error={list.error} onRetry={list.refetch} />
      </div>
    );
  }
  if (list.rows?.length === 0 && list.hasMore) return <SearchOlder list={list} />;
  return (
    <>
      {list.rows !== undefined && (list.hasMore || list.rows.length >= FEWEST_FOR_TOOLS) && (
        <ListTools chosen={chosen} count={list.rows.length} total={total} hasMore={list.hasMore} isSorted={sorting.isSorted} />
      )}
      <DataTable {...table} columns={chosen.columns} rows={sortedRows(list.rows, columns, sorting)} sorting={sorting} />
      {list.hasMore && (
        <div className="border-line border-t p-3 text-center">
          <Button busy={list.loadingMore} onClick={list.loadMore}>
            {uiText.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
