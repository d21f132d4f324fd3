import { useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Invitable, type Member, roleName, useMembers } from "../../auth/members/data.ts";
import { InviteDialog } from "../../auth/members/invite-dialog.tsx";
import { PasswordLinkCard } from "../../auth/members/password-link.tsx";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLES } from "../../portal/roles.ts";
import type { Role } from "../../portal/session.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { get, post } from "../api.ts";
import { ADMINS, OPERATIONS, useMay } from "../session.ts";
import { membersOf } from "../staff/staff.ts";
import { type Account, useAccountPost } from "./account.ts";
import { ReasonButton } from "./reason-button.tsx";
import { SignOnCard } from "./settings/sign-on-card.tsx";

/** A client's members. */
function teamOf(accountId: string, isAdmin = true): Invitable<Role> {
  return {
    key: `/accounts/${accountId}/people`,
    read: async (signal) => membersOf(await get("/accounts/:account_id/people", { account_id: accountId }, signal)),
    invite: async (user) => (await post("/accounts/:account_id/portal-invitations", { account_id: accountId, ...user })).invitation_url,
    roleNames: ROLE_NAMES,
    roleDescriptions: ROLE_DESCRIPTIONS,
    // Owners and developers can see the client's credentials, so only an admin may invite them.
    roles: isAdmin ? ROLES : ROLES.filter((role) => role !== "owner" && role !== "developer"),
    firstRole: isAdmin ? "owner" : "operations",
  };
}

const nameOfRole = (role: string) => roleName({ roles: ROLES, roleNames: ROLE_NAMES }, role);

type UsersTabProps = {
  readonly account: Account;
  /** Email address of the owner, if known, for the first invitation. */
  readonly ownerEmail?: string | undefined;
};

export function UsersTab({ account, ownerEmail }: UsersTabProps): ReactNode {
  const isAdmin = useMay(ADMINS);
  const team = teamOf(account.account_id, isAdmin);
  const { data, error, refetch } = useMembers(team);
  const isAllowed = useMay(OPERATIONS) && account.closed_at === null;
  const [inviting, setInviting] = useState(false);
  const hasNobody = data !== undefined && data.members.length + data.invitations.length === 0;
  const firstEmail = isAdmin && hasNobody ? ownerEmail : undefined;
  const invite = (
    <Button icon={UserPlus} onClick={() => setInviting(true)}>
      Invite a member
    </Button>
  );
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  return (
    <div className="space-y-6">
      <Card
        title="Members"
        hint="Owners invite other members in the portal. Only an admin can invite an owner or a developer here; the owners are notified by email."
        flush
        {...(isAllowed ? { actions: invite } : {})}
      >
        <DataTable
          label="Members"
          columns={columnsOf(account, isAllowed)}
          rows={data?.members}
          rowKey={(member) => member.user_id}
          empty={
            <EmptyState icon={UserPlus}>
              Members of this client will appear here. {isAdmin ? "Invite the first owner." : "Ask an admin to invite the first owner."}
            </EmptyState>
          }
        />
      </Card>
      {data !== undefined && data.invitations.length > 0 && (
        <Card title="Open invitations">
          <ul className="space-y-2">
            {data.invitations.map((invitation) => (
              <li key={invitation.invitation_id} className="flex flex-wrap justify-between gap-x-4">
                <span className="break-all">
                  {invitation.email}, {nameOfRole(invitation.role)}
                </span>
                <span className="text-soft">
                  valid until <Time value={invitation.expires_at} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <SignOnCard account={account} canChange={isAllowed} />
      {inviting && <InviteDialog team={{ ...team, firstEmail }} onClose={() => setInviting(false)} />}
    </div>
  );
}

function columnsOf(account: Account, isAllowed: boolean): readonly Column<Member>[] {
  return [
    { header: "Name", cell: (member) => <NameAndEmail member={member} /> },
    { header: "Role", wideOnly: true, cell: (member) => nameOfRole(member.role) },
    { header: "Status", wideOnly: true, cell: (member) => <Status value={member.status} /> },
    { header: "Second factor", cell: (member) => <SecondFactor account={account} member={member} isAllowed={isAllowed} /> },
    ...(isAllowed ? [{ header: "Password", cell: (member: Member) => <NewPasswordLink account={account} member={member} /> }] : []),
  ];
}

function NameAndEmail({ member }: { readonly member: Member }): ReactNode {
  return (
    <span className="block min-w-0">
      <span className="break-words">{member.name}</span>
      <span className="block break-all text-soft text-xs">{member.email}</span>
      <span className="block text-soft text-xs sm:hidden">{nameOfRole(member.role)}</span>
    </span>
  );
}

type FactorProps = { readonly account: Account; readonly member: Member; readonly isAllowed: boolean };

function SecondFactor({ account, member, isAllowed }: FactorProps): ReactNode {
  const queries = useQueryClient();
  const send = useAccountPost();
  if (!member.second_factor) return <Badge tone="wait">None</Badge>;
  if (!isAllowed) return "Yes";
  const reset = async (reason: string | undefined) => {
    await send("/accounts/:account_id/people/:user_id/reset-second-factor", {
      account_id: account.account_id,
      user_id: member.user_id,
      reason,
    });
    await queries.invalidateQueries({ queryKey: [teamOf(account.account_id).key] });
    toast(`The second factor of ${member.name} was reset.`);
  };
  return (
    <ReasonButton
      account={account}
      label="Reset"
      title={`Reset the second factor of ${member.name}?`}
      action="Reset second factor"
      danger
      run={reset}
    >
      Their authenticator app, passkeys and recovery codes stop working, and they are signed out everywhere. Verify through another channel
      that the request is theirs.
    </ReasonButton>
  );
}

/** A link for a member who forgot the password and gets no email. */
function NewPasswordLink({ account, member }: { readonly account: Account; readonly member: Member }): ReactNode {
  const send = useAccountPost();
  const [link, setLink] = useState<string | null>(null);
  if (member.status === "disabled") return <span className="text-soft">–</span>;
  const create = async (reason: string | undefined) => {
    const made = await send("/accounts/:account_id/people/:user_id/password-link", {
      account_id: account.account_id,
      user_id: member.user_id,
      reason,
    });
    setLink(made.password_url);
  };
  return (
    <>
      <ReasonButton
        account={account}
        label="Create link"
        title={`Create a password link for ${member.name}?`}
        action="Create password link"
        run={create}
      >
        Whoever opens the link chooses the new password of {member.email}. Verify through another channel that the request is theirs. The
        present password works until then, and the owners are notified.
      </ReasonButton>
      {link !== null && <PasswordLinkCard link={link} name={member.name} onStored={() => setLink(null)} />}
    </>
  );
}
