import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { actionText, readAuditEntry } from "../../auth/audit.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";
import { type AuditEntry, useActorNames } from "./entry.ts";

export function AuditDrawer(): ReactNode {
  const { seq } = useParams({ from: "/console/audit/$seq" });
  const search = useSearch({ from: "/console/audit" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/audit", seq],
    queryFn: ({ signal }) => readAuditEntry(seq, (page) => get("/audit", page, signal)),
  });
  return (
    <Drawer title={query.data ? actionText(query.data.action) : "Entry"} onClose={() => void navigate({ to: "/audit", search })}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(entry) => <Entry entry={entry} />}
      </QueryView>
    </Drawer>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const nameOf = useActorNames();
  const name = nameOf(entry.actor);
  const about = { subject_kind: entry.subject_kind, subject_id: entry.subject_id };
  return (
    <>
      <Facts
        facts={[
          ["Number", String(entry.seq)],
          ["When", <Time key="at" value={entry.at} />],
          ["Who", name === entry.actor ? <Code key="who" text={entry.actor} /> : `${name} (${entry.actor})`],
          ["Action", <code key="action">{entry.action}</code>],
          ["Subject", actionText(entry.subject_kind)],
          ["Subject id", <Code key="id" text={entry.subject_id} />],
          ["Hash", <Code key="hash" text={entry.hash} />],
        ]}
      />
      <CodeBlock title="Details" code={JSON.stringify(entry.details, null, 2)} />
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/audit" search={about}>
          Show all changes of this subject
        </LinkButton>
        <LinkButton to="/audit" search={{ actor: entry.actor }}>
          Show all changes by this actor
        </LinkButton>
      </div>
    </>
  );
}
