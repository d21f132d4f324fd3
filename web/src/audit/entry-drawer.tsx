import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { auditText } from "../messages/en/audit.ts";
import { CodeBlock } from "../ui/formats/code-block.tsx";
import { Time } from "../ui/formats/time.tsx";
import { Drawer } from "../ui/overlays/drawer.tsx";
import { type Fact, Facts } from "../ui/page.tsx";
import { QueryView } from "../ui/requests/query-view.tsx";
import { SkeletonCard } from "../ui/skeleton.tsx";
import { type AuditEntry, type PageQuery, readAuditEntry } from "./audit.ts";

type Props<Entry> = {
  readonly seq: string;
  /** Reads a page of the site's audit log. */
  readonly readPage: (page: PageQuery, signal: AbortSignal) => Promise<{ readonly items: readonly Entry[] }>;
  /** The label of the action. */
  readonly title: (entry: Entry) => string;
  readonly who: (entry: Entry) => ReactNode;
  /** Facts below the action that only this site shows. */
  readonly facts?: (entry: Entry) => readonly Fact[];
  /** Shown below the details, such as links. */
  readonly footer?: (entry: Entry) => ReactNode;
  readonly onClose: () => void;
};

/** The drawer of one change. */
export function AuditEntryDrawer<Entry extends AuditEntry>(props: Props<Entry>): ReactNode {
  const { seq, readPage, title, who, facts, footer, onClose } = props;
  const query = useQuery({
    queryKey: ["/audit", seq],
    queryFn: ({ signal }) => readAuditEntry(seq, (page) => readPage(page, signal)),
  });
  return (
    <Drawer title={query.data ? title(query.data) : auditText.entry} onClose={onClose}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(entry) => (
          <>
            <Facts
              facts={[
                [auditText.number, String(entry.seq)],
                [auditText.when, <Time key="at" value={entry.at} />],
                [auditText.who, who(entry)],
                [auditText.action, <code key="action">{entry.action}</code>],
                ...(facts?.(entry) ?? []),
              ]}
            />
            <CodeBlock title={auditText.details} code={JSON.stringify(entry.details, null, 2)} />
            {footer?.(entry)}
          </>
        )}
      </QueryView>
    </Drawer>
  );
}
