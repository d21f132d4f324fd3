import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Drawer } from "../../ui/drawer.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { OrderActions } from "./actions.tsx";
import { orderQuery } from "./order.ts";
import { OrderView } from "./view.tsx";

export function TransactionDrawer(): ReactNode {
  const { orderId } = useParams({ from: "/console/transactions/$orderId" });
  const navigate = useNavigate();
  const query = useQuery(orderQuery(orderId));
  return (
    <Drawer
      title={`Transaction ${orderId}`}
      onClose={() => void navigate({ to: "/transactions", search: true })}
      {...(query.data === undefined ? {} : { footer: <OrderActions detail={query.data} /> })}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(detail) => <OrderView detail={detail} />}
      </QueryView>
    </Drawer>
  );
}
