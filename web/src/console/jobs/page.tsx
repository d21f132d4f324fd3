import { Outlet, useSearch } from "@tanstack/react-router";
import { ListTodo } from "lucide-react";
import type { ReactNode } from "react";
import { isOpen } from "../../jobs/job.ts";
import { JobCard } from "../../jobs/job-card.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { type Filter, FilterBar } from "../../ui/lists/filter-bar.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { type Job, jobTitle, KIND_OPTIONS, STATE_OPTIONS, useMayJob } from "./job.ts";

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "kind", label: "Kind", options: KIND_OPTIONS },
  { kind: "choice", name: "state", label: "State", options: STATE_OPTIONS },
];
const REFRESH_MILLISECONDS = 3_000;

/** Background jobs that staff and operator keys started. */
export function JobsPage(): ReactNode {
  const search = useSearch({ from: "/console/jobs" });
  const list = useList("/jobs", search, REFRESH_MILLISECONDS);
  const nameOf = useActorNames();
  const open = list.rows?.filter(isOpen) ?? [];
  const columns: readonly Column<Job>[] = [
    { header: "Job", cell: (job) => <span className="break-words">{jobTitle(job)}</span> },
    { header: "State", cell: (job) => <Status value={job.state} /> },
    { header: "Done", right: true, wideOnly: true, cell: (job) => <span className="tabular-nums">{doneText(job)}</span> },
    { header: "Requested by", wideOnly: true, cell: (job) => <span className="wrap-anywhere">{nameOf(job.asked_by)}</span> },
    { header: "When", wideOnly: true, cell: (job) => <Time value={job.created_at} /> },
  ];
  return (
    <>
      <PageHeader title="Jobs">
        Background jobs: exports, reconciliations and callback recoveries. They continue when you leave the page.
      </PageHeader>
      <FilterBar filters={FILTERS} />
      {open.length > 0 && (
        <ul className="mb-6 grid gap-3 lg:grid-cols-2" aria-label="Running jobs">
          {open.map((job) => (
            <li key={job.job_id}>
              <OpenJob job={job} />
            </li>
          ))}
        </ul>
      )}
      <Card flush>
        <ListTable
          label="Jobs"
          list={list}
          columns={columns}
          rowKey={(job) => job.job_id}
          link={(job) => ({ to: "/jobs/$jobId", params: { jobId: job.job_id }, search })}
          empty={<Empty filtered={Object.keys(search).length > 0} />}
        />
      </Card>
      <Outlet />
    </>
  );
}

function OpenJob({ job }: { readonly job: Job }): ReactNode {
  return <JobCard jobId={job.job_id} title={jobTitle(job)} isAllowed={useMayJob(job.kind)} />;
}

function doneText({ done, total }: Job): string {
  return total === null || total === done ? countText(done) : `${countText(done)} of ${countText(total)}`;
}

function Empty({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (filtered) return <EmptyState icon={ListTodo}>No job matches these filters. Change or clear the filters to see more.</EmptyState>;
  return (
    <EmptyState icon={ListTodo} action={<LinkButton to="/reconciliation">Reconcile a day</LinkButton>}>
      Exports, reconciliations and recoveries will appear here with their progress, for a month.
    </EmptyState>
  );
}
