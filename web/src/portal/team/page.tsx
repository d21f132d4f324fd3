import type { ReactNode } from "react";
import { MembersPage } from "../../auth/members/page.tsx";
import { useMay } from "../session.ts";
import { TEAM } from "./team.ts";

export function TeamPage(): ReactNode {
  return (
    <MembersPage
      team={TEAM}
      title="Team"
      about="Who works with this account, and what each of them may do."
      canManage={useMay("owners")}
      link={(userId) => ({ to: "/team/$userId", params: { userId } })}
    />
  );
}
