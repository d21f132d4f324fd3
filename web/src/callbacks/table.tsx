import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Status } from "../ui/badge.tsx";
import { type Column, ListTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { type Filter, FilterBar } from "../ui/filter-bar.tsx";
import type { List } from "../ui/list.ts";
import { Card } from "../ui/page.tsx";
import type { Selection } from "../ui/selection.ts";
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

type Props = {
  readonly list: List<Callback>;
  readonly columns: readonly Column<Callback>[];
  readonly filters: readonly Filter[];
  readonly filtered: boolean;
  /** Shown when there is no callback and no filter. */
  readonly empty: ReactNode;
  /** Boxes with which rows are chosen, and what can be done with them. */
  readonly selection?: Selection | undefined;
  readonly bulk?: ReactNode;
};

/** The filters and the table of callbacks. A row opens the callback's drawer. */
export function CallbackList({ list, columns, filters, filtered, empty, selection, bulk }: Props): ReactNode {
  return (
    <>
      <FilterBar filters={filters} />
      <Card flush>
        {bulk}
        <ListTable
          label="Callbacks"
          columns={columns}
          list={list}
          rowKey={(row) => row.callback_id}
          selection={selection}
          link={(row) => ({ to: "/callbacks/$callbackId", params: { callbackId: row.callback_id }, search: true })}
          empty={
            filtered ? (
              <EmptyState icon={Webhook}>No callback matches these filters. Change or clear the filters to see more.</EmptyState>
            ) : (
              empty
            )
          }
        />
      </Card>
    </>
  );
}
