import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { isNonZero } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import type { Fact } from "../../ui/page.tsx";
import { post } from "../api.ts";
import type { Approval } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { clientFact } from "../clients/client-fact.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Complaint, complaintQuery } from "./complaint.ts";

type Decision = "stands" | "refund";

const DIALOGS = {
  stands: {
    title: "Reject the complaint?",
    action: "Reject complaint",
    effect:
      "The transaction stays as it is, no money moves, and the complaint is closed as resolved. The client is notified and sees your reason.",
    danger: false,
  },
  refund: {
    title: "Refund the client?",
    action: "Refund",
    effect: "The transaction becomes FAILED and its cost is returned to the wallet. The client is notified and sees your reason.",
    danger: true,
  },
} as const;

function factsOf(complaint: Complaint): readonly Fact[] {
  return [
    clientFact({ account_id: complaint.account_id, name: complaint.account_name }),
    ["Order", <code key="order" className="font-mono">{`${complaint.order_id}`}</code>],
    ["Amount", <Money key="amount" value={complaint.amount} className="font-semibold" />],
    ...(isNonZero(complaint.fee) ? [["Fee", <Money key="fee" value={complaint.fee} />] as const] : []),
  ];
}

/** The buttons that decide a complaint: reject it or refund the client. */
export function Decide({ complaint }: { readonly complaint: Complaint }): ReactNode {
  const [askedDecision, setAskedDecision] = useState<Decision | null>(null);
  const [waitingApproval, setWaitingApproval] = useState<Approval | null>(null);
  const queries = useQueryClient();
  const clear = async (decision: Decision, reason: string) => {
    const answer = await post("/complaints/:complaint_ref/clear", { complaint_ref: complaint.complaint_ref, decision, reason });
    if ("approval" in answer) return setWaitingApproval(answer.approval);
    toast(answer.status === "OPEN" ? "The refund is blocked. The complaint stays open." : "The complaint was decided.");
    await queries.invalidateQueries({ queryKey: complaintQuery(complaint.complaint_ref).queryKey });
    await queries.invalidateQueries({ queryKey: ["/complaints"] });
    await queries.invalidateQueries({ queryKey: ["/orders"] });
  };
  const isPending = complaint.transaction_status === "pending";
  return (
    <>
      {complaint.transaction_status !== "FAILED" && (
        <Button disabled={isPending} onClick={() => setAskedDecision("stands")}>
          Reject complaint
        </Button>
      )}
      <Button look="danger" disabled={isPending} onClick={() => setAskedDecision("refund")}>
        Refund
      </Button>
      {askedDecision !== null && (
        <ReasonDialog
          title={DIALOGS[askedDecision].title}
          action={DIALOGS[askedDecision].action}
          danger={DIALOGS[askedDecision].danger}
          required
          facts={factsOf(complaint)}
          onClose={() => setAskedDecision(null)}
          run={(reason = "") => clear(askedDecision, reason)}
        >
          {DIALOGS[askedDecision].effect}
        </ReasonDialog>
      )}
      {waitingApproval !== null && (
        <Dialog title="Refund the client" onClose={() => setWaitingApproval(null)}>
          <WaitingApproval approval={waitingApproval} onClose={() => setWaitingApproval(null)} />
        </Dialog>
      )}
    </>
  );
}
