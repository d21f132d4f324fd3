import { Outlet } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { transactionsText } from "../messages/en/transactions.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { Money } from "../ui/formats/money.tsx";
import { Time } from "../ui/formats/time.tsx";
import { type Column, ListTable } from "../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../ui/lists/filter-bar.tsx";
import type { List } from "../ui/lists/list.ts";
import type { Selection } from "../ui/lists/selection.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import type { Transaction } from "./transaction.ts";

type Props<Row> = {
  /** Whose transactions the page lists, in a sentence. */
  readonly about: string;
  readonly mayExport: boolean;
  readonly filters: readonly Filter[];
  readonly list: List<Row>;
  /** How many transactions match the filters, where that is known. */
  readonly total: number | undefined;
  readonly columns: readonly Column<Row>[];
  readonly empty: ReactNode;
  /** What the list lacks, between its filters and its rows. */
  readonly notice?: ReactNode;
  /** Boxes with which rows are chosen, and what can be done with them. */
  readonly selection?: Selection | undefined;
  readonly bulk?: ReactNode;
};

/** The page of transactions. A row opens the transaction's drawer, which is a child route as the exports are. */
export function TransactionList<Row extends Transaction>(props: Props<Row>): ReactNode {
  const { about, mayExport, filters, list, total, columns, empty, notice, selection, bulk } = props;
  const exports = (
    <LinkButton to="/transactions/exports" search={true}>
      {transactionsText.exportAsCsv}
    </LinkButton>
  );
  return (
    <>
      <PageHeader title={transactionsText.transactions} {...(mayExport ? { actions: exports } : {})}>
        {about}
      </PageHeader>
      <FilterBar filters={filters} />
      {notice}
      <Card flush>
        {bulk}
        <ListTable
          label={transactionsText.transactions}
          list={list}
          total={total}
          columns={columns}
          rowKey={(row) => row.order_id}
          link={(row) => ({ to: "/transactions/$orderId", params: { orderId: row.order_id }, search: true })}
          selection={selection}
          empty={empty}
        />
      </Card>
      <Outlet />
    </>
  );
}

/** The number that was recharged or paid for, with lines below it and, on narrow screens, the time. */
export function NumberCell({ row, children }: { readonly row: Transaction; readonly children: ReactNode }): ReactNode {
  return (
    <span className="block max-w-44 sm:max-w-52">
      <span className="break-words tabular-nums">{row.account}</span>
      {children}
      <span className="block font-normal text-soft text-xs sm:hidden">
        <Time value={row.created_at} />
      </span>
    </span>
  );
}

export const ORDER_ID_COLUMN: Column<Transaction> = {
  header: transactionsText.orderIdAndUrid,
  wideOnly: true,
  cell: (row) => (
    <span className="block max-w-48 font-mono text-[0.8125rem]">
      {row.order_id}
      <span className="block truncate text-soft text-xs" title={row.urid}>
        {row.urid}
      </span>
    </span>
  ),
};

/** Status, amount and time. On narrow screens the status is below the amount. */
export const LAST_COLUMNS: readonly Column<Transaction>[] = [
  { header: transactionsText.status, wideOnly: true, cell: (row) => <Status value={row.shown} /> },
  {
    header: transactionsText.amount,
    right: true,
    sort: (row) => Number(row.amount),
    cell: (row) => (
      <>
        <Money value={row.amount} />
        <span className="mt-1 block sm:hidden">
          <Status value={row.shown} />
        </span>
      </>
    ),
  },
  {
    header: transactionsText.time,
    right: true,
    wideOnly: true,
    sort: (row) => row.created_at,
    cell: (row) => <Time value={row.created_at} />,
  },
];

export function NoMatchingTransaction({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <EmptyState
      icon={ArrowLeftRight}
      action={
        <LinkButton to="/transactions" search={{}}>
          {transactionsText.clearFilters}
        </LinkButton>
      }
    >
      {children}
    </EmptyState>
  );
}
