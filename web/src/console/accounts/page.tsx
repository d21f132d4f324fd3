import { Outlet, useSearch } from "@tanstack/react-router";
import { Building2, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { OPERATIONS, useMay } from "../session.ts";
import type { Account } from "./account.ts";
import { AccountStatus } from "./account-status.tsx";
import { NewAccount } from "./new-account.tsx";

const COLUMNS: readonly Column<Account>[] = [
  { header: "Name", sort: (account) => account.name, cell: (account) => <Name account={account} /> },
  { header: "Standing", wideOnly: true, cell: (account) => <AccountStatus account={account} /> },
  {
    header: "Balance",
    right: true,
    sort: (account) => Number(account.balance),
    cell: (account) => (
      <>
        <Money value={account.balance} />
        <span className="mt-1 block sm:hidden">
          <AccountStatus account={account} />
        </span>
      </>
    ),
  },
  {
    header: "Held",
    right: true,
    wideOnly: true,
    sort: (account) => Number(account.held),
    cell: (account) => <Money value={account.held} />,
  },
  {
    header: "Created",
    wideOnly: true,
    sort: (account) => account.created_at,
    cell: (account) => <Time value={account.created_at} dayOnly />,
  },
];

const FILTERS: readonly Filter[] = [
  { kind: "search", name: "search", label: "Search", placeholder: "Name or account id" },
  {
    kind: "choice",
    name: "standing",
    label: "Standing",
    options: [
      { value: "active", label: "Active" },
      { value: "paused", label: "Paused" },
      { value: "inactive", label: "Inactive" },
    ],
  },
];

const EXAMPLE = `curl -X POST ${location.origin}/api/operator/v1/accounts \\
  -H "Authorization: Bearer opk_..." -H "Content-Type: application/json" \\
  -d '{"name":"Asha Stores"}'`;

export function AccountsPage(): ReactNode {
  const { search, standing } = useSearch({ from: "/console/accounts" });
  const filters = { search, standing };
  const list = useList("/accounts", filters);
  const isAllowed = useMay(OPERATIONS);
  const [creating, setCreating] = useState(false);
  const make = (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      New account
    </Button>
  );
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Accounts" {...(isAllowed ? { actions: make } : {})}>
        All clients, with their standing and wallet balance.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <ListTable
          label="Accounts"
          list={list}
          columns={COLUMNS}
          rowKey={(account) => account.account_id}
          link={(account) => ({ to: "/accounts/$accountId", params: { accountId: account.account_id }, search: true })}
          empty={
            filtered ? (
              <EmptyState icon={Building2}>No account matches these filters. Change or clear the filters to see more.</EmptyState>
            ) : (
              <NoAccounts />
            )
          }
        />
      </Card>
      {creating && <NewAccount onClose={() => setCreating(false)} />}
      <Outlet />
    </>
  );
}

function NoAccounts(): ReactNode {
  return (
    <EmptyState icon={Building2} code={EXAMPLE} codeTitle="Create an account with the operator API">
      Clients will appear here. Create the first account with “New account”.
    </EmptyState>
  );
}

function Name({ account }: { readonly account: Account }): ReactNode {
  return (
    <span className="block min-w-0">
      <span className="break-words">{account.name}</span> {account.sandbox && <Badge tone="accent">Sandbox</Badge>}
      <code className="block font-mono text-soft text-xs">{account.account_id}</code>
    </span>
  );
}
