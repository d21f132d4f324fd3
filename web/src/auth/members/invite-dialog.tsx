import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { membersText } from "../../messages/en/members.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors } from "../../ui/forms/field.tsx";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useSession } from "../../ui/requests/session.ts";
import { type Invitable, readRole, useMembersChange } from "./data.ts";

type Values = { email: string; role: string };
type Props<Role extends string> = { readonly team: Invitable<Role>; readonly onClose: () => void };

/** Asks for the email address and the role, then shows the link once. */
export function InviteDialog<Role extends string>({ team, onClose }: Props<Role>): ReactNode {
  const { register, handleSubmit, setError, watch, formState } = useForm<Values>({
    defaultValues: { email: team.firstEmail ?? "", role: team.firstRole },
  });
  const { errors } = formState;
  const [link, setLink] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const mailed = useSession()?.mail ?? false;
  const invite = useMembersChange(team, team.invite);
  const send = async (values: Values) => {
    try {
      setLink(await invite.mutateAsync({ email: values.email, role: readRole(team, values.role) ?? team.firstRole }));
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["email", "role"], setError)) throw refused;
    }
  };
  if (link !== null) {
    return (
      <SecretCard title={membersText.theInvitationIsReady} name={membersText.invitationLink} secret={link} onStored={onClose}>
        {mailed ? membersText.theLinkWasSentBy : membersText.thisInstallationSendsNoEmail}
      </SecretCard>
    );
  }
  return (
    <Dialog title={membersText.inviteAMember} onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <Field
          label={membersText.emailAddress}
          type="email"
          autoComplete="off"
          error={errors.email?.message}
          {...register("email", { required: membersText.enterAnEmailAddress })}
        />
        <Select
          label={membersText.role}
          options={team.roles.map((role) => ({ value: role, label: team.roleNames[role] }))}
          hint={team.roleDescriptions[readRole(team, watch("role")) ?? team.firstRole]}
          error={errors.role?.message}
          {...register("role")}
        />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy}>
            {membersText.createInvitation}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
