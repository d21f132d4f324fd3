import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";
import { type Line, typeText } from "./data.ts";
import { Signed } from "./statement.tsx";

export function LineDrawer(): ReactNode {
  const { entryId } = useParams({ from: "/shell/wallet/$entryId" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ["/statement", entryId],
    queryFn: ({ signal }) => get("/statement/:entry_id", { entry_id: entryId }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Drawer title={`Statement line ${entryId}`} onClose={() => void navigate({ to: "/wallet", search: true, resetScroll: false })}>
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonCard lines={6} />}
      {data && (
        <>
          <p className="text-2xl font-semibold tracking-tight">
            <Signed value={data.amount} />
          </p>
          <Facts facts={factsOf(data)} />
        </>
      )}
    </Drawer>
  );
}

function factsOf(line: Line): readonly (readonly [string, ReactNode])[] {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Description", line.narration],
    ["Type", typeText(line.type)],
    ["Balance after", <Money key="after" value={line.balance_after} />],
    ["Time", <Time key="at" value={line.at} />],
    ["Entry id", <Code key="entry" text={line.entry_id} />],
  ];
  if (line.order_id === "") return facts;
  return [
    ...facts,
    [
      "Transaction",
      <Link key="order" to="/transactions/$orderId" params={{ orderId: line.order_id }} className="link font-mono">
        {line.order_id}
      </Link>,
    ],
    ["Your urid", <Code key="urid" text={line.urid} />],
  ];
}
