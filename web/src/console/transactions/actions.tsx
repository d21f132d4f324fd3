import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { type ManualAction, ManualActionDialog, manualActionsFor } from "./manual-action.tsx";
import { type Finding, type OrderDetail, orderQuery } from "./order.ts";

type Props = { readonly detail: OrderDetail; readonly onFinding: (finding: Finding) => void };

/** Whether any action is available for the order in its current state. */
export function hasActions(detail: OrderDetail): boolean {
  return detail.order.status === "pending" || manualActionsFor(detail).length > 0;
}

/** The actions that are available for the order in its current state. */
export function OrderActions({ detail, onFinding }: Props): ReactNode {
  const [chosen, setChosen] = useState<ManualAction | null>(null);
  return (
    <>
      {detail.order.status === "pending" && <Requery orderId={detail.order.order_id} onFinding={onFinding} />}
      {manualActionsFor(detail).map((action) => (
        <Button key={`${action.path} ${action.cancelId}`} look={action.danger ? "danger" : "plain"} onClick={() => setChosen(action)}>
          {action.label}
        </Button>
      ))}
      {chosen !== null && <ManualActionDialog action={chosen} order={detail.order} onClose={() => setChosen(null)} />}
    </>
  );
}

/** Queries the provider now. The drawer shows the result, because this button disappears when the order becomes final. */
function Requery({ orderId, onFinding }: { readonly orderId: string; readonly onFinding: Props["onFinding"] }): ReactNode {
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: () => post("/orders/:order_id/requery", { order_id: orderId }),
    onError: toastError,
    onSuccess: async (answer) => {
      onFinding(answer.finding);
      queries.setQueryData(orderQuery(orderId).queryKey, answer);
      await queries.invalidateQueries({ queryKey: ["/orders", "list"] });
    },
  });
  return (
    <Button icon={RefreshCw} busy={ask.isPending} onClick={() => ask.mutate()}>
      Requery provider
    </Button>
  );
}

const RESULTS: Readonly<Record<string, string>> = {
  succeeded: "succeeded",
  declined: "was declined",
  reversed: "was reversed",
  not_found: "is unknown to the provider",
  pending: "is still pending",
  unknown: "has an unknown status",
};

/** Shows the provider's response to a requery. */
export function RequeryResult({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }): ReactNode {
  const { provider, said, detail, applied } = finding;
  return (
    <Dialog title="Provider response" onClose={onClose} footer={<Button onClick={onClose}>OK</Button>}>
      <Notice tone={applied ? "good" : "wait"}>
        <div role="status">
          <p>
            <b>{provider}</b> reports that the order {RESULTS[said] ?? said}. <span className="break-words">{detail}</span>
          </p>
          <p className="mt-1">
            {applied
              ? "The result is final, and the transaction was settled accordingly."
              : "The result is not final. Nothing was changed."}
          </p>
        </div>
      </Notice>
    </Dialog>
  );
}
