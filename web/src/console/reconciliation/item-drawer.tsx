import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Card, Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { SETTLERS, useMay } from "../session.ts";
import { type ItemDetail, OUTCOMES, useReconciliationPost, whyText } from "./data.ts";
import { ItemState, Side } from "./items-tab.tsx";
import { NoteDialog } from "./resolve.tsx";
import { SettleOne } from "./settle.tsx";

/** A line of the file next to our order. */
export function ItemDrawer(): ReactNode {
  const { reconciliationId, item } = useParams({ from: "/console/reconciliation/$reconciliationId/items/$item" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: [`/reconciliations/${reconciliationId}/items/${item}`],
    queryFn: ({ signal }) => get("/reconciliations/:reconciliation_id/items/:item", { reconciliation_id: reconciliationId, item }, signal),
  });
  const isAllowed = useMay(SETTLERS);
  const { data } = query;
  const title = data === undefined ? "Line" : data.line === null ? "Missing there" : `Line ${data.line}: ${OUTCOMES[data.outcome].label}`;
  const close = () => void navigate({ to: "/reconciliation/$reconciliationId", params: { reconciliationId }, search: true });
  return (
    <Drawer
      title={title}
      onClose={close}
      {...(isAllowed && data !== undefined && data.outcome !== "matched"
        ? { footer: <Actions reconciliationId={reconciliationId} item={data} /> }
        : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
        {(loaded) => <ItemDetails item={loaded} />}
      </QueryView>
    </Drawer>
  );
}

function Actions({ reconciliationId, item }: { readonly reconciliationId: string; readonly item: ItemDetail }): ReactNode {
  const [asking, setAsking] = useState(false);
  const send = useReconciliationPost();
  const id = { reconciliation_id: reconciliationId, item: String(item.item) };
  const reopen = () => send("/reconciliations/:reconciliation_id/items/:item/reopen", id).catch(toastError);
  const resolve = (note: string) => send("/reconciliations/:reconciliation_id/items/:item/resolve", { ...id, note });
  if (item.resolved_at !== null) return item.settled_at === null ? <Button onClick={() => void reopen()}>Reopen</Button> : null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Resolve with note</Button>
      {item.can_settle && <SettleOne reconciliationId={reconciliationId} item={item} />}
      {asking && (
        <NoteDialog title="Resolve this difference" onClose={() => setAsking(false)} run={resolve}>
          Marks the difference as resolved. No order changes and no money moves.
        </NoteDialog>
      )}
    </>
  );
}

function ItemDetails({ item }: { readonly item: ItemDetail }): ReactNode {
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <ItemState item={item} />
        <p>{whyText(item)}</p>
      </div>
      <Resolution item={item} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Card title="At the provider">
          <Side amount={item.amount} status={item.status} left />
        </Card>
        <Card title="Our order when it was compared">
          <Side amount={item.here_amount} status={item.here_status} back={item.taken_back} left />
        </Card>
      </div>
      {item.here !== null && <OurOrder item={item} order={item.here.order} />}
      {item.line_cells !== null && (
        <Card title={`Line ${item.line} of the file`}>
          <Facts facts={item.line_cells.map(({ column, value }) => [column, value === "" ? <Empty key={column} /> : value] as const)} />
        </Card>
      )}
    </>
  );
}

function Empty(): ReactNode {
  return <span className="text-soft">Empty</span>;
}

function Resolution({ item }: { readonly item: ItemDetail }): ReactNode {
  const nameOf = useActorNames();
  if (item.resolved_at === null || item.resolved_by === null) return null;
  return (
    <Notice tone="good">
      <p className="break-words font-medium">{item.note}</p>
      <p className="mt-1 text-soft">
        {item.settled_at === null ? "Resolved" : "Settled"} by {nameOf(item.resolved_by)}, <Time value={item.resolved_at} />
      </p>
    </Notice>
  );
}

type Order = NonNullable<ItemDetail["here"]>["order"];

function OurOrder({ item, order }: { readonly item: ItemDetail; readonly order: Order }): ReactNode {
  return (
    <Card title="Our order">
      <Facts
        facts={[
          [
            "Order",
            <Link key="order" to="/transactions/$orderId" params={{ orderId: order.order_id }} className="link font-mono">
              {order.order_id}
            </Link>,
          ],
          ["Status", <Status key="status" value={order.status} />],
          ["Amount", <Money key="amount" value={order.amount} />],
          ["Client", item.account_name ?? item.account_id ?? ""],
          ["Client reference", <Code key="urid" text={order.urid} />],
          ["Order for", `${order.account}, ${order.operator}, ${order.service}`],
          ["Provider", order.provider],
          ["Operator reference", order.operator_ref === null ? <Empty key="ref" /> : <Code key="ref" text={order.operator_ref} />],
          ["Created", <Time key="made" value={order.created_at} />],
          ...(order.waiting === null ? [] : [["Waiting", `${order.waiting.why}; checked ${order.waiting.polls} times`] as const]),
        ]}
      />
    </Card>
  );
}
