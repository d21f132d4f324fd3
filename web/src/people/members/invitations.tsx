import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Invitation, type Team, useMembersChange } from "./data.ts";

type Props = { readonly team: Team; readonly invitations: readonly Invitation[]; readonly keeper: boolean };

/** The first admin's link is for whoever has it. */
function nameOf({ email }: Invitation): string {
  return email === "" ? "whoever has the link" : email;
}

/** Links that were sent and not yet opened. */
export function Invitations({ team, invitations, keeper }: Props): ReactNode {
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useMembersChange(team, (id: string) => post(`${team.path}/invitations/${id}/revoke`));
  if (invitations.length === 0) return null;
  return (
    <Card title="Open invitations">
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <li key={invitation.invitation_id} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0">
              <p className="break-all font-medium">{nameOf(invitation)}</p>
              <p className="text-soft text-xs">
                {team.roleNames[invitation.role]}, good until <Time value={invitation.expires_at} />
              </p>
            </div>
            {keeper && (
              <Button
                look="danger"
                aria-label={`Take back the invitation of ${nameOf(invitation)}`}
                onClick={() => setRevoking(invitation)}
              >
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title="Take back this invitation?"
          action="Take it back"
          danger
          busy={revoke.isPending}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            revoke.mutate(revoking.invitation_id, {
              onSuccess: () => toast("The link no longer works."),
              onError: toastError,
              onSettled: () => setRevoking(null),
            })
          }
        >
          The link for {nameOf(revoking)} stops working.
        </ConfirmDialog>
      )}
    </Card>
  );
}
