import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import type { Transaction } from "../transactions/data.ts";
import { useSandboxChange } from "./data.ts";

type Props = { readonly orders: readonly Transaction[]; readonly isAllowed: boolean };

/** The latest transactions of the sandbox account, with buttons for the transitions that each allows. */
export function Orders({ orders, isAllowed }: Props): ReactNode {
  const columns = isAllowed
    ? [...COLUMNS, { header: sandboxText.changeStatus, right: true, cell: (row: Transaction) => <Transitions order={row} /> }]
    : COLUMNS;
  return (
    <Card title={sandboxText.sandboxTransactions} hint={sandboxText.theLatestTwentyTheList} flush>
      <DataTable
        label={sandboxText.sandboxTransactions}
        columns={columns}
        rows={orders}
        rowKey={(row) => row.order_id}
        link={(row) => ({ to: "/sandbox/$orderId", params: { orderId: row.order_id }, resetScroll: false })}
        empty={<EmptyState icon={FlaskConical}>{sandboxText.sandboxTransactionsWillAppearHere}</EmptyState>}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    header: sandboxText.number,
    cell: (row) => (
      <span className="block">
        <span className="tabular-nums">{row.account}</span>
        <span className="hidden font-mono font-normal text-soft text-xs sm:block">{row.order_id}</span>
      </span>
    ),
  },
  { header: sandboxText.status, cell: (row) => <Status value={row.shown} /> },
  { header: sandboxText.amount, right: true, wideOnly: true, cell: (row) => <Money value={row.amount} /> },
  { header: sandboxText.time, wideOnly: true, cell: (row) => <Time value={row.created_at} /> },
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
        <Button
          disabled={change.isPending}
          aria-label={fill(sandboxText.settleAsSuccess, { orderId: order.order_id })}
          onClick={() => change.mutate("SUCCESS")}
        >
          {sandboxText.succeed}
        </Button>
        <Button
          disabled={change.isPending}
          aria-label={fill(sandboxText.settleAsFailed, { orderId: order.order_id })}
          onClick={() => change.mutate("FAILED")}
        >
          {sandboxText.fail}
        </Button>
      </span>
    );
  }
  if (order.shown !== "SUCCESS") return null;
  return (
    <span className="relative z-10">
      <Button
        disabled={change.isPending}
        aria-label={fill(sandboxText.reverseOrder, { orderId: order.order_id })}
        onClick={() => change.mutate("reversed")}
      >
        {sandboxText.reverse}
      </Button>
    </span>
  );
}
