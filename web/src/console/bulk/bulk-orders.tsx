import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/formats/format.ts";
import type { Selection } from "../../ui/lists/selection.ts";
import { type OrderSearch, orderQueryOf } from "../transactions/order-search.ts";
import type { BulkAction, BulkChoice } from "./bulk.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

type Props = { readonly selection: Selection; readonly search: OrderSearch };

/** Requeries or settles the selected transactions, or all pending ones of the filters. */
export function BulkOrders({ selection, search }: Props): ReactNode {
  const [opened, setOpened] = useState<{ readonly action: BulkAction; readonly choice: BulkChoice } | null>(null);
  const count = selection.keys.size;
  const isPendingOnly = search.status === "pending" || search.waiting !== undefined;
  if (count === 0 && !isPendingOnly && opened === null) return null;
  const choice: BulkChoice = count > 0 ? { order_ids: [...selection.keys] } : { filter: definedOf(orderQueryOf(search)) };
  const whole = count > 0 ? "" : " all";
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-3 py-2 sm:px-5"
      role="toolbar"
      aria-label="Bulk actions"
    >
      <span className="mr-2">{count > 0 ? `${countText(count)} selected` : "All pending transactions of these filters:"}</span>
      <Button onClick={() => setOpened({ action: "requery", choice })}>Requery{whole}</Button>
      <Button look="danger" onClick={() => setOpened({ action: "settle", choice })}>
        Settle{whole}
      </Button>
      {count > 0 && (
        <Button look="quiet" onClick={selection.clear}>
          Clear selection
        </Button>
      )}
      {opened !== null && (
        <BulkDialog
          {...opened}
          onClose={() => {
            setOpened(null);
            selection.clear();
          }}
        />
      )}
    </div>
  );
}

function definedOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
