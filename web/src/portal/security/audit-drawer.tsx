import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AuditEntryDrawer } from "../../audit/entry-drawer.tsx";
import { get } from "../api.ts";
import { entryTitle } from "./audit.ts";

export function AuditDrawer(): ReactNode {
  const { seq } = useParams({ from: "/shell/security/audit/$seq" });
  const navigate = useNavigate();
  return (
    <AuditEntryDrawer
      seq={seq}
      readPage={(page, signal) => get("/audit", page, signal)}
      title={entryTitle}
      who={(entry) => entry.actor_name}
      onClose={() => void navigate({ to: "/security/audit" })}
    />
  );
}
