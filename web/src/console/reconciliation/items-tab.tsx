import { useSearch } from "@tanstack/react-router";
import { Scale } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { SETTLERS, useMay } from "../session.ts";
import { type Item, type OrderStatus, OUTCOMES, type Outcome, type ReconciliationDetail, whyText } from "./data.ts";
import { ResolveAll } from "./resolve.tsx";

type Props = { readonly reconciliation: ReconciliationDetail; readonly outcome: Outcome };

const SEARCH: Filter = { kind: "search", name: "search", label: "Search", placeholder: "Part of an order id or a reference" };
const RESOLVED: Filter = {
  kind: "choice",
  name: "resolved",
  label: "Resolved",
  options: [
    { value: "no", label: "Open" },
    { value: "yes", label: "Resolved" },
  ],
};
const CAN_SETTLE: Filter = {
  kind: "choice",
  name: "can_settle",
  label: "In doubt here",
  options: [{ value: "yes", label: "Can be settled" }],
};

function filtersOf(outcome: Outcome): readonly Filter[] {
  if (outcome === "matched") return [SEARCH];
  return outcome === "differing" ? [SEARCH, RESOLVED, CAN_SETTLE] : [SEARCH, RESOLVED];
}

export function ItemsTab({ reconciliation, outcome }: Props): ReactNode {
  const { search, resolved, can_settle } = useSearch({ from: "/console/reconciliation/$reconciliationId" });
  const list = useList("/reconciliations/:reconciliation_id/items", {
    reconciliation_id: reconciliation.reconciliation_id,
    outcome,
    search,
    resolved,
    can_settle,
  });
  const filtered = search !== undefined || resolved !== undefined || can_settle !== undefined;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <p className="text-soft">{OUTCOMES[outcome].description}</p>
        <ResolveButton reconciliation={reconciliation} outcome={outcome} />
      </div>
      <FilterBar filters={filtersOf(outcome)} />
      <Card flush>
        <ListTable
          label={OUTCOMES[outcome].label}
          list={list}
          columns={COLUMNS}
          rowKey={(item) => String(item.item)}
          link={(item) => ({
            to: "/reconciliation/$reconciliationId/items/$item",
            params: { reconciliationId: reconciliation.reconciliation_id, item: String(item.item) },
            search: true,
          })}
          empty={
            <EmptyState icon={Scale}>
              {filtered
                ? "No line matches these filters. Change or clear the filters to see more."
                : "There are no lines with this result."}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function ResolveButton({ reconciliation, outcome }: Props): ReactNode {
  const [asking, setAsking] = useState(false);
  const isAllowed = useMay(SETTLERS);
  if (!isAllowed || outcome === "matched" || reconciliation.counts?.[outcome].count === 0 || reconciliation.open === 0) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Resolve all</Button>
      {asking && <ResolveAll reconciliation={reconciliation} outcome={outcome} onClose={() => setAsking(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<Item>[] = [
  {
    header: "Order or reference",
    cell: (item) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere font-mono text-[0.8125rem]">
          {item.order_id ?? item.reference ?? item.provider_reference ?? "No reference"}
        </span>
        <span className="block font-normal text-soft text-xs">
          {item.line === null ? whyText(item) : `Line ${item.line}. ${whyText(item)}`}
        </span>
      </span>
    ),
  },
  { header: "Provider", right: true, wideOnly: true, cell: (item) => <Side amount={item.amount} status={item.status} /> },
  {
    header: "Our order",
    right: true,
    wideOnly: true,
    cell: (item) => <Side amount={item.here_amount} status={item.here_status} back={item.taken_back} />,
  },
  { header: "State", right: true, cell: (item) => <ItemState item={item} /> },
];

type SideProps = { readonly amount: string | null; readonly status: OrderStatus | null; readonly back?: boolean; readonly left?: boolean };

export function Side({ amount, status, back = false, left = false }: SideProps): ReactNode {
  if (amount === null && status === null) return <span className="text-soft">Not present</span>;
  return (
    <span className={classes("inline-flex flex-col gap-1", left ? "items-start" : "items-end")}>
      {amount !== null && <Money value={amount} />}
      {status !== null && <Status value={back ? "Reversed" : status} />}
    </span>
  );
}

export function ItemState({ item }: { readonly item: Item }): ReactNode {
  if (item.settled_at !== null) return <Badge tone="good">Settled</Badge>;
  if (item.resolved_at !== null) return <Badge tone="good">Resolved</Badge>;
  if (item.can_settle) return <Badge tone="accent">Can be settled</Badge>;
  return item.outcome === "matched" ? <Badge tone="good">Matched</Badge> : <Badge tone="wait">Open</Badge>;
}
