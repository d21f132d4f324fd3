import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { post } from "../api.ts";
import type { Transaction } from "../transactions/data.ts";
import { useSandboxChange } from "./data.ts";

type Props = { readonly orders: readonly Transaction[]; readonly isAllowed: boolean };

/** The latest transactions of the sandbox account, with buttons for the transitions that each allows. */
export function Orders({ orders, isAllowed }: Props): ReactNode {
  const columns = isAllowed
    ? [...COLUMNS, { header: "Change status", right: true, cell: (row: Transaction) => <Transitions order={row} /> }]
    : COLUMNS;
  return (
    <Card title="Sandbox transactions" hint="The latest twenty. The list updates automatically." flush>
      <DataTable
        label="Sandbox transactions"
        columns={columns}
        rows={orders}
        rowKey={(row) => row.order_id}
        link={(row) => ({ to: "/sandbox/$orderId", params: { orderId: row.order_id }, resetScroll: false })}
        empty={
          <EmptyState icon={FlaskConical}>
            Sandbox transactions will appear here. Run one of the magic numbers above to create one.
          </EmptyState>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    header: "Account",
    cell: (row) => (
      <span className="block">
        <span className="tabular-nums">{row.account}</span>
        <span className="hidden font-mono font-normal text-soft text-xs sm:block">{row.order_id}</span>
      </span>
    ),
  },
  { header: "Status", cell: (row) => <Status value={row.shown} /> },
  { header: "Amount", right: true, wideOnly: true, cell: (row) => <Money value={row.amount} /> },
  { header: "Time", wideOnly: true, cell: (row) => <Time value={row.created_at} /> },
];

/** The buttons lie above the link that covers the row. */
function Transitions({ order }: { readonly order: Transaction }): ReactNode {
  const { order_id } = order;
  const change = useSandboxChange((to: "SUCCESS" | "FAILED" | "reversed") =>
    to === "reversed"
      ? post("/sandbox/orders/:order_id/reverse", { order_id })
      : post("/sandbox/orders/:order_id/settle", { order_id, status: to }),
  );
  if (order.status === "pending") {
    return (
      <span className="relative z-10 inline-flex flex-wrap justify-end gap-2">
        <Button disabled={change.isPending} aria-label={`Settle ${order.order_id} as SUCCESS`} onClick={() => change.mutate("SUCCESS")}>
          Succeed
        </Button>
        <Button disabled={change.isPending} aria-label={`Settle ${order.order_id} as FAILED`} onClick={() => change.mutate("FAILED")}>
          Fail
        </Button>
      </span>
    );
  }
  if (order.shown !== "SUCCESS") return null;
  return (
    <span className="relative z-10">
      <Button disabled={change.isPending} aria-label={`Reverse ${order.order_id}`} onClick={() => change.mutate("reversed")}>
        Reverse
      </Button>
    </span>
  );
}
