import { type LinkProps, Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { membersText } from "../../messages/en/members.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge, Status } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card, Facts, PageHeader } from "../../ui/page.tsx";
import { type Member, roleName, type Team, useMembers } from "./data.ts";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";

const columnsOf = <Role extends string>(team: Team<Role>): readonly Column<Member>[] => [
  { header: membersText.name, cell: (member) => member.name },
  { header: membersText.email, cell: (member) => <span className="break-all">{member.email}</span>, wideOnly: true },
  { header: membersText.role, cell: (member) => roleName(team, member.role) },
  {
    header: membersText.secondFactor,
    cell: (member) => (member.second_factor ? membersText.yes : <Badge tone="wait">{membersText.none}</Badge>),
    wideOnly: true,
  },
  { header: membersText.status, cell: (member) => <Status value={member.status} /> },
  { header: membersText.lastSeen, cell: (member) => <Time value={member.last_seen_at} />, wideOnly: true },
];

type Props<Role extends string> = {
  readonly team: Team<Role>;
  readonly title: string;
  readonly about: string;
  /** Whether the signed-in user may manage members. */
  readonly canManage: boolean;
  readonly link: (userId: string) => LinkProps;
};

/** The members, the open invitations and the roles. The child route is a member's drawer. */
export function MembersPage<Role extends string>({ team, title, about, canManage, link }: Props<Role>): ReactNode {
  const { data, error, refetch } = useMembers(team);
  const [inviting, setInviting] = useState(false);
  const invite = (
    <Button look="primary" icon={Plus} onClick={() => setInviting(true)}>
      {membersText.inviteAMember}
    </Button>
  );
  return (
    <>
      <PageHeader title={title} {...(canManage ? { actions: invite } : {})}>
        {about}
      </PageHeader>
      {error && data === undefined ? (
        <ErrorCard error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-6">
          <Card title={membersText.members} flush>
            <DataTable
              label={membersText.members}
              columns={columnsOf(team)}
              rows={data?.members}
              rowKey={(member) => member.user_id}
              link={(member) => link(member.user_id)}
              empty={<EmptyState>{membersText.membersWillAppearHereWhen}</EmptyState>}
            />
          </Card>
          <Invitations team={team} invitations={data?.invitations ?? []} canManage={canManage} />
          <Card title={membersText.roles}>
            <Facts facts={team.roles.map((role) => [team.roleNames[role], team.roleDescriptions[role]])} />
          </Card>
        </div>
      )}
      {inviting && <InviteDialog team={team} onClose={() => setInviting(false)} />}
      <Outlet />
    </>
  );
}
