import type { UseQueryResult } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import type { ReactNode } from "react";
import type { Job } from "../jobs/job.ts";
import { JobCard } from "../jobs/job-card.tsx";
import { exportsText } from "../messages/en/exports.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { QueryView } from "../ui/requests/query-view.tsx";
import { SkeletonCard } from "../ui/skeleton.tsx";

type Props<OneJob extends Job> = {
  readonly query: UseQueryResult<readonly OneJob[]>;
  readonly title: (job: OneJob) => string;
  /** Whether the user may cancel the exports and download their files. */
  readonly isAllowed?: boolean;
};

/** The latest exports with their progress. The service stores them, so a reload loses nothing. */
export function ExportList<OneJob extends Job>({ query, title, isAllowed = true }: Props<OneJob>): ReactNode {
  return (
    <QueryView query={query} skeleton={<SkeletonCard />}>
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyState icon={FileDown}>{exportsText.exportsWillAppearHereWith}</EmptyState>
        ) : (
          <ul className="space-y-3" aria-label={exportsText.exports}>
            {jobs.map((job) => (
              <li key={job.job_id}>
                <JobCard jobId={job.job_id} title={title(job)} isAllowed={isAllowed} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}
