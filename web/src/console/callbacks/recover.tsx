import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { get, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, FormEnd } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { indiaInput } from "../../ui/format.ts";
import { type Job, JobCard } from "../../ui/job-card.tsx";
import { type AccountChoice, UNMATCHED } from "../account-choice.ts";
import { AccountField } from "../account-field.tsx";

const SCOPES = [
  { value: "one", label: "One client" },
  { value: "all", label: "All clients" },
];
const CONFIRMATION = "all clients";
const DAY_MILLISECONDS = 24 * 3_600_000;

/** Resends failed callbacks of one client or of all clients. */
export function RecoverButton({ accountId }: { readonly accountId: string | undefined }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setOpen(true)}>
        Recover failed callbacks
      </Button>
      {open && <RecoverDialog accountId={accountId} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecoverDialog({ accountId, onClose }: { readonly accountId: string | undefined; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [since, setSince] = useState(() => indiaInput(Date.now() - DAY_MILLISECONDS));
  const [whose, setWhose] = useState("one");
  const [account, setAccount] = useState<AccountChoice>(accountId ?? "");
  const [words, setWords] = useState("");
  const { busy, error, attempt } = useAttempt();
  const recover = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      if (whose === "one" && account === UNMATCHED) return;
      const body = { since: `${since.replace("T", " ")}:00`, ...(whose === "all" ? { all_accounts: true } : { account_id: account }) };
      const { job } = await post<{ job: Job }>("/callbacks/recovery", body);
      onClose();
      await navigate({ to: "/callbacks", search: (before) => ({ ...before, job: job.job_id }) });
    });
  };
  return (
    <Dialog title="Recover failed callbacks" onClose={onClose}>
      <form onSubmit={recover} className="space-y-4">
        <p className="text-soft">Resends every undelivered callback created since then immediately, in order per client.</p>
        <Select
          label="Clients"
          hint="Choose all clients after an outage of this installation."
          options={SCOPES}
          value={whose}
          onChange={(event) => setWhose(event.target.value)}
        />
        {whose === "one" && <AccountField label="Client" value={account} onChange={setAccount} />}
        {whose === "all" && (
          <Field
            label={`Type “${CONFIRMATION}” to confirm`}
            hint="Calls every receiver that has undelivered callbacks since then."
            autoComplete="off"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
        <Field
          label="Since (India time)"
          type="datetime-local"
          required
          max={indiaInput(Date.now())}
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd
          onClose={onClose}
          busy={busy}
          disabled={
            since === "" || (whose === "one" ? account === "" || account === UNMATCHED : words.trim().toLowerCase() !== CONFIRMATION)
          }
        >
          Recover
        </FormEnd>
      </form>
    </Dialog>
  );
}

/** Shows the job in the URL, or else one that is running, so that it survives a reload and colleagues see it. */
export function RecoverJob({ jobId }: { readonly jobId: string | undefined }): ReactNode {
  const { data } = useQuery({
    queryKey: ["/jobs", "open recoveries"],
    queryFn: ({ signal }) => get<{ items: readonly Job[] }>("/jobs", { kind: "callbacks_recover", limit: 20 }, signal),
    enabled: jobId === undefined,
  });
  const open = data?.items.find((job) => job.state === "waiting" || job.state === "running");
  const shown = jobId ?? open?.job_id;
  if (shown === undefined) return null;
  return (
    <div className="mb-6">
      <JobCard jobId={shown} title="Recovering failed callbacks" />
    </div>
  );
}
