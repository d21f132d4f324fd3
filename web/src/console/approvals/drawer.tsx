import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Check, Undo2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Approval, kindText, useApprovalPost } from "./approval.ts";
import { ApprovalFacts, subjectFacts } from "./facts.tsx";

const POLL_MILLISECONDS = 3_000;

export function ApprovalDrawer(): ReactNode {
  const { approvalId } = useParams({ from: "/console/approvals/$approvalId" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/approvals", approvalId],
    queryFn: ({ signal }) => get("/approvals/:approval_id", { approval_id: approvalId }, signal),
    refetchInterval: ({ state }) => (state.data?.state === "waiting" || state.data?.state === "approved" ? POLL_MILLISECONDS : false),
  });
  const approval = query.data;
  return (
    <Drawer
      title={approval ? kindText(approval) : "Approval"}
      onClose={() => void navigate({ to: "/approvals", search: true })}
      {...(approval && (approval.may_decide || approval.may_withdraw) ? { footer: <Decisions approval={approval} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(loaded) => <ApprovalFacts approval={loaded} />}
      </QueryView>
    </Drawer>
  );
}

const TEXTS = {
  approve: { title: "Approve this request?", action: "Approve", effect: "The change is carried out immediately. Check the details first." },
  reject: { title: "Reject this request?", action: "Reject", effect: "Nothing is changed. The requester sees your reason." },
  withdraw: {
    title: "Withdraw this request?",
    action: "Withdraw",
    effect: "Nothing is changed, and the request can no longer be approved.",
  },
} as const;
type Verb = keyof typeof TEXTS;

function Decisions({ approval }: { readonly approval: Approval }): ReactNode {
  const [verb, setVerb] = useState<Verb | null>(null);
  const send = useApprovalPost();
  const decide = async (chosen: Verb, reason: string | undefined) => {
    const id = { approval_id: approval.approval_id };
    const decided =
      chosen === "reject"
        ? await send("/approvals/:approval_id/reject", { ...id, reason: reason ?? "" })
        : await send(`/approvals/:approval_id/${chosen}`, { ...id, reason });
    showResult(chosen, decided);
  };
  return (
    <>
      {approval.may_withdraw && (
        <Button icon={Undo2} onClick={() => setVerb("withdraw")}>
          Withdraw
        </Button>
      )}
      {approval.may_decide && (
        <>
          <Button look="danger" icon={X} onClick={() => setVerb("reject")}>
            Reject
          </Button>
          {approval.barred === null && (
            <Button look="primary" icon={Check} onClick={() => setVerb("approve")}>
              Approve
            </Button>
          )}
        </>
      )}
      {verb !== null && (
        <ReasonDialog
          title={TEXTS[verb].title}
          action={TEXTS[verb].action}
          danger={verb === "reject"}
          required={verb === "reject"}
          facts={subjectFacts(approval)}
          onClose={() => setVerb(null)}
          run={(reason) => decide(verb, reason)}
        >
          {TEXTS[verb].effect}
        </ReasonDialog>
      )}
    </>
  );
}

function showResult(verb: Verb, { state, result }: Approval): void {
  if (state === "failed") toastError(new ApiError(409, "failed", String(result?.["reason"])));
  else if (state === "approved") toast("The request was approved and is being carried out.");
  else
    toast(
      { approve: "The request was approved and carried out.", reject: "The request was rejected.", withdraw: "The request was withdrawn." }[
        verb
      ],
    );
}
