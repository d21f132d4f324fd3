import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Check, Undo2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ApiError, get } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Approval, kindText, useApprovalPost } from "./approval.ts";
import { ApprovalFacts } from "./facts.tsx";

const POLL_MILLISECONDS = 3_000;

export function ApprovalDrawer(): ReactNode {
  const { approvalId } = useParams({ from: "/console/approvals/$approvalId" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/approvals", approvalId],
    queryFn: ({ signal }) => get<Approval>(`/approvals/${approvalId}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === "waiting" || state.data?.state === "approved" ? POLL_MILLISECONDS : false),
  });
  const one = query.data;
  return (
    <Drawer
      title={one ? kindText(one) : "Approval"}
      onClose={() => void navigate({ to: "/approvals", search: true })}
      {...(one && (one.may_decide || one.may_withdraw) ? { footer: <Decisions one={one} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(approval) => <ApprovalFacts one={approval} />}
      </QueryView>
    </Drawer>
  );
}

const WORDS = {
  approve: { title: "Approve it?", action: "Approve", effect: "It is done at once. Make sure that you have checked what is asked for." },
  reject: { title: "Reject it?", action: "Reject", effect: "Nothing happens. Whoever has asked for it sees your reason." },
  withdraw: { title: "Withdraw it?", action: "Withdraw", effect: "Nothing happens, and nobody can approve it any more." },
} as const;
type Verb = keyof typeof WORDS;

function Decisions({ one }: { readonly one: Approval }): ReactNode {
  const [verb, setVerb] = useState<Verb | null>(null);
  const send = useApprovalPost();
  const decide = async (chosen: Verb, reason: string | undefined) => {
    const decided = await send<Approval>(`/approvals/${one.approval_id}/${chosen}`, { reason });
    tell(chosen, decided);
  };
  return (
    <>
      {one.may_withdraw && (
        <Button icon={Undo2} onClick={() => setVerb("withdraw")}>
          Withdraw
        </Button>
      )}
      {one.may_decide && (
        <>
          <Button look="danger" icon={X} onClick={() => setVerb("reject")}>
            Reject
          </Button>
          {one.barred === null && (
            <Button look="primary" icon={Check} onClick={() => setVerb("approve")}>
              Approve
            </Button>
          )}
        </>
      )}
      {verb !== null && (
        <ReasonDialog
          title={WORDS[verb].title}
          action={WORDS[verb].action}
          danger={verb === "reject"}
          required={verb === "reject"}
          onClose={() => setVerb(null)}
          run={(reason) => decide(verb, reason)}
        >
          {WORDS[verb].effect}
        </ReasonDialog>
      )}
    </>
  );
}

function tell(verb: Verb, { state, result }: Approval): void {
  if (state === "failed") toastError(new ApiError(409, "failed", String(result?.["reason"])));
  else if (state === "approved") toast("It is approved and will be done in a moment.");
  else toast({ approve: "It is approved and done.", reject: "It is rejected.", withdraw: "It is withdrawn." }[verb]);
}
