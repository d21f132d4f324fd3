import { Outlet, useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";
import { STATUS_OPTIONS } from "../../orders/statuses.ts";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { Money } from "../../ui/money.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useList } from "../api.ts";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";
import { firstCallCode } from "../first-call.ts";
import { useMay } from "../session.ts";
import type { Transaction } from "./data.ts";

const REFRESH_MILLISECONDS = 15_000;

export function TransactionsPage(): ReactNode {
  const search = useSearch({ from: "/shell/transactions" });
  const list = useList("/transactions", search, REFRESH_MILLISECONDS);
  const may = useMay("workers");
  const filtered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Transactions"
        {...(may
          ? {
              actions: (
                <LinkButton to="/transactions/exports" search={true}>
                  Export as CSV
                </LinkButton>
              ),
            }
          : {})}
      >
        All transactions of your account, for every service, newest first.
      </PageHeader>
      <FilterBar filters={useFilters()} />
      <Card flush>
        <ListTable
          label="Transactions"
          list={list}
          columns={COLUMNS}
          rowKey={(row) => row.order_id}
          link={(row) => ({ to: "/transactions/$orderId", params: { orderId: row.order_id }, search: true })}
          empty={<Empty filtered={filtered} />}
        />
      </Card>
      <Outlet />
    </>
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
      <span className="block min-w-0">
        <span className="tabular-nums">{row.account}</span>
        <span className="block font-normal text-soft text-xs">{row.operator_name}</span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={row.created_at} />
        </span>
      </span>
    ),
  },
  {
    header: "Order id and urid",
    wideOnly: true,
    cell: (row) => (
      <span className="block max-w-56 font-mono text-[0.8125rem]">
        {row.order_id}
        <span className="block truncate text-soft text-xs" title={row.urid}>
          {row.urid}
        </span>
      </span>
    ),
  },
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

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <EmptyState
        icon={ArrowLeftRight}
        action={
          <LinkButton to="/transactions" search={{}}>
            Clear filters
          </LinkButton>
        }
      >
        No transaction matches these filters. Enter an order id, urid or account in full.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ArrowLeftRight} code={firstCallCode()} codeTitle="A first recharge">
      Recharges, transfers, bills and tickets of your account will appear here. Make a first recharge to see one.
    </EmptyState>
  );
}
