import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { apiUrl, get, post } from "./api.ts";
import { Status } from "./badge.tsx";
import { Button } from "./button.tsx";
import { ErrorCard } from "./error-card.tsx";
import { countText, durationText } from "./format.ts";
import { SkeletonCard } from "./skeleton.tsx";
import { toastError } from "./toast.tsx";

export type Job = {
  readonly job_id: string;
  readonly kind: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly done: number;
  readonly total: number | null;
  readonly rate_per_second: number | null;
  readonly eta_seconds: number | null;
  readonly created_at: string;
  readonly result: { readonly rows?: number; readonly file?: string | null; readonly message?: string } | null;
};

const POLL_MILLISECONDS = 1000;
const isOpen = (job: Job | undefined) => job?.state === "waiting" || job?.state === "running";

type JobCardProps = {
  readonly jobId: string;
  readonly title: string;
  /** Whether the user may cancel the job and download its file. */
  readonly may?: boolean;
  /** Called when a job that was running ends. */
  readonly onEnd?: () => void;
};

/** The progress of a background job. It needs only the job's id, so it survives a reload. */
export function JobCard({ jobId, title, may = true, onEnd }: JobCardProps): ReactNode {
  const queries = useQueryClient();
  const key = ["/jobs", jobId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      get<Job | { job: Job }>(`/jobs/${jobId}`, {}, signal).then((answer) => ("job" in answer ? answer.job : answer)),
    refetchInterval: (query) => (query.state.data === undefined || isOpen(query.state.data) ? POLL_MILLISECONDS : false),
  });
  const cancel = useMutation({
    mutationFn: () => post(`/jobs/${jobId}/cancel`),
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
        {may && isOpen(data) && (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
        {may && data.state === "done" && typeof data.result?.file === "string" && (
          <a className="link inline-flex items-center gap-2 font-medium" href={apiUrl(`/jobs/${jobId}/file`)} download>
            <Download aria-hidden className="size-4" /> Download
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

function progressText(job: Job): string {
  const total = job.total === null ? "" : ` of ${countText(job.total)}`;
  if (job.state === "done") return job.result?.message ?? `${countText(job.result?.rows ?? job.done)} done`;
  if (job.state === "failed") return job.result?.message ?? "The job failed and made no further changes. Start it again.";
  const rate = job.rate_per_second === null ? "" : ` · ${countText(job.rate_per_second)} a second`;
  const left = job.eta_seconds === null ? "" : ` · ${durationText(job.eta_seconds)} left`;
  return `${countText(job.done)}${total}${isOpen(job) ? rate + left : ""}`;
}
