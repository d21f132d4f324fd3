import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { countText, moneyText } from "../../ui/format.ts";
import { toast } from "../../ui/toast.tsx";
import type { Approval, Held } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type ItemDetail, type ReconciliationDetail, useReconciliationPost } from "./data.ts";

/** Settles every order that is pending here and final in the file. */
export function SettleAll({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const { count, amount } = reconciliation.to_settle;
  const orders = count === 1 ? "1 order" : `${countText(count)} orders`;
  return (
    <Settle
      path={`/${reconciliation.reconciliation_id}/settle-all`}
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
  return (
    <Settle
      path={`/${reconciliationId}/items/${item.item}/settle`}
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
  readonly path: string;
  readonly label: string;
  readonly title: string;
  readonly done: string;
  readonly look: "primary" | "plain";
  readonly children: ReactNode;
};

/** Asks for a reason, settles, and shows the approval when one is needed. */
function Settle({ path, label, title, done, look, children }: SettleProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const [held, setHeld] = useState<Approval | null>(null);
  const send = useReconciliationPost();
  const settle = async (reason: string | undefined) => {
    const answer = await send<Held | object>(path, { reason });
    if ("approval" in answer) return setHeld(answer.approval);
    toast(done);
  };
  return (
    <>
      <Button look={look} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ReasonDialog title={title} action="Settle" required onClose={() => setAsking(false)} run={settle}>
          {children}
        </ReasonDialog>
      )}
      {held !== null && (
        <Dialog title={title} onClose={() => setHeld(null)}>
          <WaitingApproval approval={held} onClose={() => setHeld(null)} />
        </Dialog>
      )}
    </>
  );
}
