import { type ReactNode, useState } from "react";
import { membersText } from "../../messages/en/members.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { type Invitation, roleName, type Team, useMembersChange } from "./data.ts";

type Props<Role extends string> = { readonly team: Team<Role>; readonly invitations: readonly Invitation[]; readonly canManage: boolean };

/** The first admin's invitation has no email address. */
function nameOf({ email }: Invitation): string {
  return email === "" ? membersText.anyoneWithTheLink : email;
}

/** Invitations that were sent and not accepted yet. */
export function Invitations<Role extends string>({ team, invitations, canManage }: Props<Role>): ReactNode {
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useMembersChange(team, team.revoke);
  if (invitations.length === 0) return null;
  return (
    <Card title={membersText.openInvitations}>
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <li key={invitation.invitation_id} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0">
              <p className="break-all font-medium">{nameOf(invitation)}</p>
              <p className="text-soft text-xs">
                {rich(membersText.validUntil, { team: roleName(team, invitation.role), time: <Time value={invitation.expires_at} /> })}
              </p>
            </div>
            {canManage && (
              <Button
                look="danger"
                aria-label={fill(membersText.revokeTheInvitationOf, { invitation: nameOf(invitation) })}
                onClick={() => setRevoking(invitation)}
              >
                {membersText.revoke}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title={membersText.revokeThisInvitation}
          action={membersText.revokeInvitation}
          danger
          busy={revoke.isPending}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            revoke.mutate(revoking.invitation_id, {
              onSuccess: () => toast(membersText.theLinkNoLongerWorks),
              onError: toastError,
              onSettled: () => setRevoking(null),
            })
          }
        >
          {fill(membersText.theLinkForStopsWorking, { revoking: nameOf(revoking) })}
        </ConfirmDialog>
      )}
    </Card>
  );
}
