import { Outlet, useSearch } from "@tanstack/react-router";
import { Wallet as WalletIcon } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import type { Wallet } from "./data.ts";

const FILTERS: readonly Filter[] = [{ kind: "search", name: "search", label: "Search", placeholder: "Name or account id" }];

/** Every wallet with the balance of each bucket. */
export function LedgerAccountsPage(): ReactNode {
  const search = useSearch({ from: "/console/ledger/accounts" });
  const list = useList("/ledger/wallets", search);
  return (
    <>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Wallets"
          list={list}
          columns={COLUMNS}
          rowKey={(wallet) => wallet.account_id}
          link={(wallet) => ({ to: "/ledger/accounts/$accountId", params: { accountId: wallet.account_id }, search: true })}
          empty={
            <EmptyState icon={WalletIcon}>
              {search.search === undefined
                ? "Wallets will appear here with their first top-up."
                : "No account with a wallet matches this search. Change or clear the search."}
            </EmptyState>
          }
        />
      </Card>
      <Outlet />
    </>
  );
}

const COLUMNS: readonly Column<Wallet>[] = [
  {
    header: "Client",
    cell: (wallet) => (
      <span className="block max-w-44">
        <span className="block truncate" title={wallet.account_name}>
          {wallet.account_name}
        </span>
        <span className="block font-mono font-normal text-soft text-xs">{wallet.account_id}</span>
        {wallet.sandbox && <Badge>Sandbox</Badge>}
      </span>
    ),
  },
  { header: "Available", right: true, cell: (wallet) => <Money value={wallet.available} /> },
  { header: "Held", right: true, wideOnly: true, cell: (wallet) => <Money value={wallet.held} /> },
  { header: "Cleared", right: true, wideOnly: true, cell: (wallet) => <Money value={wallet.cleared} /> },
  { header: "Funding", right: true, wideOnly: true, cell: (wallet) => <Money value={wallet.funding} /> },
  { header: "Fees", right: true, wideOnly: true, cell: (wallet) => <Money value={wallet.fees} /> },
  { header: "Sum", right: true, wideOnly: true, cell: (wallet) => <Money value={wallet.sum} /> },
];
