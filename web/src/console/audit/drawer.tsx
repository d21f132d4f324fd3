import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { actionText } from "../../audit/audit.ts";
import { AuditEntryDrawer } from "../../audit/entry-drawer.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import type { Fact } from "../../ui/page.tsx";
import { get } from "../api.ts";
import { type AuditEntry, useActorNames } from "./entry.ts";
import { useMemberNames } from "./member-names.ts";

export function AuditDrawer(): ReactNode {
  const { seq } = useParams({ from: "/console/audit/$seq" });
  const search = useSearch({ from: "/console/audit" });
  const navigate = useNavigate();
  return (
    <AuditEntryDrawer
      seq={seq}
      readPage={(page, signal) => get("/audit", page, signal)}
      title={(entry) => actionText(entry.action)}
      who={(entry) => <Who entry={entry} />}
      facts={subjectFacts}
      footer={(entry) => <Related entry={entry} />}
      onClose={() => void navigate({ to: "/audit", search })}
    />
  );
}

function Who({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { actor } = entry;
  const name = useActorNames(useMemberNames([entry]))(actor);
  return name === actor ? <Code text={actor} /> : `${name} (${actor})`;
}

function subjectFacts(entry: AuditEntry): readonly Fact[] {
  return [
    ["Subject", actionText(entry.subject_kind)],
    ["Subject id", <Code key="id" text={entry.subject_id} />],
    ["Hash", <Code key="hash" text={entry.hash} />],
  ];
}

function Related({ entry }: { readonly entry: AuditEntry }): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton to="/audit" search={{ subject_kind: entry.subject_kind, subject_id: entry.subject_id }}>
        Show all changes of this subject
      </LinkButton>
      <LinkButton to="/audit" search={{ actor: entry.actor }}>
        Show all changes by this actor
      </LinkButton>
    </div>
  );
}
