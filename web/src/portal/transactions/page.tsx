import { useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { LAST_COLUMNS, NoMatchingTransaction, NumberCell, ORDER_ID_COLUMN, TransactionList } from "../../transactions/list.tsx";
import { STATUS_OPTIONS } from "../../transactions/statuses.ts";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { useList } from "../api.ts";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";
import { firstCallCode } from "../first-call.ts";
import { useMay } from "../session.ts";
import type { Transaction } from "./data.ts";

const REFRESH_MILLISECONDS = 15_000;

export function TransactionsPage(): ReactNode {
  const search = useSearch({ from: "/shell/transactions" });
  return (
    <TransactionList
      about="All transactions of your account, for every service, newest first."
      mayExport={useMay("workers")}
      filters={useFilters()}
      list={useList("/transactions", search, REFRESH_MILLISECONDS)}
      columns={COLUMNS}
      empty={<Empty filtered={Object.keys(search).length > 0} />}
    />
  );
}

function useFilters(): readonly Filter[] {
  return [
    { kind: "search", name: "search", label: "Search", placeholder: "Order id, urid or account" },
    { kind: "choice", name: "status", label: "Status", options: STATUS_OPTIONS },
    { kind: "choice", name: "service", label: "Service", options: useServiceOptions() },
    { kind: "choice", name: "operator", label: "Operator", options: useOperatorOptions() },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ];
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    header: "Account",
    cell: (row) => (
      <NumberCell row={row}>
        <span className="block font-normal text-soft text-xs">{row.operator_name}</span>
      </NumberCell>
    ),
  },
  ORDER_ID_COLUMN,
  ...LAST_COLUMNS,
];

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (filtered) {
    return <NoMatchingTransaction>No transaction matches these filters. Enter an order id, urid or account in full.</NoMatchingTransaction>;
  }
  return (
    <EmptyState icon={ArrowLeftRight} code={firstCallCode()} codeTitle="A first recharge">
      Recharges, transfers, bills and tickets of your account will appear here. Make a first recharge to see one.
    </EmptyState>
  );
}
