import { useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { transactionsText } from "../../messages/en/transactions.ts";
import { LAST_COLUMNS, NoMatchingTransaction, NumberCell, ORDER_ID_COLUMN, TransactionList } from "../../transactions/list.tsx";
import { STATUS_OPTIONS } from "../../transactions/statuses.ts";
import { useTotal } from "../../transactions/total.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import type { Filter } from "../../ui/lists/filter-bar.tsx";
import { useList } from "../api.ts";
import { Archived } from "../archived.tsx";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";
import { firstCallCode } from "../first-call.ts";
import { useMay } from "../session.ts";
import type { Transaction } from "./data.ts";

const REFRESH_MILLISECONDS = 15_000;

export function TransactionsPage(): ReactNode {
  const search = useSearch({ from: "/shell/transactions" });
  return (
    <TransactionList
      about={transactionsText.allTransactionsOfYourAccount}
      mayExport={useMay("workers")}
      filters={useFilters()}
      list={useList("/transactions", search, REFRESH_MILLISECONDS)}
      total={useTotal(search)}
      columns={COLUMNS}
      notice={<Archived what={transactionsText.transactions} from="/shell/transactions" />}
      empty={<Empty filtered={Object.keys(search).length > 0} />}
    />
  );
}

function useFilters(): readonly Filter[] {
  return [
    { kind: "search", name: "search", label: transactionsText.search, placeholder: transactionsText.orderIdUridOrNumber },
    { kind: "choice", name: "status", label: transactionsText.status, options: STATUS_OPTIONS },
    { kind: "choice", name: "service", label: transactionsText.service, options: useServiceOptions() },
    { kind: "choice", name: "operator", label: transactionsText.operator, options: useOperatorOptions() },
    { kind: "day", name: "from", label: transactionsText.from },
    { kind: "day", name: "to", label: transactionsText.to },
  ];
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    header: transactionsText.number,
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
    return <NoMatchingTransaction>{transactionsText.noTransactionMatchesTheseFilters}</NoMatchingTransaction>;
  }
  return (
    <EmptyState icon={ArrowLeftRight} code={firstCallCode()} codeTitle={transactionsText.aFirstRecharge}>
      {transactionsText.rechargesTransfersBillsAndTickets}
    </EmptyState>
  );
}
