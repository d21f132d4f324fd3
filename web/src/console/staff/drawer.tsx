import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Member, useMembersChange } from "../../auth/members/data.ts";
import { MemberDrawer } from "../../auth/members/member-drawer.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { ADMINS, useMay } from "../session.ts";
import { STAFF } from "./staff.ts";

export function StaffDrawer(): ReactNode {
  const { userId } = useParams({ from: "/console/staff/$userId" });
  const navigate = useNavigate();
  const admin = useMay(ADMINS);
  return (
    <MemberDrawer team={STAFF} userId={userId} canManage={admin} onClose={() => void navigate({ to: "/staff" })}>
      {(member) => (
        <section className="flex flex-wrap gap-2 border-line border-t pt-5">
          <LinkButton to="/audit" search={{ actor: `staff:${member.user_id}` }}>
            Show changes
          </LinkButton>
          {admin && member.second_factor && <ResetSecondFactor member={member} />}
        </section>
      )}
    </MemberDrawer>
  );
}

function ResetSecondFactor({ member }: { readonly member: Member }): ReactNode {
  const [asking, setAsking] = useState(false);
  const reset = useMembersChange(STAFF, () => post("/staff/:user_id/reset-second-factor", { user_id: member.user_id }));
  const run = () =>
    reset.mutate(undefined, {
      onError: toastError,
      onSuccess: () => toast(`The second factor was reset. ${member.name} sets up a new one at the next sign-in.`),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Reset second factor
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Reset the second factor of ${member.name}?`}
          action="Confirm reset"
          danger
          busy={reset.isPending}
          onClose={() => setAsking(false)}
          onConfirm={run}
        >
          Their authenticator app, passkeys and recovery codes stop working, and they are signed out everywhere. Verify through another
          channel that the request is theirs, because until the next sign-in their password alone protects their account.
        </ConfirmDialog>
      )}
    </>
  );
}
