import { type ReactNode, useState } from "react";
import { membersText } from "../../messages/en/members.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Select } from "../../ui/forms/field.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Member, readRole, type Team, useMembers, useMembersChange } from "./data.ts";
import { PasswordLink } from "./password-link.tsx";
import { SignOnOfMember, signInText } from "./sign-on-of-member.tsx";

type DrawerProps<Role extends string> = {
  readonly team: Team<Role>;
  readonly userId: string;
  /** Whether the signed-in user may manage members. */
  readonly canManage: boolean;
  readonly onClose: () => void;
  /** Additional facts and actions of the site. */
  readonly children?: (member: Member) => ReactNode;
};

export function MemberDrawer<Role extends string>({ team, userId, canManage, onClose, children }: DrawerProps<Role>): ReactNode {
  const { data, error } = useMembers(team);
  const member = data?.members.find(({ user_id }) => user_id === userId);
  return (
    <Drawer title={member?.name ?? membersText.member} onClose={onClose}>
      {!data && !error && <SkeletonCard />}
      {error && <ErrorCard error={error} />}
      {data && !member && <ErrorCard error={new ApiError(404, "not_found", team.notFound)} />}
      {member && <MemberFacts team={team} member={member} />}
      {member && children?.(member)}
      {member && canManage && <ChangeRole team={team} member={member} />}
      {member && canManage && <PasswordLink team={team} member={member} />}
      {member && canManage && <SignOnOfMember team={team} member={member} />}
      {member && canManage && <DisableMember team={team} member={member} />}
    </Drawer>
  );
}

type MemberProps<Role extends string> = { readonly team: Team<Role>; readonly member: Member };

function MemberFacts<Role extends string>({ team, member }: MemberProps<Role>): ReactNode {
  const known = readRole(team, member.role);
  return (
    <Facts
      facts={[
        [membersText.email, <Code key="email" text={member.email} />],
        [membersText.role, known === undefined ? member.role : `${team.roleNames[known]}: ${team.roleDescriptions[known]}`],
        [membersText.status, <Status key="status" value={member.status} />],
        [membersText.secondFactor, member.second_factor ? membersText.yes : membersText.none],
        [membersText.signsInWith, signInText(member)],
        [membersText.lastSeen, <Time key="seen" value={member.last_seen_at} />],
      ]}
    />
  );
}

function ChangeRole<Role extends string>({ team, member }: MemberProps<Role>): ReactNode {
  const [role, setRole] = useState(readRole(team, member.role) ?? team.firstRole);
  const change = useMembersChange(team, () => team.setRole(member.user_id, role));
  return (
    <section className="space-y-3 border-line border-t pt-5">
      <Select
        label={membersText.changeTheRole}
        options={team.roles.map((value) => ({ value, label: team.roleNames[value] }))}
        hint={team.roleDescriptions[role]}
        value={role}
        onChange={(event) => setRole(readRole(team, event.target.value) ?? role)}
      />
      <Button
        busy={change.isPending}
        disabled={role === member.role}
        onClick={() =>
          change.mutate(undefined, {
            onError: toastError,
            onSuccess: () => toast(fill(membersText.isNow, { name: member.name, role: team.roleNames[role] })),
          })
        }
      >
        {membersText.changeTheRole}
      </Button>
    </section>
  );
}

function DisableMember<Role extends string>({ team, member }: MemberProps<Role>): ReactNode {
  const [asking, setAsking] = useState(false);
  const disabled = member.status === "disabled";
  const change = useMembersChange(team, () => team.setEnabled(member.user_id, disabled));
  const run = () =>
    change.mutate(undefined, {
      onError: toastError,
      onSuccess: () =>
        toast(
          disabled ? fill(membersText.canSignInAgain, { name: member.name }) : fill(membersText.canNoLongerSignIn, { name: member.name }),
        ),
      onSettled: () => setAsking(false),
    });
  return (
    <section className="border-line border-t pt-5">
      {disabled ? (
        <Button busy={change.isPending} onClick={run}>
          {membersText.enableThisMember}
        </Button>
      ) : (
        <Button look="danger" onClick={() => setAsking(true)}>
          {membersText.disableThisMember}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={fill(membersText.disableTitle, { name: member.name })}
          action={membersText.disable}
          danger
          busy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={run}
        >
          {fill(membersText.theyAreSignedOutImmediately, { manager: team.manager })}
        </ConfirmDialog>
      )}
    </section>
  );
}
