import { useSearch } from "@tanstack/react-router";
import { ReceiptIndianRupee } from "lucide-react";
import type { ReactNode } from "react";
import { walletText } from "../../messages/en/wallet.ts";
import { serverText } from "../../messages/server-text.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { Archived } from "../archived.tsx";
import { type Line, TYPE_OPTIONS, typeText } from "./data.ts";
import { StatementTotals } from "./statement-totals.tsx";

const REFRESH_MILLISECONDS = 15_000;
const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "type", label: walletText.type, options: TYPE_OPTIONS },
  { kind: "day", name: "from", label: walletText.from },
  { kind: "day", name: "to", label: walletText.to },
];

export function Statement(): ReactNode {
  const search = useSearch({ from: "/shell/wallet" });
  const list = useList("/statement", search, REFRESH_MILLISECONDS);
  const filtered = Object.keys(search).length > 0;
  return (
    <section aria-labelledby="statement">
      <h2 id="statement" className="mb-3 text-base font-semibold">
        {walletText.statement}
      </h2>
      <FilterBar filters={FILTERS} />
      <Archived what={walletText.statementLines} from="/shell/wallet" />
      <Card flush>
        <ListTable
          label={walletText.statement}
          list={list}
          columns={COLUMNS}
          rowKey={(row) => row.entry_id}
          link={(row) => ({ to: "/wallet/$entryId", params: { entryId: row.entry_id }, search: true, resetScroll: false })}
          empty={<Empty filtered={filtered} />}
        />
      </Card>
      {list.rows !== undefined && list.rows.length > 0 && (
        <StatementTotals rows={list.rows} isWhole={!list.hasMore} hasClosing={search.type === undefined} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    header: walletText.description,
    cell: (row) => (
      <span className="block min-w-0 max-w-96">
        <span className="block break-words">{row.narration === "" ? typeText(row.type) : serverText(row.narration)}</span>
        <span className="block font-normal text-soft text-xs sm:hidden">
          <Time value={row.at} />
        </span>
      </span>
    ),
  },
  { header: walletText.type, wideOnly: true, cell: (row) => <Badge>{typeText(row.type)}</Badge> },
  { header: walletText.time, wideOnly: true, cell: (row) => <Time value={row.at} /> },
  { header: walletText.amount, right: true, cell: (row) => <Signed value={row.amount} /> },
  { header: walletText.balanceAfter, right: true, wideOnly: true, cell: (row) => <Money value={row.balance_after} /> },
];

/** A signed amount. Credits are highlighted; debits have a minus sign. */
export function Signed({ value }: { readonly value: string }): ReactNode {
  return value.startsWith("-") ? (
    <Money value={value} />
  ) : (
    <span className="whitespace-nowrap text-good">
      <span className="select-none">+</span>
      <Money value={value} />
    </span>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  return filtered ? (
    <EmptyState icon={ReceiptIndianRupee}>{walletText.noStatementLineMatchesThese}</EmptyState>
  ) : (
    <EmptyState icon={ReceiptIndianRupee} code={CODE} codeTitle={walletText.readTheStatementWithThe}>
      {walletText.changesToYourBalanceWill}
    </EmptyState>
  );
}

const CODE = [`curl ${location.origin}/api/corp/v1/statement \\`, `  -H "X-Api-Token: YOUR_API_TOKEN"`].join("\n");
