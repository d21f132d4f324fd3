import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { countText, moneyText } from "../../ui/format.ts";
import { toast } from "../../ui/toast.tsx";
import type { Approval, Held } from "../approvals/approval.ts";
import { Waits } from "../approvals/waits.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type ItemDetail, type ReconciliationDetail, useReconciliationPost } from "./data.ts";

/** Ends every order that is pending here and final there, as the file says. */
export function SettleAll({ one }: { readonly one: ReconciliationDetail }): ReactNode {
  const { count, amount } = one.to_settle;
  const orders = count === 1 ? "1 order" : `${countText(count)} orders`;
  return (
    <Settle
      path={`/${one.reconciliation_id}/settle-all`}
      label={`Settle ${orders} in doubt`}
      title={`Settle ${orders}?`}
      done="The orders are being settled."
      look="primary"
    >
      {orders} of {moneyText(amount)} in all end as the file says: money is captured or goes back, and clients are told. Each names the file
      and the line in the audit trail. This is final.
    </Settle>
  );
}

/** Ends one of them. */
export function SettleOne({ reconciliationId, item }: { readonly reconciliationId: string; readonly item: ItemDetail }): ReactNode {
  return (
    <Settle
      path={`/${reconciliationId}/items/${item.item}/settle`}
      label={`Settle as ${item.status}`}
      title={`Settle as ${item.status}?`}
      done={`The order is ${item.status}.`}
      look="primary"
    >
      The order ends as line {item.line} of the file says:{" "}
      {item.status === "SUCCESS" ? "its money is captured" : "its money goes back to the wallet"}, and the client is told. This is final.
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

/** Takes down why, does it, and shows where it waits when somebody else has to agree. */
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
          <Waits approval={held} onClose={() => setHeld(null)} />
        </Dialog>
      )}
    </>
  );
}
