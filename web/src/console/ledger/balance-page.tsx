import { useQuery } from "@tanstack/react-query";
import { Wallet as WalletIcon } from "lucide-react";
import type { ReactNode } from "react";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { Card } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { BalanceTable } from "./balance-table.tsx";
import { type TrialBalance, trialBalanceQuery, type Wallet } from "./data.ts";
import { Invariants } from "./invariants.tsx";

/** Whether all money is accounted for, and where most of it is. */
export function LedgerBalancePage(): ReactNode {
  const query = useQuery(trialBalanceQuery);
  return (
    <div className="space-y-6">
      <QueryView query={query} skeleton={<SkeletonCard lines={7} />}>
        {(balance) => <BalanceTable balance={balance} />}
      </QueryView>
      <Invariants />
      <QueryView query={query} skeleton={<SkeletonCard lines={5} />}>
        {(balance) => <Heaviest heaviest={balance.heaviest} />}
      </QueryView>
    </div>
  );
}

function Heaviest({ heaviest }: { readonly heaviest: TrialBalance["heaviest"] }): ReactNode {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Heavy
        title="Most available"
        wallets={heaviest.available}
        bucket="available"
        empty="The accounts with most to spend will stand here."
      />
      <Heavy title="Most held" wallets={heaviest.held} bucket="held" empty="Nothing is set aside: no transaction is pending." />
      <div className="lg:col-span-2">
        <Heavy
          title="Below zero, or allowed to be"
          wallets={heaviest.overdraft}
          bucket="available"
          overdraft
          empty="No wallet may go below zero. An overdraft that is granted will stand here."
        />
      </div>
    </div>
  );
}

type HeavyProps = {
  readonly title: string;
  readonly wallets: readonly Wallet[];
  readonly bucket: "available" | "held";
  readonly overdraft?: boolean;
  readonly empty: string;
};

function Heavy({ title, wallets, bucket, overdraft = false, empty }: HeavyProps): ReactNode {
  const columns: readonly Column<Wallet>[] = [
    { header: "Client", cell: (wallet) => wallet.account_name },
    { header: bucket === "held" ? "Held" : "Available", right: true, cell: (wallet) => <Money value={wallet[bucket]} /> },
    ...(overdraft ? [{ header: "May go below by", right: true, cell: (wallet: Wallet) => <Money value={wallet.overdraft} /> }] : []),
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
