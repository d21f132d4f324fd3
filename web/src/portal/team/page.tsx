import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Badge, Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Facts, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { ROLE_MEANS, ROLE_NAMES } from "../roles.ts";
import { type Role, useMay } from "../session.ts";
import { type Member, teamQuery } from "./data.ts";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";

const COLUMNS: readonly Column<Member>[] = [
  { header: "Name", cell: (member) => member.name },
  { header: "E-mail", cell: (member) => <span className="break-all">{member.email}</span>, wideOnly: true },
  { header: "Role", cell: (member) => ROLE_NAMES[member.role] },
  { header: "Second factor", cell: (member) => (member.second_factor ? "Yes" : <Badge tone="wait">None</Badge>), wideOnly: true },
  { header: "Status", cell: (member) => <Status value={member.status} /> },
  { header: "Last seen", cell: (member) => <Time value={member.last_seen_at} />, wideOnly: true },
];

export function TeamPage(): ReactNode {
  const { data, error, refetch } = useQuery(teamQuery);
  const owner = useMay("owners");
  const [inviting, setInviting] = useState(false);
  const invite = (
    <Button look="primary" icon={Plus} onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  );
  return (
    <>
      <PageHeader title="Team" {...(owner ? { actions: invite } : {})}>
        Who works with this account, and what each of them may do.
      </PageHeader>
      {error && data === undefined ? (
        <ErrorCard error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-6">
          <Card title="Members" flush>
            <DataTable
              label="Members"
              columns={COLUMNS}
              rows={data?.members}
              rowKey={(member) => member.user_id}
              link={(member) => ({ to: "/team/$userId", params: { userId: member.user_id } })}
              empty={<EmptyState>Everybody who accepts an invitation will stand here.</EmptyState>}
            />
          </Card>
          <Invitations invitations={data?.invitations ?? []} owner={owner} />
          <Card title="Roles">
            <Facts facts={(Object.keys(ROLE_NAMES) as Role[]).map((role) => [ROLE_NAMES[role], ROLE_MEANS[role]])} />
          </Card>
        </div>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      <Outlet />
    </>
  );
}
