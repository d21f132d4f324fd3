import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { post } from "../api.ts";
import type { Approval } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
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

/** The buttons that decide a complaint: reject it or refund the client. */
export function Decide({ complaint }: { readonly complaint: Complaint }): ReactNode {
  const [asked, setAsked] = useState<Decision | null>(null);
  const [held, setHeld] = useState<Approval | null>(null);
  const queries = useQueryClient();
  const clear = async (decision: Decision, reason: string) => {
    const answer = await post("/complaints/:complaint_ref/clear", { complaint_ref: complaint.complaint_ref, decision, reason });
    if ("approval" in answer) return setHeld(answer.approval);
    toast(answer.status === "OPEN" ? "The refund is blocked. The complaint stays open." : "The complaint was decided.");
    await queries.invalidateQueries({ queryKey: complaintQuery(complaint.complaint_ref).queryKey });
    await queries.invalidateQueries({ queryKey: ["/complaints"] });
    await queries.invalidateQueries({ queryKey: ["/orders"] });
  };
  const isPending = complaint.transaction_status === "pending";
  return (
    <>
      {complaint.transaction_status !== "FAILED" && (
        <Button disabled={isPending} onClick={() => setAsked("stands")}>
          Reject complaint
        </Button>
      )}
      <Button look="danger" disabled={isPending} onClick={() => setAsked("refund")}>
        Refund
      </Button>
      {asked !== null && (
        <ReasonDialog
          title={DIALOGS[asked].title}
          action={DIALOGS[asked].action}
          danger={DIALOGS[asked].danger}
          required
          onClose={() => setAsked(null)}
          run={(reason = "") => clear(asked, reason)}
        >
          {DIALOGS[asked].effect}
        </ReasonDialog>
      )}
      {held !== null && (
        <Dialog title="Refund the client" onClose={() => setHeld(null)}>
          <WaitingApproval approval={held} onClose={() => setHeld(null)} />
        </Dialog>
      )}
    </>
  );
}
