import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { callbacksText } from "../messages/en/callbacks.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { Time } from "../ui/formats/time.tsx";
import { type Column, ListTable } from "../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../ui/lists/filter-bar.tsx";
import type { List } from "../ui/lists/list.ts";
import type { Selection } from "../ui/lists/selection.ts";
import { Card } from "../ui/page.tsx";
import { type Callback, KIND_NAMES } from "./callback.ts";
import { DeliveryState, LastResponse } from "./delivery.tsx";

export const CALLBACK_FILTERS: readonly Filter[] = [
  {
    kind: "choice",
    name: "state",
    label: callbacksText.state,
    options: [
      { value: "waiting", label: callbacksText.waitingOrFailing },
      { value: "delivered", label: callbacksText.delivered },
      { value: "parked", label: callbacksText.parkedNoUrl },
      { value: "paused", label: callbacksText.paused },
    ],
  },
  {
    kind: "choice",
    name: "kind",
    label: callbacksText.kind,
    options: [
      { value: "status", label: callbacksText.status },
      { value: "complaint", label: callbacksText.complaint },
    ],
  },
];

export const ORDER_COLUMN: Column<Callback> = {
  header: callbacksText.order,
  cell: (row) => <span className="font-mono text-[0.8125rem]">{row.order_id}</span>,
};

export const STATUS_COLUMN: Column<Callback> = {
  header: callbacksText.statusSent,
  wideOnly: true,
  cell: (row) => <Status value={row.status} />,
};

export const ATTEMPT_COLUMNS: readonly Column<Callback>[] = [
  {
    header: callbacksText.attempts,
    right: true,
    wideOnly: true,
    sort: (row) => row.attempts,
    cell: (row) => <span className="tabular-nums">{row.attempts}</span>,
  },
  { header: callbacksText.nextAttempt, wideOnly: true, cell: (row) => <Time value={row.next_at} none="–" /> },
];

const LAST_RESPONSE: Column<Callback> = { header: callbacksText.lastResponse, wideOnly: true, cell: (row) => <LastResponse row={row} /> };

export const DELIVERY_COLUMNS: readonly Column<Callback>[] = [
  { header: callbacksText.kind, wideOnly: true, cell: (row) => KIND_NAMES[row.kind] },
  STATUS_COLUMN,
  { header: callbacksText.delivery, cell: (row) => <DeliveryState callback={row} /> },
  ...ATTEMPT_COLUMNS.slice(0, 1),
  LAST_RESPONSE,
  ...ATTEMPT_COLUMNS.slice(1),
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
          label={callbacksText.callbacks}
          columns={columns}
          list={list}
          rowKey={(row) => row.callback_id}
          selection={selection}
          link={(row) => ({ to: "/callbacks/$callbackId", params: { callbackId: row.callback_id }, search: true })}
          empty={filtered ? <EmptyState icon={Webhook}>{callbacksText.noCallbackMatchesTheseFilters}</EmptyState> : empty}
        />
      </Card>
    </>
  );
}
