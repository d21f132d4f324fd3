import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ledgerKindText } from "../../transactions/ledger-labels.ts";
import { Code } from "../../ui/formats/copy.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Entry, entryQuery } from "./data.ts";

export function EntryDrawer(): ReactNode {
  const { entryId } = useParams({ from: "/console/ledger/lines/$entryId" });
  const navigate = useNavigate();
  const query = useQuery(entryQuery(entryId));
  return (
    <Drawer title={`Ledger line ${entryId}`} onClose={() => void navigate({ to: "/ledger/lines", search: true })}>
      <QueryView query={query} skeleton={<SkeletonCard lines={7} />}>
        {(entry) => <Facts facts={factsOf(entry)} />}
      </QueryView>
    </Drawer>
  );
}

function factsOf(entry: Entry): readonly (readonly [string, ReactNode])[] {
  return [
    ["Kind", ledgerKindText(entry.kind)],
    ["Amount", <Money key="amount" value={entry.amount} />],
    ["From and to", `${entry.from} → ${entry.to}`],
    ["Available after", <Money key="after" value={entry.balance_after} />],
    [
      "Client",
      <Link key="client" to="/ledger/accounts/$accountId" params={{ accountId: entry.account_id }} className="link">
        {entry.account_name}
      </Link>,
    ],
    ["Number in the wallet", String(entry.seq)],
    ...(entry.order_id === null
      ? []
      : [
          [
            "Transaction",
            <Link key="order" to="/transactions/$orderId" params={{ orderId: entry.order_id }} className="link font-mono">
              {entry.order_id}
            </Link>,
          ] as const,
        ]),
    ...(entry.reference === null ? [] : [["Reference", <Code key="reference" text={entry.reference} />] as const]),
    ...(entry.note === "" ? [] : [["Note", entry.note] as const]),
    ["When", <Time key="at" value={entry.at} />],
  ];
}
