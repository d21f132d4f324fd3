import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { QueueNav } from "../../ui/lists/queue-nav.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { SETTLERS, useMay } from "../session.ts";
import { WorkPanel } from "../work/work-panel.tsx";
import { hasActions, OrderActions, RequeryResult } from "./actions.tsx";
import { type Finding, orderQuery } from "./order.ts";
import { useOrderQueue } from "./queue.ts";
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
      nav={
        <QueueNav
          list={useOrderQueue()}
          keyOf={(row) => row.order_id}
          current={orderId}
          open={(id) => void navigate({ to: "/transactions/$orderId", params: { orderId: id }, search: true })}
        />
      }
      onClose={() => void navigate({ to: "/transactions", search: true })}
      {...(isAllowed && data !== undefined && hasActions(data) ? { footer: <OrderActions detail={data} onFinding={setFinding} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(detail) => (
          <>
            <OrderView detail={detail} />
            <WorkPanel subject={{ kind: "order", id: orderId }} />
          </>
        )}
      </QueryView>
      {finding !== null && <RequeryResult finding={finding} onClose={() => setFinding(null)} />}
    </Drawer>
  );
}
