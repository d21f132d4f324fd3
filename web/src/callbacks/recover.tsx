import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { isOpen, type Job } from "../jobs/job.ts";
import { JobCard } from "../jobs/job-card.tsx";
import { callbacksText } from "../messages/en/callbacks.ts";
import { ErrorCard } from "../ui/error-card.tsx";
import { indiaInput, indiaTimeOf } from "../ui/formats/format.ts";
import { useAttempt } from "../ui/forms/attempt.ts";
import { TimeField } from "../ui/forms/time-field.tsx";
import { MOMENT } from "../ui/forms/typed-time.ts";
import { Dialog, FormEnd } from "../ui/overlays/dialog.tsx";

type DialogProps = {
  readonly title: string;
  /** What will be resent, in a sentence. */
  readonly about: string;
  /** Fields of the site, above the time. */
  readonly children?: ReactNode;
  /** Whether those fields are complete. */
  readonly ready?: boolean;
  readonly start: (since: string) => Promise<{ readonly job: Job }>;
  readonly onClose: () => void;
};

/** Asks since when to resend failed callbacks, starts the job and shows it on the page. */
export function RecoverDialog({ title, about, children, ready = true, start, onClose }: DialogProps): ReactNode {
  const navigate = useNavigate();
  const [since, setSince] = useState(() => indiaInput(Date.now(), 1));
  const { busy, error, attempt } = useAttempt();
  const recover = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { job } = await start(indiaTimeOf(since));
      onClose();
      await navigate({ to: "/callbacks", search: (before) => ({ ...before, job: job.job_id }) });
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={recover} className="space-y-4">
        <p className="text-soft">{about}</p>
        {children}
        <TimeField kind={MOMENT} label={callbacksText.sinceIndiaTime} value={since} onChange={setSince} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} disabled={MOMENT.read(since) === null || !ready}>
          {callbacksText.recover}
        </FormEnd>
      </form>
    </Dialog>
  );
}

type JobProps = { readonly jobId: string | undefined; readonly latest: (signal: AbortSignal) => Promise<readonly Job[]> };

/** Shows the job in the URL, or else one that is running, so that it survives a reload and colleagues see it. */
export function RecoverJob({ jobId, latest }: JobProps): ReactNode {
  const { data } = useQuery({
    queryKey: ["/jobs", callbacksText.openRecoveries],
    queryFn: ({ signal }) => latest(signal),
    enabled: jobId === undefined,
  });
  const shown = jobId ?? data?.find(isOpen)?.job_id;
  if (shown === undefined) return null;
  return (
    <div className="mb-6">
      <JobCard jobId={shown} title={callbacksText.recoveringFailedCallbacks} />
    </div>
  );
}
