import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AuditList } from "../../audit/list.tsx";
import { Card } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { entryTitle } from "./audit.ts";

export function AuditPage(): ReactNode {
  return (
    <Card title="Audit log" hint="Every change to this account and its users, newest first." flush>
      <AuditList
        list={useList("/audit")}
        title={entryTitle}
        who={(entry) => entry.actor_name}
        link={(entry) => ({ to: "/security/audit/$seq", params: { seq: entry.seq } })}
        empty="Changes to this account will appear here."
      />
      <Outlet />
    </Card>
  );
}
