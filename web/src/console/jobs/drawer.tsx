import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isOpen } from "../../jobs/job.ts";
import { JobCard } from "../../jobs/job-card.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { BulkItems } from "../bulk/bulk-items.tsx";
import { type Job, jobTitle, useMayJob } from "./job.ts";

const REFRESH_MILLISECONDS = 2_000;

export function JobDrawer(): ReactNode {
  const { jobId } = useParams({ from: "/console/jobs/$jobId" });
  const search = useSearch({ from: "/console/jobs" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/jobs", jobId, "detail"],
    queryFn: ({ signal }) => get("/jobs/:job_id", { job_id: jobId }, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? REFRESH_MILLISECONDS : false),
  });
  return (
    <Drawer title={query.data ? jobTitle(query.data) : "Job"} onClose={() => void navigate({ to: "/jobs", search })}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(job) => <JobDetails job={job} />}
      </QueryView>
    </Drawer>
  );
}

function JobDetails({ job }: { readonly job: Job }): ReactNode {
  const nameOf = useActorNames();
  const reconciliationId = job.input["reconciliation_id"];
  const selectionId = job.input["selection_id"];
  return (
    <>
      <JobCard jobId={job.job_id} title={jobTitle(job)} isAllowed={useMayJob(job.kind)} />
      <Facts
        facts={[
          ["Id", <Code key="id" text={job.job_id} />],
          ["Kind", <code key="kind">{job.kind}</code>],
          ["Requested by", nameOf(job.asked_by)],
          ["Requested", <Time key="created" value={job.created_at} />],
          ["Started", <Time key="started" value={job.started_at} none="Not yet" />],
          ["Finished", <Time key="finished" value={job.finished_at} none={job.cancel_asked ? "Being cancelled" : "Not yet"} />],
        ]}
      />
      {typeof selectionId === "string" && <BulkItems selectionId={selectionId} />}
      <CodeBlock title="Input" code={JSON.stringify(job.input, null, 2)} />
      {job.result !== null && <CodeBlock title="Result" code={JSON.stringify(job.result, null, 2)} />}
      <div className="flex flex-wrap gap-2">
        {typeof reconciliationId === "string" && (
          <LinkButton to="/reconciliation/$reconciliationId" params={{ reconciliationId }}>
            Show reconciliation
          </LinkButton>
        )}
        <LinkButton to="/audit" search={{ subject_kind: "job", subject_id: job.job_id }}>
          Show audit log
        </LinkButton>
      </div>
    </>
  );
}
