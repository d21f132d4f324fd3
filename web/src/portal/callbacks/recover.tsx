import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { indiaInput } from "../../ui/format.ts";
import { JobCard } from "../../ui/job-card.tsx";
import { get, post } from "../api.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

export function RecoverButton(): ReactNode {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [since, setSince] = useState("");
  const { busy, error, attempt, forget } = useAttempt();
  const ask = () => {
    forget();
    setSince(indiaInput(Date.now() - DAY_MILLISECONDS));
    setOpen(true);
  };
  const recover = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { job } = await post("/callbacks/recover", { since: `${since.replace("T", " ")}:00` });
      setOpen(false);
      await navigate({ to: "/callbacks", search: (before) => ({ ...before, job: job.job_id }) });
    });
  };
  return (
    <>
      <Button icon={RotateCcw} onClick={ask}>
        Recover all failed since…
      </Button>
      {open && (
        <Dialog title="Recover all failed callbacks" onClose={() => setOpen(false)}>
          <form onSubmit={recover} className="space-y-4">
            <p className="text-soft">Resends, in order, every callback created since then that your receiver has not accepted.</p>
            <Field
              label="Since (India time)"
              type="datetime-local"
              required
              max={indiaInput(Date.now())}
              value={since}
              onChange={(event) => setSince(event.target.value)}
            />
            {error !== null && <ErrorCard error={error} />}
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button type="submit" look="primary" busy={busy} disabled={since === ""}>
                Recover
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

/** Shows the job in the URL, or else one that is running, so that it survives a reload and colleagues see it. */
export function RecoverJob({ jobId }: { readonly jobId: string | undefined }): ReactNode {
  const { data } = useQuery({
    queryKey: ["/jobs", "open recoveries"],
    queryFn: ({ signal }) => get("/jobs", { limit: "20" }, signal),
    enabled: jobId === undefined,
  });
  const open = data?.items.find((job) => job.kind === "recover" && (job.state === "waiting" || job.state === "running"));
  const shown = jobId ?? open?.job_id;
  if (shown === undefined) return null;
  return (
    <div className="mb-4">
      <JobCard jobId={shown} title="Recovering failed callbacks" />
    </div>
  );
}
