import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AuditList } from "../../audit/list.tsx";
import { securityText } from "../../messages/en/security.ts";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { entryTitle } from "./audit.ts";

export function AuditPage(): ReactNode {
  return (
    <Card title={securityText.auditLog} hint={securityText.everyChangeToThisAccount} flush>
      <AuditList
        list={useList("/audit")}
        title={entryTitle}
        who={(entry) => entry.actor_name}
        link={(entry) => ({ to: "/security/audit/$seq", params: { seq: entry.seq } })}
        empty={securityText.changesToThisAccountWill}
      />
      <Outlet />
    </Card>
  );
}
