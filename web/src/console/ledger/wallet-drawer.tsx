import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText, isNonZero } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { BUCKETS, type Wallet, walletQuery } from "./data.ts";

export function WalletDrawer(): ReactNode {
  const { accountId } = useParams({ from: "/console/ledger/accounts/$accountId" });
  const navigate = useNavigate();
  const query = useQuery(walletQuery(accountId));
  return (
    <Drawer
      title={query.data?.account_name ?? "Wallet"}
      onClose={() => void navigate({ to: "/ledger/accounts", search: true })}
      footer={
        <>
          <LinkButton to="/accounts/$accountId" params={{ accountId }}>
            Show account
          </LinkButton>
          <LinkButton to="/ledger/lines" search={{ account_id: accountId }}>
            Show ledger lines
          </LinkButton>
        </>
      }
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={7} />}>
        {(wallet) =>
          wallet === null ? (
            <ErrorCard error={new ApiError(404, "not_found", "This account has no wallet yet. The first top-up creates it.")} />
          ) : (
            <Facts facts={factsOf(wallet)} />
          )
        }
      </QueryView>
    </Drawer>
  );
}

function factsOf(wallet: Wallet): readonly (readonly [string, ReactNode])[] {
  return [
    ["Account id", <Code key="id" text={wallet.account_id} />],
    ...BUCKETS.map(({ bucket, name, description }): readonly [string, ReactNode] => [
      name,
      <span key={bucket} className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Money value={wallet[bucket]} />
        <span className="text-soft text-xs">{description}</span>
      </span>,
    ]),
    [
      "Sum",
      <span key="sum" className="flex flex-wrap items-center gap-3 font-semibold">
        <Money value={wallet.sum} />
        {isNonZero(wallet.sum) ? <Badge tone="bad">Not balanced</Badge> : <Badge tone="good">Balanced</Badge>}
      </span>,
    ],
    ["Overdraft limit", <Money key="overdraft" value={wallet.overdraft} />],
    ["Ledger lines", countText(wallet.entries)],
    ["Kind", wallet.sandbox ? "Sandbox, test money" : "Client, real money"],
  ];
}
