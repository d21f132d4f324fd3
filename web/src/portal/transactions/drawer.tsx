import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useMay } from "../session.ts";
import { CallbackList } from "./callback-list.tsx";
import { type TransactionDetail, transactionQuery } from "./data.ts";
import { TransactionSkeleton } from "./skeleton.tsx";
import { TransactionView } from "./view.tsx";

export function TransactionDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/shell/transactions/$orderId" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(transactionQuery(orderId));
  const may = useMay("workers");
  return (
    <Drawer
      title={`Transaction ${orderId}`}
      onClose={() => void navigate({ to: "/transactions", search: true })}
      {...(may && data && canRaiseComplaint(data)
        ? {
            footer: (
              <LinkButton to="/complaints/new" search={{ order_id: orderId }}>
                Raise complaint
              </LinkButton>
            ),
          }
        : {})}
    >
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <TransactionSkeleton />}
      {data && (
        <TransactionView detail={data}>
          <CallbackList callbacks={data.callbacks} orderId={orderId} />
        </TransactionView>
      )}
    </Drawer>
  );
}

// The service decides; the button is only hidden where a complaint is never possible.
function canRaiseComplaint({ transaction, complaints }: TransactionDetail): boolean {
  return transaction.status !== "FAILED" && complaints.every((complaint) => complaint.status !== "OPEN");
}
