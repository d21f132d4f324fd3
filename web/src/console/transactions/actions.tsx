import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/page.tsx";
import { toastError } from "../../ui/toast.tsx";
import { ByHand, type Deed, deedsFor } from "./by-hand.tsx";
import { type Finding, type OrderDetail, orderQuery } from "./order.ts";

type Props = { readonly detail: OrderDetail; readonly onSaid: (finding: Finding) => void };

/** Whether there is anything to be done to an order as it stands now. */
export function hasActions(detail: OrderDetail): boolean {
  return detail.order.status === "pending" || deedsFor(detail).length > 0;
}

/** What can be done to an order as it stands now. */
export function OrderActions({ detail, onSaid }: Props): ReactNode {
  const [deed, setDeed] = useState<Deed | null>(null);
  return (
    <>
      {detail.order.status === "pending" && <Requery orderId={detail.order.order_id} onSaid={onSaid} />}
      {deedsFor(detail).map((one) => (
        <Button key={one.path} look={one.danger ? "danger" : "plain"} onClick={() => setDeed(one)}>
          {one.action}
        </Button>
      ))}
      {deed !== null && <ByHand deed={deed} order={detail.order} onClose={() => setDeed(null)} />}
    </>
  );
}

/** Asks the provider now. What it says is shown by the drawer: this button goes with an order that ends by it. */
function Requery({ orderId, onSaid }: { readonly orderId: string; readonly onSaid: Props["onSaid"] }): ReactNode {
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: () => post<OrderDetail & { readonly finding: Finding }>(`/orders/${orderId}/requery`),
    onError: toastError,
    onSuccess: async (answer) => {
      onSaid(answer.finding);
      queries.setQueryData(orderQuery(orderId).queryKey, answer);
      await queries.invalidateQueries({ queryKey: ["/orders", "list"] });
    },
  });
  return (
    <Button icon={RefreshCw} busy={ask.isPending} onClick={() => ask.mutate()}>
      Ask the provider
    </Button>
  );
}

const SAID: Readonly<Record<string, string>> = {
  succeeded: "succeeded",
  declined: "was declined",
  reversed: "was taken back",
  not_found: "is not known there",
  pending: "is still pending",
  unknown: "could not be told",
};

/** What the provider said. */
export function Said({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }): ReactNode {
  const { provider, said, detail, applied } = finding;
  return (
    <Dialog title="What the provider said" onClose={onClose} footer={<Button onClick={onClose}>Good</Button>}>
      <Notice tone={applied ? "good" : "wait"}>
        <div role="status">
          <p>
            <b>{provider}</b> says that it {SAID[said] ?? said}. <span className="break-words">{detail}</span>
          </p>
          <p className="mt-1">
            {applied ? "That is definite: the transaction has ended by it." : "That is not definite: nothing was changed."}
          </p>
        </div>
      </Notice>
    </Dialog>
  );
}
