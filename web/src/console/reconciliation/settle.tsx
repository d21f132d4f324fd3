import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { countText, moneyText } from "../../ui/formats/format.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { type Approval, isWaitingAction } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type ItemDetail, type ReconciliationDetail, useReconciliationPost } from "./data.ts";

/** Settles every order that is pending here and final in the file. */
export function SettleAll({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const send = useReconciliationPost();
  const { count, amount } = reconciliation.to_settle;
  const orders = count === 1 ? "1 order" : `${countText(count)} orders`;
  return (
    <Settle
      settle={(reason) =>
        send("/reconciliations/:reconciliation_id/settle-all", { reconciliation_id: reconciliation.reconciliation_id, reason })
      }
      label={`Settle ${orders} in doubt`}
      title={`Settle ${orders}?`}
      done="The orders are being settled."
      look="primary"
    >
      Settles {orders} worth {moneyText(amount)} in total as the file says. Money is captured or returned, and clients are notified. The
      audit log records the file and line of each order. This cannot be undone.
    </Settle>
  );
}

/** Settles a single order. */
export function SettleOne({ reconciliationId, item }: { readonly reconciliationId: string; readonly item: ItemDetail }): ReactNode {
  const send = useReconciliationPost();
  return (
    <Settle
      settle={(reason) =>
        send("/reconciliations/:reconciliation_id/items/:item/settle", {
          reconciliation_id: reconciliationId,
          item: String(item.item),
          reason,
        })
      }
      label={`Settle as ${item.status}`}
      title={`Settle as ${item.status}?`}
      done={`The order is now ${item.status}.`}
      look="primary"
    >
      Settles the order as line {item.line} of the file says:{" "}
      {item.status === "SUCCESS" ? "its money is captured" : "its money is returned to the wallet"}, and the client is notified. This cannot
      be undone.
    </Settle>
  );
}

type SettleProps = {
  /** Settles; the reply is an approval if a second person is needed. */
  readonly settle: (reason: string) => Promise<object>;
  readonly label: string;
  readonly title: string;
  readonly done: string;
  readonly look: "primary" | "plain";
  readonly children: ReactNode;
};

/** Asks for a reason, settles, and shows the approval when one is needed. */
function Settle({ settle, label, title, done, look, children }: SettleProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const [waitingApproval, setWaitingApproval] = useState<Approval | null>(null);
  const run = async (reason = "") => {
    const answer = await settle(reason);
    if (isWaitingAction(answer)) return setWaitingApproval(answer.approval);
    toast(done);
  };
  return (
    <>
      <Button look={look} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ReasonDialog title={title} action="Settle" required onClose={() => setAsking(false)} run={run}>
          {children}
        </ReasonDialog>
      )}
      {waitingApproval !== null && (
        <Dialog title={title} onClose={() => setWaitingApproval(null)}>
          <WaitingApproval approval={waitingApproval} onClose={() => setWaitingApproval(null)} />
        </Dialog>
      )}
    </>
  );
}
