import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Drawer } from "../../ui/drawer.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { SETTLERS, useMay } from "../session.ts";
import { hasActions, OrderActions, RequeryResult } from "./actions.tsx";
import { type Finding, orderQuery } from "./order.ts";
import { OrderView } from "./view.tsx";

export function TransactionDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/console/transactions/$orderId" });
  const navigate = useNavigate();
  const query = useQuery(orderQuery(orderId));
  const isAllowed = useMay(SETTLERS);
  const [finding, setFinding] = useState<Finding | null>(null);
  const { data } = query;
  return (
    <Drawer
      title={`Transaction ${orderId}`}
      onClose={() => void navigate({ to: "/transactions", search: true })}
      {...(isAllowed && data !== undefined && hasActions(data) ? { footer: <OrderActions detail={data} onFinding={setFinding} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(detail) => <OrderView detail={detail} />}
      </QueryView>
      {finding !== null && <RequeryResult finding={finding} onClose={() => setFinding(null)} />}
    </Drawer>
  );
}
