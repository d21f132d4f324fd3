import { Outlet } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useList } from "../api.ts";
import { type AuditEntry, actionText } from "./audit.ts";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: "Action", cell: (entry) => actionText(entry.action) },
  { header: "Who", cell: (entry) => entry.actor_name },
  { header: "When", cell: (entry) => <Time value={entry.at} />, wideOnly: true },
];

export function AuditPage(): ReactNode {
  const list = useList("/audit");
  return (
    <Card title="Audit log" hint="Every change to this account and its users, newest first." flush>
      <ListTable
        label="Audit"
        list={list}
        columns={COLUMNS}
        rowKey={(entry) => String(entry.seq)}
        link={(entry) => ({ to: "/security/audit/$seq", params: { seq: String(entry.seq) } })}
        empty={<EmptyState icon={ListChecks}>Changes to this account will appear here.</EmptyState>}
      />
      <Outlet />
    </Card>
  );
}
