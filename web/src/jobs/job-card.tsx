import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { get, post } from "../common-api.ts";
import { jobsText } from "../messages/en/jobs.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { toastError } from "../ui/overlays/toast.tsx";
import { apiUrl } from "../ui/requests/api.ts";
import { SkeletonCard } from "../ui/skeleton.tsx";
import { hasFile, isOpen, type Job, progressText } from "./job.ts";

const POLL_MILLISECONDS = 1000;

type JobCardProps = {
  readonly jobId: string;
  readonly title: string;
  /** Whether the user may cancel the job and download its file. */
  readonly isAllowed?: boolean;
  /** Called when a job that was running ends. */
  readonly onEnd?: () => void;
};

/** The progress of a background job. It needs only the job's id, so it survives a reload. */
export function JobCard({ jobId, title, isAllowed = true, onEnd }: JobCardProps): ReactNode {
  const queries = useQueryClient();
  const key = ["/jobs", jobId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get("/jobs/:job_id", { job_id: jobId }, signal),
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? POLL_MILLISECONDS : false),
  });
  const cancel = useMutation({
    mutationFn: () => post("/jobs/:job_id/cancel", { job_id: jobId }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
    onError: toastError,
  });
  useEnd(data, onEnd);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonCard />;
  return (
    <section className="space-y-3 rounded-xl border border-line bg-surface p-5" aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">{title}</h3>
        <Status value={data.state} />
      </div>
      <Progress job={data} title={title} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft tabular-nums" role="status">
          {progressText(data)}
        </p>
        {isAllowed && isOpen(data) && (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {jobsText.cancel}
          </Button>
        )}
        {isAllowed && hasFile(data) && (
          <a className="link inline-flex items-center gap-2 font-medium" href={apiUrl(`/jobs/${jobId}/file`)} download>
            <Download aria-hidden className="size-4" />
            {jobsText.download}
          </a>
        )}
      </div>
    </section>
  );
}

function useEnd(job: Job | undefined, onEnd: (() => void) | undefined): void {
  const open = job === undefined ? null : isOpen(job);
  const was = useRef(open);
  useEffect(() => {
    if (was.current === true && open === false) onEnd?.();
    was.current = open;
  }, [open, onEnd]);
}

function Progress({ job, title }: { readonly job: Job; readonly title: string }): ReactNode {
  const total = job.state === "done" ? Math.max(job.done, 1) : job.total;
  const value = job.state === "done" ? total : job.done;
  const known = total !== null && total > 0;
  // A <progress> element without a value shows indeterminate progress.
  return <progress aria-label={title} className="bar" {...(known ? { max: total, value: value ?? 0 } : {})} />;
}
