import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { MemberDrawer } from "../../auth/members/member-drawer.tsx";
import { useMay } from "../session.ts";
import { TEAM } from "./team.ts";

export function TeamDrawer(): ReactNode {
  const { userId } = useParams({ from: "/shell/team/$userId" });
  const navigate = useNavigate();
  return <MemberDrawer team={TEAM} userId={userId} canManage={useMay("owners")} onClose={() => void navigate({ to: "/team" })} />;
}
