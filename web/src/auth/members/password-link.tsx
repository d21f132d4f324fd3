import { type ReactNode, useState } from "react";
import { membersText } from "../../messages/en/members.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { type Member, readRole, type Team } from "./data.ts";

type Props<Role extends string> = { readonly team: Team<Role>; readonly member: Member };

/** Creates a link for a member who forgot the password and gets no mail. */
export function PasswordLink<Role extends string>({ team, member }: Props<Role>): ReactNode {
  const { passwordLink, withoutPasswordLink = [] } = team;
  const [asking, setAsking] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const role = readRole(team, member.role);
  if (passwordLink === undefined || member.status === "disabled" || (role !== undefined && withoutPasswordLink.includes(role))) return null;
  const run = () => {
    setAsking(false);
    void attempt(async () => setLink(await passwordLink(member.user_id)));
  };
  return (
    <section className="space-y-3 border-line border-t pt-5">
      <Button busy={busy} onClick={() => setAsking(true)}>
        {membersText.createPasswordLink}
      </Button>
      {error !== null && <ErrorCard error={error} />}
      {asking && (
        <ConfirmDialog
          title={fill(membersText.createPasswordLinkFor, { name: member.name })}
          action={membersText.createPasswordLink}
          busy={busy}
          onClose={() => setAsking(false)}
          onConfirm={run}
        >
          {membersText.whoeverOpensThePasswordLink}
        </ConfirmDialog>
      )}
      {link !== null && <PasswordLinkCard link={link} name={member.name} onStored={() => setLink(null)} />}
    </section>
  );
}

type CardProps = { readonly link: string; readonly name: string; readonly onStored: () => void };

/** Shows the link once. */
export function PasswordLinkCard({ link, name, onStored }: CardProps): ReactNode {
  return (
    <SecretCard title={membersText.thePasswordLinkIsReady} name={membersText.passwordLink} secret={link} onStored={onStored}>
      {fill(membersText.giveThePasswordLink, { name })}
    </SecretCard>
  );
}
