import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Invitation, roleName, type Team, useMembersChange } from "./data.ts";

type Props<Role extends string> = { readonly team: Team<Role>; readonly invitations: readonly Invitation[]; readonly canManage: boolean };

/** The first admin's invitation has no e-mail address. */
function nameOf({ email }: Invitation): string {
  return email === "" ? "anyone with the link" : email;
}

/** Invitations that were sent and not accepted yet. */
export function Invitations<Role extends string>({ team, invitations, canManage }: Props<Role>): ReactNode {
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useMembersChange(team, team.revoke);
  if (invitations.length === 0) return null;
  return (
    <Card title="Open invitations">
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <li key={invitation.invitation_id} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0">
              <p className="break-all font-medium">{nameOf(invitation)}</p>
              <p className="text-soft text-xs">
                {roleName(team, invitation.role)}, valid until <Time value={invitation.expires_at} />
              </p>
            </div>
            {canManage && (
              <Button look="danger" aria-label={`Revoke the invitation of ${nameOf(invitation)}`} onClick={() => setRevoking(invitation)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title="Revoke this invitation?"
          action="Revoke invitation"
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
