import type { LinkProps } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { auditText } from "../messages/en/audit.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Time } from "../ui/formats/time.tsx";
import { type Column, ListTable } from "../ui/lists/data-table.tsx";
import type { List } from "../ui/lists/list.ts";
import type { AuditEntry } from "./audit.ts";

type Props<Entry> = {
  readonly list: List<Entry>;
  /** The label of the action. */
  readonly title: (entry: Entry) => string;
  readonly who: (entry: Entry) => ReactNode;
  /** Columns between the action and who did it. */
  readonly columns?: readonly Column<Entry>[];
  /** The link to the entry's drawer. */
  readonly link: (entry: Entry) => LinkProps;
  readonly empty: string;
};

/** The table of changes, newest first. A row opens the entry's drawer. */
export function AuditList<Entry extends AuditEntry>({ list, title, who, columns = [], link, empty }: Props<Entry>): ReactNode {
  return (
    <ListTable
      label={auditText.audit}
      list={list}
      columns={[
        { header: auditText.action, cell: title },
        ...columns,
        { header: auditText.who, cell: who },
        { header: auditText.when, cell: (entry) => <Time value={entry.at} />, wideOnly: true },
      ]}
      rowKey={(entry) => String(entry.seq)}
      link={link}
      empty={<EmptyState icon={ListChecks}>{empty}</EmptyState>}
    />
  );
}
