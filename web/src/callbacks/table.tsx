import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Status } from "../ui/badge.tsx";
import type { Column } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Filter } from "../ui/filter-bar.tsx";
import { Time } from "../ui/time.tsx";
import { type Callback, KIND_NAMES } from "./callback.ts";
import { DeliveryState, LastResponse } from "./delivery.tsx";

export const CALLBACK_FILTERS: readonly Filter[] = [
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: [
      { value: "waiting", label: "Waiting or failing" },
      { value: "delivered", label: "Delivered" },
      { value: "parked", label: "Parked (no URL)" },
      { value: "paused", label: "Paused" },
    ],
  },
  {
    kind: "choice",
    name: "kind",
    label: "Kind",
    options: [
      { value: "status", label: "Status" },
      { value: "complaint", label: "Complaint" },
    ],
  },
];

export const ORDER_COLUMN: Column<Callback> = {
  header: "Order",
  cell: (row) => <span className="font-mono text-[0.8125rem]">{row.order_id}</span>,
};

export const DELIVERY_COLUMNS: readonly Column<Callback>[] = [
  { header: "Kind", wideOnly: true, cell: (row) => KIND_NAMES[row.kind] },
  { header: "Status sent", wideOnly: true, cell: (row) => <Status value={row.status} /> },
  { header: "Delivery", cell: (row) => <DeliveryState callback={row} /> },
  { header: "Attempts", right: true, wideOnly: true, cell: (row) => <span className="tabular-nums">{row.attempts}</span> },
  { header: "Last response", wideOnly: true, cell: (row) => <LastResponse row={row} /> },
  { header: "Next attempt", wideOnly: true, cell: (row) => <Time value={row.next_at} none="–" /> },
];

export function NoMatchingCallback(): ReactNode {
  return <EmptyState icon={Webhook}>No callback matches these filters. Change or clear the filters to see more.</EmptyState>;
}
