import { useQuery } from "@tanstack/react-query";
import { Wallet as WalletIcon } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { BalanceTable } from "./balance-table.tsx";
import { type TrialBalance, trialBalanceQuery, type Wallet } from "./data.ts";
import { Invariants } from "./invariants.tsx";

/** The trial balance, the invariants and the largest wallets. */
export function LedgerBalancePage(): ReactNode {
  const query = useQuery(trialBalanceQuery);
  return (
    <div className="space-y-6">
      <QueryView query={query} skeleton={<SkeletonCard lines={7} />}>
        {(balance) => <BalanceTable balance={balance} />}
      </QueryView>
      <Invariants />
      <QueryView query={query} skeleton={<SkeletonCard lines={5} />}>
        {(balance) => <LargestWallets heaviest={balance.heaviest} />}
      </QueryView>
    </div>
  );
}

function LargestWallets({ heaviest }: { readonly heaviest: TrialBalance["heaviest"] }): ReactNode {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <WalletList
        title="Highest available balance"
        wallets={heaviest.available}
        bucket="available"
        empty="The accounts with the highest available balance will appear here."
      />
      <WalletList
        title="Highest held amount"
        wallets={heaviest.held}
        bucket="held"
        empty="No money is held, because no transaction is pending."
      />
      <div className="lg:col-span-2">
        <WalletList
          title="Overdrafts"
          wallets={heaviest.overdraft}
          bucket="available"
          overdraft
          empty="No wallet has an overdraft. Granted overdrafts will appear here."
        />
      </div>
    </div>
  );
}

type WalletListProps = {
  readonly title: string;
  readonly wallets: readonly Wallet[];
  readonly bucket: "available" | "held";
  readonly overdraft?: boolean;
  readonly empty: string;
};

function WalletList({ title, wallets, bucket, overdraft = false, empty }: WalletListProps): ReactNode {
  const columns: readonly Column<Wallet>[] = [
    { header: "Client", cell: (wallet) => wallet.account_name },
    { header: bucket === "held" ? "Held" : "Available", right: true, cell: (wallet) => <Money value={wallet[bucket]} /> },
    ...(overdraft ? [{ header: "Overdraft limit", right: true, cell: (wallet: Wallet) => <Money value={wallet.overdraft} /> }] : []),
  ];
  return (
    <Card title={title} flush>
      <DataTable
        label={title}
        columns={columns}
        rows={wallets}
        rowKey={(wallet) => wallet.account_id}
        link={(wallet) => ({ to: "/ledger/accounts/$accountId", params: { accountId: wallet.account_id } })}
        empty={<EmptyState icon={WalletIcon}>{empty}</EmptyState>}
      />
    </Card>
  );
}
