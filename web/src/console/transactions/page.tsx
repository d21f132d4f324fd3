import { Outlet, useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { useList } from "../../ui/list.ts";
import { Money } from "../../ui/money.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useMay, WORKERS } from "../session.ts";
import { orderQueryOf, useOrderFilters } from "./filters.ts";
import type { Order } from "./order.ts";

const REFRESH_MILLISECONDS = 15_000;

/** Orders of all accounts. */
export function TransactionsPage(): ReactNode {
  const search = useSearch({ from: "/console/transactions" });
  const list = useList<Order>("/orders", orderQueryOf(search), REFRESH_MILLISECONDS);
  const may = useMay(WORKERS);
  const filters = useOrderFilters();
  const actions = may ? (
    <LinkButton to="/transactions/exports" search={true}>
      Export as CSV
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader title="Transactions" {...(actions === undefined ? {} : { actions })}>
        All transactions of all clients and services, newest first.
      </PageHeader>
      <FilterBar filters={filters} />
      <Card flush>
        <ListTable
          label="Transactions"
          list={list}
          columns={COLUMNS}
          rowKey={(row) => row.order_id}
          link={(row) => ({ to: "/transactions/$orderId", params: { orderId: row.order_id }, search: true })}
          empty={<Empty filtered={Object.keys(search).length > 0} cutOff={list.hasMore} />}
        />
      </Card>
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Order>[] = [
  {
    header: "Number",
    cell: (row) => (
      <span className="block min-w-0">
        <span className="tabular-nums">{row.account}</span>
        <span className="block font-normal text-soft text-xs">
          {row.operator_name}, {row.service}
        </span>
        <span className="block font-normal text-soft text-xs sm:hidden">{row.account_name}</span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={row.created_at} />
        </span>
      </span>
    ),
  },
  {
    header: "Client",
    wideOnly: true,
    cell: (row) => (
      <span className="block max-w-44">
        <span className="block truncate" title={row.account_name}>
          {row.account_name}
        </span>
        <span className="block font-mono text-soft text-xs">{row.account_id}</span>
      </span>
    ),
  },
  {
    header: "Order id and urid",
    wideOnly: true,
    cell: (row) => (
      <span className="block max-w-48 font-mono text-[0.8125rem]">
        {row.order_id}
        <span className="block truncate text-soft text-xs" title={row.urid}>
          {row.urid}
        </span>
      </span>
    ),
  },
  { header: "Provider", wideOnly: true, cell: (row) => row.provider },
  { header: "Status", wideOnly: true, cell: (row) => <Status value={row.shown} /> },
  {
    header: "Amount",
    right: true,
    cell: (row) => (
      <>
        <Money value={row.amount} />
        <span className="mt-1 block sm:hidden">
          <Status value={row.shown} />
        </span>
      </>
    ),
  },
  { header: "Time", right: true, wideOnly: true, cell: (row) => <Time value={row.created_at} /> },
];

function Empty({ filtered, cutOff }: { readonly filtered: boolean; readonly cutOff: boolean }): ReactNode {
  if (!filtered) {
    return (
      <EmptyState icon={ArrowLeftRight} action={<LinkButton to="/accounts">Show accounts</LinkButton>}>
        Recharges, bills, transfers, tickets and withdrawals of all clients will appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ArrowLeftRight}
      action={
        <LinkButton to="/transactions" search={{}}>
          Clear filters
        </LinkButton>
      }
    >
      {cutOff
        ? "None of the latest transactions matches these filters. Load more to search older ones."
        : "No transaction matches these filters. Enter the search term in full."}
    </EmptyState>
  );
}
