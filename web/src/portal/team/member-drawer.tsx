import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ApiError, post } from "../../ui/api.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Select } from "../../ui/field.tsx";
import { Facts } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { ROLE_MEANS, ROLE_NAMES, ROLE_OPTIONS } from "../roles.ts";
import { type Role, useMay } from "../session.ts";
import { type Member, teamQuery, useTeamChange } from "./data.ts";

const NOBODY = new ApiError(404, "not_found", "There is no such member of this account.");

export function MemberDrawer(): ReactNode {
  const { userId } = useParams({ from: "/shell/team/$userId" });
  const navigate = useNavigate();
  const { data, error } = useQuery(teamQuery);
  const owner = useMay("owners");
  const member = data?.members.find((one) => one.user_id === userId);
  return (
    <Drawer title={member?.name ?? "Member"} onClose={() => void navigate({ to: "/team" })}>
      {!data && !error && <SkeletonCard />}
      {error && <ErrorCard error={error} />}
      {data && !member && <ErrorCard error={NOBODY} />}
      {member && <MemberFacts member={member} />}
      {member && owner && <ChangeRole member={member} />}
      {member && owner && <SwitchMember member={member} />}
    </Drawer>
  );
}

function MemberFacts({ member }: { readonly member: Member }): ReactNode {
  return (
    <Facts
      facts={[
        ["E-mail", <Code key="email" text={member.email} />],
        ["Role", `${ROLE_NAMES[member.role]}: ${ROLE_MEANS[member.role]}`],
        ["Status", <Status key="status" value={member.status} />],
        ["Second factor", member.second_factor ? "Yes" : "None"],
        ["Last seen", <Time key="seen" value={member.last_seen_at} />],
      ]}
    />
  );
}

function ChangeRole({ member }: { readonly member: Member }): ReactNode {
  const [role, setRole] = useState<Role>(member.role);
  const change = useTeamChange(() => post(`/team/${member.user_id}/role`, { role }));
  return (
    <section className="space-y-3 border-line border-t pt-5">
      <Select
        label="Change the role"
        options={ROLE_OPTIONS}
        hint={ROLE_MEANS[role]}
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      />
      <Button
        busy={change.isPending}
        disabled={role === member.role}
        onClick={() =>
          change.mutate(undefined, { onError: toastError, onSuccess: () => toast(`${member.name} is now ${ROLE_NAMES[role]}.`) })
        }
      >
        Change the role
      </Button>
    </section>
  );
}

function SwitchMember({ member }: { readonly member: Member }): ReactNode {
  const [asking, setAsking] = useState(false);
  const disabled = member.status === "disabled";
  const change = useTeamChange(() => post(`/team/${member.user_id}/${disabled ? "enable" : "disable"}`));
  const run = () =>
    change.mutate(undefined, {
      onError: toastError,
      onSuccess: () => toast(disabled ? `${member.name} may sign in again.` : `${member.name} can no longer sign in.`),
      onSettled: () => setAsking(false),
    });
  return (
    <section className="border-line border-t pt-5">
      {disabled ? (
        <Button busy={change.isPending} onClick={run}>
          Let them in again
        </Button>
      ) : (
        <Button look="danger" onClick={() => setAsking(true)}>
          Disable this member
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={`Disable ${member.name}?`}
          action="Disable"
          danger
          busy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={run}
        >
          They are signed out at once and cannot sign in until an owner lets them in again.
        </ConfirmDialog>
      )}
    </section>
  );
}
