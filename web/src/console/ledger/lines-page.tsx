import { Outlet, useSearch } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import type { ReactNode } from "react";
import { LEDGER_KIND_OPTIONS, ledgerKindText } from "../../transactions/ledger-labels.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { Archived } from "../archived.tsx";
import { ACCOUNT_FILTER } from "../clients/account-filter.tsx";
import type { Entry } from "./data.ts";

const FILTERS: readonly Filter[] = [
  ACCOUNT_FILTER,
  { kind: "text", name: "order_id", label: "Order id", placeholder: "01…" },
  { kind: "choice", name: "kind", label: "Kind", options: LEDGER_KIND_OPTIONS },
  { kind: "day", name: "from", label: "From" },
  { kind: "day", name: "to", label: "To" },
];

/** All ledger transfers of all wallets. */
export function LedgerLinesPage(): ReactNode {
  const search = useSearch({ from: "/console/ledger/lines" });
  const list = useList("/ledger/entries", search);
  return (
    <>
      <FilterBar filters={FILTERS} />
      <Archived what="Ledger lines" from="/console/ledger/lines" />
      <Card flush>
        <ListTable
          label="Ledger lines"
          list={list}
          columns={COLUMNS}
          rowKey={(entry) => entry.entry_id}
          link={(entry) => ({ to: "/ledger/lines/$entryId", params: { entryId: entry.entry_id }, search: true })}
          empty={<Empty filtered={Object.keys(search).length > 0} />}
        />
      </Card>
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    header: "Line",
    cell: (entry) => (
      <span className="block">
        {ledgerKindText(entry.kind)}
        <span className="block font-normal text-soft text-xs">
          {entry.from} → {entry.to}
        </span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={entry.at} />
        </span>
      </span>
    ),
  },
  {
    header: "Client",
    wideOnly: true,
    cell: (entry) => (
      <span className="block max-w-44 truncate" title={entry.account_name}>
        {entry.account_name}
      </span>
    ),
  },
  {
    header: "Order or reference",
    wideOnly: true,
    cell: (entry) => (
      <span className="block max-w-48 truncate font-mono text-[0.8125rem]" title={entry.order_id ?? entry.reference ?? ""}>
        {entry.order_id ?? entry.reference}
      </span>
    ),
  },
  { header: "Amount", right: true, sort: (entry) => Number(entry.amount), cell: (entry) => <Money value={entry.amount} /> },
  { header: "Available after", right: true, wideOnly: true, cell: (entry) => <Money value={entry.balance_after} /> },
  { header: "Time", right: true, wideOnly: true, cell: (entry) => <Time value={entry.at} /> },
];

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (!filtered) return <EmptyState icon={BookOpen}>Money movements will appear here, starting with the first top-up.</EmptyState>;
  return (
    <EmptyState
      icon={BookOpen}
      action={
        <LinkButton to="/ledger/lines" search={{}}>
          Clear filters
        </LinkButton>
      }
    >
      No ledger line matches these filters.
    </EmptyState>
  );
}
