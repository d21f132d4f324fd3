import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { TransactionCallbacks } from "../../callbacks/transaction-callbacks.tsx";
import { transactionsText } from "../../messages/en/transactions.ts";
import { fill } from "../../messages/fill.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useMay } from "../session.ts";
import { CallbackAttempts } from "./callback-attempts.tsx";
import { type Detail, transactionQuery } from "./data.ts";
import { TransactionView } from "./view.tsx";

export function TransactionDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/shell/transactions/$orderId" });
  const navigate = useNavigate();
  const options = transactionQuery(orderId);
  const query = useQuery(options);
  const isAllowed = useMay("workers");
  const raise = (
    <LinkButton to="/complaints/new" search={{ order_id: orderId }}>
      {transactionsText.raiseComplaint}
    </LinkButton>
  );
  return (
    <Drawer
      title={fill(transactionsText.transaction, { orderId })}
      onClose={() => void navigate({ to: "/transactions", search: true })}
      {...(isAllowed && query.data && canRaiseComplaint(query.data) ? { footer: raise } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(detail) => (
          <TransactionView detail={detail}>
            <TransactionCallbacks callbacks={detail.callbacks} mayResend={isAllowed} transaction={options.queryKey}>
              {(callback) => <CallbackAttempts callback={callback} />}
            </TransactionCallbacks>
          </TransactionView>
        )}
      </QueryView>
    </Drawer>
  );
}

// The service decides; the button is only hidden where a complaint is never possible.
function canRaiseComplaint({ transaction, complaints }: Detail): boolean {
  return transaction.status !== "FAILED" && complaints.every((complaint) => complaint.status !== "OPEN");
}
