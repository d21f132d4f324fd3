import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { fill } from "../../messages/fill.ts";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { transactionQuery } from "../transactions/data.ts";
import { TransactionView } from "../transactions/view.tsx";

export function SandboxOrderDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/shell/sandbox/$orderId" });
  const navigate = useNavigate();
  const query = useQuery(transactionQuery(orderId, "/sandbox/orders"));
  return (
    <Drawer title={fill(sandboxText.sandboxTransaction, { orderId })} onClose={() => void navigate({ to: "/sandbox", resetScroll: false })}>
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(detail) => <TransactionView detail={detail} />}
      </QueryView>
    </Drawer>
  );
}
