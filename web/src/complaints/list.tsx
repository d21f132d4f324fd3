import { MessageSquareWarning } from "lucide-react";
import type { ReactNode } from "react";
import { complaintsText } from "../messages/en/complaints.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { type Column, ListTable } from "../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../ui/lists/filter-bar.tsx";
import type { List } from "../ui/lists/list.ts";
import { Card } from "../ui/page.tsx";
import type { Complaint } from "./complaint.ts";
import { reasonText } from "./labels.ts";

type Props<Row> = {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  readonly empty: ReactNode;
};

/** The filters and the table of complaints. A row opens the complaint's drawer. */
export function ComplaintList<Row extends Complaint>({ list, columns, filters, empty }: Props<Row>): ReactNode {
  return (
    <>
      <FilterBar filters={filters} />
      <Card flush>
        <ListTable
          label={complaintsText.complaints}
          list={list}
          columns={columns}
          rowKey={(row) => row.complaint_ref}
          link={(row) => ({ to: "/complaints/$complaintRef", params: { complaintRef: row.complaint_ref }, search: true })}
          empty={empty}
        />
      </Card>
    </>
  );
}

type EmptyProps = Omit<Parameters<typeof EmptyState>[0], "icon">;

export function NoComplaints(props: EmptyProps): ReactNode {
  return <EmptyState icon={MessageSquareWarning} {...props} />;
}

/** The complaint's number and reason, with lines below them. */
export function ComplaintCell({ row, children }: { readonly row: Complaint; readonly children?: ReactNode }): ReactNode {
  return (
    <span className="block">
      <span className="font-mono text-[0.8125rem]">{row.complaint_ref}</span>
      <span className="block font-normal text-soft text-xs">{reasonText(row.reason_code)}</span>
      {children}
    </span>
  );
}

/** The order that the complaint is about, and below it what the site's readers know it by. */
export function TransactionCell({ row, children }: { readonly row: Complaint; readonly children: string }): ReactNode {
  return (
    <span className="block max-w-48 font-mono text-[0.8125rem]">
      {row.order_id}
      <span className="block truncate text-soft text-xs" title={children}>
        {children}
      </span>
    </span>
  );
}
