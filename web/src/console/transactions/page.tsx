import { useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { transactionsText } from "../../messages/en/transactions.ts";
import { LAST_COLUMNS, NoMatchingTransaction, NumberCell, ORDER_ID_COLUMN, TransactionList } from "../../transactions/list.tsx";
import { useTotal } from "../../transactions/total.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { useSelection } from "../../ui/lists/selection.ts";
import { DATA_MODE } from "../../ui/requests/data-mode.ts";
import { Archived } from "../archived.tsx";
import { BulkOrders } from "../bulk/bulk-orders.tsx";
import { SETTLERS, useMay, WORKERS } from "../session.ts";
import { AssignedName } from "../work/assigned-name.tsx";
import { useOrderFilters } from "./filters.ts";
import type { Order } from "./order.ts";
import { useOrderQueue } from "./queue.ts";

/** Orders of all accounts. */
export function TransactionsPage(): ReactNode {
  const search = useSearch({ from: "/console/transactions" });
  const list = useOrderQueue();
  const selection = useSelection();
  const isSettler = useMay(SETTLERS);
  return (
    <TransactionList
      about="All transactions of all clients and services, newest first."
      mayExport={useMay(WORKERS)}
      filters={useOrderFilters()}
      list={list}
      total={useTotal(search)}
      columns={COLUMNS}
      notice={<Archived what="Transactions" from="/console/transactions" />}
      selection={isSettler ? selection : undefined}
      bulk={isSettler && <BulkOrders selection={selection} search={search} />}
      empty={<Empty filtered={Object.keys(search).length > 0} />}
    />
  );
}

const COLUMNS: readonly Column<Order>[] = [
  {
    header: "Number",
    cell: (row) => (
      <NumberCell row={row}>
        <span className="block font-normal text-soft text-xs">
          {row.operator_name}, {row.service}
        </span>
        <span className="block font-normal text-soft text-xs sm:hidden">{row.account_name}</span>
      </NumberCell>
    ),
  },
  {
    header: "Client",
    wideOnly: true,
    sort: (row) => row.account_name,
    cell: (row) => (
      <span className="block max-w-44">
        <span className="block truncate" title={row.account_name}>
          {row.account_name}
        </span>
        <span className="block font-mono text-soft text-xs">{row.account_id}</span>
      </span>
    ),
  },
  ORDER_ID_COLUMN,
  { header: "Provider", wideOnly: true, leftOutFirst: true, cell: Provider },
  ...LAST_COLUMNS,
];

function Provider(row: Order): ReactNode {
  return (
    <>
      {row.provider}
      <AssignedName userId={row.assigned_to} />
    </>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (!filtered && DATA_MODE === "test") {
    return (
      <EmptyState icon={ArrowLeftRight}>
        Transactions of sandbox accounts will appear here. Make one with a <code className="font-mono">tok_test_</code> token.
      </EmptyState>
    );
  }
  if (!filtered) {
    return (
      <EmptyState icon={ArrowLeftRight} action={<LinkButton to="/accounts">Show accounts</LinkButton>}>
        Recharges, bills, transfers, tickets and withdrawals of all clients will appear here.
      </EmptyState>
    );
  }
  return <NoMatchingTransaction>{transactionsText.noTransactionMatchesTheseFilters}</NoMatchingTransaction>;
}
