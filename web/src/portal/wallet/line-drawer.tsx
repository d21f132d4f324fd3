import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { amountInWords } from "../../messages/amount-in-words.ts";
import { walletText } from "../../messages/en/wallet.ts";
import { fill } from "../../messages/fill.ts";
import { serverText } from "../../messages/server-text.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { type Line, typeText } from "./data.ts";
import { Signed } from "./statement.tsx";
import { MoneyAndWords } from "./statement-totals.tsx";

export function LineDrawer(): ReactNode {
  const { entryId } = useParams({ from: "/shell/wallet/$entryId" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ["/statement", entryId],
    queryFn: ({ signal }) => get("/statement/:entry_id", { entry_id: entryId }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Drawer
      title={fill(walletText.statementLine, { entryId })}
      onClose={() => void navigate({ to: "/wallet", search: true, resetScroll: false })}
    >
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonCard lines={6} />}
      {data && (
        <>
          <p className="text-2xl font-semibold tracking-tight">
            <Signed value={data.amount} />
          </p>
          <p className="text-soft">{amountInWords(data.amount)}</p>
          <Facts facts={factsOf(data)} />
        </>
      )}
    </Drawer>
  );
}

function factsOf(line: Line): readonly (readonly [string, ReactNode])[] {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [walletText.description, serverText(line.narration)],
    [walletText.type, typeText(line.type)],
    [walletText.balanceAfter, <MoneyAndWords key="after" value={line.balance_after} />],
    [walletText.time, <Time key="at" value={line.at} />],
    [walletText.entryId, <Code key="entry" text={line.entry_id} />],
  ];
  if (line.order_id === "") return facts;
  return [
    ...facts,
    [
      walletText.transaction,
      <Link key="order" to="/transactions/$orderId" params={{ orderId: line.order_id }} className="link font-mono">
        {line.order_id}
      </Link>,
    ],
    [walletText.yourUrid, <Code key="urid" text={line.urid} />],
  ];
}
