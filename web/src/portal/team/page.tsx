import type { ReactNode } from "react";
import { MembersPage } from "../../auth/members/page.tsx";
import { membersText } from "../../messages/en/members.ts";
import { useMay } from "../session.ts";
import { TEAM } from "./team.ts";

export function TeamPage(): ReactNode {
  return (
    <MembersPage
      team={TEAM}
      title={membersText.team}
      about={membersText.theMembersOfThisAccount}
      canManage={useMay("owners")}
      link={(userId) => ({ to: "/team/$userId", params: { userId } })}
    />
  );
}
