import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../../operator-api.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Money } from "../../../ui/formats/money.tsx";
import { Time } from "../../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { Card, Notice, Stat } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../../ui/skeleton.tsx";
import { get } from "../../api.ts";
import { whoText } from "../../approvals/approval.ts";
import { MONEY, OPERATIONS, useMay } from "../../session.ts";
import type { Account } from "../account.ts";
import { SettingRow } from "../settings/setting-row.tsx";
import { WALLET_SETTING } from "../settings/settings.ts";
import { MoveMoney } from "./move-money.tsx";

type Entry = Schemas["WalletEntry"];

export function WalletTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const [mayMove, maySuspend] = [useMay(MONEY) && open, useMay(OPERATIONS) && open];
  const [moving, setMoving] = useState<"topup" | "debit" | null>(null);
  const query = useQuery({
    queryKey: ["/accounts", account.account_id, "wallet"],
    queryFn: ({ signal }) => get("/accounts/:account_id/wallet", { account_id: account.account_id }, signal),
  });
  return (
    <div className="space-y-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <Stat label="Balance" note="Available to spend.">
          <Money value={query.data?.balance ?? account.balance} />
        </Stat>
        <Stat label="Held" note="Reserved for pending orders.">
          <Money value={query.data?.held ?? account.held} />
        </Stat>
      </div>
      {mayMove && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => setMoving("topup")}>
            Top up
          </Button>
          <Button onClick={() => setMoving("debit")}>Debit</Button>
        </div>
      )}
      <WaitingApprovals accountId={account.account_id} />
      <Card title="State">
        <SettingRow account={account} setting={WALLET_SETTING} isAllowed={maySuspend} />
      </Card>
      <Card
        title="Latest entries"
        flush
        actions={
          <>
            <LinkButton to="/ledger/lines" search={{ account_id: account.account_id }}>
              All entries
            </LinkButton>
            <LinkButton to="/statements" search={{ account_id: account.account_id }}>
              Statements
            </LinkButton>
          </>
        }
      >
        <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
          {({ entries }) => (
            <DataTable
              label="Latest entries"
              columns={COLUMNS}
              rows={entries}
              rowKey={(entry) => entry.entry_id}
              empty={<EmptyState>Changes to the balance will appear here, starting with the first top-up.</EmptyState>}
            />
          )}
        </QueryView>
      </Card>
      {moving !== null && <MoveMoney account={account} movement={moving} onClose={() => setMoving(null)} />}
    </div>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { header: "Entry", cell: (entry) => <EntryName entry={entry} /> },
  { header: "When", wideOnly: true, cell: (entry) => <Time value={entry.at} /> },
  { header: "Amount", right: true, cell: (entry) => <Money value={entry.amount} /> },
  { header: "Balance after", right: true, wideOnly: true, cell: (entry) => <Money value={entry.balance_after} /> },
];

const KINDS: Readonly<Record<string, string>> = {
  topup: "Top-up",
  debit: "Debit",
  hold: "Order",
  void: "Order failed",
  reversal: "Reversal",
  refund: "Refund",
  credit: "AEPS credit",
  credit_back: "AEPS credit reversed",
  fee_return: "Fee returned",
  commission: "Commission",
  commission_back: "Commission reversed",
};

function EntryName({ entry }: { readonly entry: Entry }): ReactNode {
  return (
    <span className="block min-w-0">
      {KINDS[entry.kind] ?? entry.kind}
      <span className="block break-words text-soft text-xs">
        {entry.order_id === null ? (
          entry.note
        ) : (
          <Link to="/transactions/$orderId" params={{ orderId: entry.order_id }} className="link font-mono">
            {entry.order_id}
          </Link>
        )}
      </span>
    </span>
  );
}

/** Top-ups and debits of this wallet that wait for approval. */
function WaitingApprovals({ accountId }: { readonly accountId: string }): ReactNode {
  const query = useQuery({
    queryKey: ["/approvals", "of", accountId],
    queryFn: ({ signal }) => get("/approvals", { account_id: accountId, kind: "wallet", state: "waiting" }, signal),
  });
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Notice>
      <p className="font-medium">Waiting for approval</p>
      <ul className="mt-1 space-y-1">
        {items.map((approval) => (
          <li key={approval.approval_id}>
            <Link to="/approvals/$approvalId" params={{ approvalId: approval.approval_id }} className="link">
              {approval.amount?.startsWith("-") ? "Debit" : "Top-up"} of <Money value={(approval.amount ?? "0").replace("-", "")} />
            </Link>{" "}
            requested by {whoText(approval.made_by, approval.made_by_name)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
