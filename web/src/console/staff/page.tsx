import type { ReactNode } from "react";
import { MembersPage } from "../../auth/members/page.tsx";
import { ADMINS, useMay } from "../session.ts";
import { STAFF } from "./staff.ts";

export function StaffPage(): ReactNode {
  return (
    <MembersPage
      team={STAFF}
      title="Staff"
      about="The platform's staff and their roles."
      canManage={useMay(ADMINS)}
      link={(userId) => ({ to: "/staff/$userId", params: { userId } })}
    />
  );
}
