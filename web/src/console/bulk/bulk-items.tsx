import type { ReactNode } from "react";
import type { Schemas } from "../../operator-api.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { Section } from "../../ui/page.tsx";
import { useList } from "../api.ts";

type BulkItem = Schemas["BulkItem"];

const STATES = {
  waiting: { tone: "wait", label: "Waiting" },
  done: { tone: "good", label: "Done" },
  skipped: { tone: "plain", label: "Skipped" },
} as const;

const COLUMNS: readonly Column<BulkItem>[] = [
  { header: "Item", cell: (row) => <span className="font-mono text-[0.8125rem] break-all">{row.item_id}</span> },
  { header: "Result", cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge> },
  { header: "Detail", wideOnly: true, cell: (row) => <span className="wrap-anywhere">{row.detail}</span> },
];

const REFRESH_MILLISECONDS = 2_000;

/** The result of each order or callback of a bulk action. */
export function BulkItems({ selectionId }: { readonly selectionId: string }): ReactNode {
  const list = useList("/bulk/:selection_id/items", { selection_id: selectionId }, REFRESH_MILLISECONDS);
  return (
    <Section title="Results">
      <ListTable
        label="Results"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.item_id}
        empty={<EmptyState>The results will appear here.</EmptyState>}
      />
    </Section>
  );
}
