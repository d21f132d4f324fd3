import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Approval, Held } from "../approvals/approval.ts";
import { Waits } from "../approvals/waits.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Complaint, complaintQuery } from "./complaint.ts";

type Decision = "stands" | "refund";

const DIALOGS = {
  stands: {
    title: "Let the transaction stand?",
    action: "It stands",
    effect: "The complaint ends as resolved, no money moves, and the client is told. The client reads your reason.",
    danger: false,
  },
  refund: {
    title: "Refund the client?",
    action: "Refund",
    effect: "The transaction turns FAILED, what it cost goes back to the wallet, and the client is told. The client reads your reason.",
    danger: true,
  },
} as const;

/** The two ways a complaint can end. */
export function Decide({ complaint }: { readonly complaint: Complaint }): ReactNode {
  const [asked, setAsked] = useState<Decision | null>(null);
  const [held, setHeld] = useState<Approval | null>(null);
  const queries = useQueryClient();
  const clear = async (decision: Decision, reason: string | undefined) => {
    const answer = await post<Held | Complaint>(`/complaints/${complaint.complaint_ref}/clear`, { decision, reason });
    if ("approval" in answer) return setHeld(answer.approval);
    toast(answer.status === "OPEN" ? "The refund is blocked; the complaint stays open." : "The complaint is decided.");
    await queries.invalidateQueries({ queryKey: complaintQuery(complaint.complaint_ref).queryKey });
    await queries.invalidateQueries({ queryKey: ["/complaints"] });
    await queries.invalidateQueries({ queryKey: ["/orders"] });
  };
  const isPending = complaint.transaction_status === "pending";
  return (
    <>
      {complaint.transaction_status !== "FAILED" && (
        <Button disabled={isPending} onClick={() => setAsked("stands")}>
          It stands
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
          run={(reason) => clear(asked, reason)}
        >
          {DIALOGS[asked].effect}
        </ReasonDialog>
      )}
      {held !== null && (
        <Dialog title="Refund the client" onClose={() => setHeld(null)}>
          <Waits approval={held} onClose={() => setHeld(null)} />
        </Dialog>
      )}
    </>
  );
}
