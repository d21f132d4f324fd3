import type { ReactNode } from "react";
import { MembersPage } from "../../auth/members/page.tsx";
import { useMay } from "../session.ts";
import { TEAM } from "./team.ts";

export function TeamPage(): ReactNode {
  return (
    <MembersPage
      team={TEAM}
      title="Team"
      about="The users of this account and their roles."
      canManage={useMay("owners")}
      link={(userId) => ({ to: "/team/$userId", params: { userId } })}
    />
  );
}
