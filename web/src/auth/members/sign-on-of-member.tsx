import { type ReactNode, useState } from "react";
import { membersText } from "../../messages/en/members.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { type Member, type Team, useMembersChange } from "./data.ts";

export function signInText(member: Member): string {
  if (member.break_glass) return membersText.passwordAsEmergencyAccount;
  return member.single_sign_on ? membersText.singleSignOn : membersText.passwordOrPasskey;
}

type Props<Role extends string> = { readonly team: Team<Role>; readonly member: Member };

/** Makes a member an emergency account, or unlinks them from their identity at the identity provider. */
export function SignOnOfMember<Role extends string>({ team, member }: Props<Role>): ReactNode {
  const [asking, setAsking] = useState<"emergency" | "unlink" | null>(null);
  const mark = useMembersChange(team, () => team.setBreakGlass(member.user_id, !member.break_glass));
  const unlink = useMembersChange(team, () => team.unlinkIdentity(member.user_id));
  const after = (done: string) => ({ onError: toastError, onSuccess: () => toast(done), onSettled: () => setAsking(null) });
  const title = member.break_glass
    ? fill(membersText.makeAnOrdinaryMemberAgain, { name: member.name })
    : fill(membersText.makeAnEmergencyAccount, { name: member.name });
  return (
    <section className="flex flex-wrap gap-2 border-line border-t pt-5">
      <Button onClick={() => setAsking("emergency")}>
        {member.break_glass ? membersText.removeEmergencyMark : membersText.makeEmergencyAccount}
      </Button>
      {member.single_sign_on && <Button onClick={() => setAsking("unlink")}>{membersText.unlinkIdentity}</Button>}
      {asking === "emergency" && (
        <ConfirmDialog
          title={title}
          action={membersText.confirm}
          busy={mark.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => mark.mutate(undefined, after(fill(membersText.wasChanged, { name: member.name })))}
        >
          {membersText.anEmergencyAccountSignsIn}
        </ConfirmDialog>
      )}
      {asking === "unlink" && (
        <ConfirmDialog
          title={fill(membersText.unlinkTheIdentityOf, { name: member.name })}
          action={membersText.unlink}
          danger
          busy={unlink.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => unlink.mutate(undefined, after(fill(membersText.isLinkedAgainAtThe, { name: member.name })))}
        >
          {fill(membersText.theyAreSignedOutThe, { email: member.email })}
        </ConfirmDialog>
      )}
    </section>
  );
}
