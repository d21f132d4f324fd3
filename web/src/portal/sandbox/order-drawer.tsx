import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { transactionQuery } from "../transactions/data.ts";
import { TransactionSkeleton } from "../transactions/skeleton.tsx";
import { TransactionView } from "../transactions/view.tsx";

export function SandboxOrderDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/shell/sandbox/$orderId" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(transactionQuery(orderId, "/sandbox/orders"));
  return (
    <Drawer title={`Sandbox transaction ${orderId}`} onClose={() => void navigate({ to: "/sandbox", resetScroll: false })}>
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <TransactionSkeleton />}
      {data && <TransactionView detail={data} />}
    </Drawer>
  );
}
