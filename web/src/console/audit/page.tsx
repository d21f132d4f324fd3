import { Outlet, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { actionText } from "../../audit/audit.ts";
import { AuditList } from "../../audit/list.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { ACTOR_FILTER } from "./actor-filter.tsx";
import { type AuditEntry, useActorNames } from "./entry.ts";
import { ExportLogs } from "./export-logs.tsx";
import { useMemberNames } from "./member-names.ts";
import { VerifyChain } from "./verify-chain.tsx";

const KINDS = [
  "account",
  "order",
  "complaint",
  "service",
  "operator",
  "provider",
  "commercial",
  "operator_key",
  "master_key",
  "signing_key",
  "job",
  "reconciliation",
  "staff",
  "portal_user",
  "installation",
  "approval",
  "alert",
  "alert_settings",
];

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "subject_kind", label: "Subject", options: KINDS.map((value) => ({ value, label: actionText(value) })) },
  { kind: "text", name: "subject_id", label: "Subject id", placeholder: "A…" },
  ACTOR_FILTER,
  { kind: "text", name: "action", label: "Action", placeholder: "account.changed" },
  { kind: "day", name: "from", label: "From" },
  { kind: "day", name: "to", label: "To" },
];

/** The hash-chained audit log. */
export function AuditPage(): ReactNode {
  const search = useSearch({ from: "/console/audit" });
  const list = useList("/audit", search);
  const members = useMemberNames(list.rows ?? []);
  const nameOf = useActorNames(members);
  const subject: Column<AuditEntry> = {
    header: "Subject",
    cell: (entry) => <Subject entry={entry} name={members.get(entry.subject_id) ?? nameOf(`${entry.subject_kind}:${entry.subject_id}`)} />,
    wideOnly: true,
  };
  const filtered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Audit"
        actions={
          <>
            <ExportLogs />
            <VerifyChain />
          </>
        }
      >
        Every change, newest first. Each entry contains the hash of the previous one, so altered or missing entries are detected.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      <Card flush>
        <AuditList
          list={list}
          title={(entry) => actionText(entry.action)}
          columns={[subject]}
          who={(entry) => <span className="wrap-anywhere">{nameOf(entry.actor)}</span>}
          link={(entry) => ({ to: "/audit/$seq", params: { seq: String(entry.seq) }, search })}
          empty={filtered ? "No change matches these filters. Change or clear the filters to see more." : "Changes will appear here."}
        />
      </Card>
      <Outlet />
    </>
  );
}

function Subject({ entry, name }: { readonly entry: AuditEntry; readonly name: string }): ReactNode {
  const named = name !== `${entry.subject_kind}:${entry.subject_id}`;
  return (
    <span className="wrap-anywhere">
      {actionText(entry.subject_kind)} {named ? name : <code className="font-mono text-soft text-xs">{entry.subject_id}</code>}
    </span>
  );
}
