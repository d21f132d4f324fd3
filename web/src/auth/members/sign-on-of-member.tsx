import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Member, type Team, useMembersChange } from "./data.ts";

export function signInText(member: Member): string {
  if (member.break_glass) return "Password, as emergency account";
  return member.single_sign_on ? "Single sign-on" : "Password or passkey";
}

type Props<Role extends string> = { readonly team: Team<Role>; readonly member: Member };

/** Makes a member an emergency account, or unlinks them from their identity at the identity provider. */
export function SignOnOfMember<Role extends string>({ team, member }: Props<Role>): ReactNode {
  const [asking, setAsking] = useState<"emergency" | "unlink" | null>(null);
  const mark = useMembersChange(team, () => team.setBreakGlass(member.user_id, !member.break_glass));
  const unlink = useMembersChange(team, () => team.unlinkIdentity(member.user_id));
  const after = (done: string) => ({ onError: toastError, onSuccess: () => toast(done), onSettled: () => setAsking(null) });
  const title = member.break_glass ? `Make ${member.name} an ordinary member again?` : `Make ${member.name} an emergency account?`;
  return (
    <section className="flex flex-wrap gap-2 border-line border-t pt-5">
      <Button onClick={() => setAsking("emergency")}>{member.break_glass ? "Remove emergency mark" : "Make emergency account"}</Button>
      {member.single_sign_on && <Button onClick={() => setAsking("unlink")}>Unlink identity</Button>}
      {asking === "emergency" && (
        <ConfirmDialog
          title={title}
          action="Confirm"
          busy={mark.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => mark.mutate(undefined, after(`${member.name} was changed.`))}
        >
          An emergency account signs in with its password even while single sign-on is enforced, and never through the identity provider.
          Every use is recorded.
        </ConfirmDialog>
      )}
      {asking === "unlink" && (
        <ConfirmDialog
          title={`Unlink the identity of ${member.name}?`}
          action="Unlink"
          danger
          busy={unlink.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => unlink.mutate(undefined, after(`${member.name} is linked again at the next sign-in.`))}
        >
          They are signed out. The next person who signs in with the verified address {member.email} is linked to this member.
        </ConfirmDialog>
      )}
    </section>
  );
}
