import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { JobCard } from "../../jobs/job-card.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { moneyText } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, TextArea } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Approval, isWaitingAction } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { type BulkAction, type BulkChoice, type BulkPreview, type BulkStart, itemsText, previewBulk, startBulk, TEXTS } from "./bulk.ts";
import { BulkItems } from "./bulk-items.tsx";
import { PreviewFacts } from "./preview-facts.tsx";

type Props = { readonly action: BulkAction; readonly choice: BulkChoice; readonly onClose: () => void };

type Outcome = { readonly jobId: string } | { readonly approval: Approval };

/** Shows what a bulk action would do, asks, and then shows the progress of its job. */
export function BulkDialog({ action, choice, onClose }: Props): ReactNode {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const query = useQuery({
    queryKey: ["/bulk", action, choice],
    queryFn: () => previewBulk(action, choice),
    // The preview is what will be carried out, so it must not change under the user's eyes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const title = query.data === undefined ? TEXTS[action].verb : `${TEXTS[action].verb} ${itemsText(action, query.data.count)}`;
  return (
    <Dialog title={title} onClose={onClose} wide>
      <QueryView query={query} skeleton={<SkeletonCard lines={4} />}>
        {(preview) =>
          outcome === null ? (
            <BulkForm preview={preview} onClose={onClose} onStarted={setOutcome} />
          ) : "approval" in outcome ? (
            <WaitingApproval approval={outcome.approval} onClose={onClose} />
          ) : (
            <StartedJob jobId={outcome.jobId} selectionId={preview.selection_id} title={title} onClose={onClose} />
          )
        }
      </QueryView>
    </Dialog>
  );
}

type FormProps = { readonly preview: BulkPreview; readonly onClose: () => void; readonly onStarted: (outcome: Outcome) => void };
type Values = { readonly status: "" | BulkStart["status"]; readonly reason: string; readonly words: string };

const RESULTS = [
  { value: "", label: "Choose the result" },
  { value: "SUCCESS", label: "Success: the money is captured" },
  { value: "FAILED", label: "Failed: the money is returned" },
];

function BulkForm({ preview, onClose, onStarted }: FormProps): ReactNode {
  const { action, count, amount } = preview;
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, formState } = useForm<Values>({ defaultValues: { status: "", reason: "", words: "" } });
  const isSettle = action === "settle";
  const words = `settle ${count}`;
  const send = async ({ status, reason }: Values) => {
    const answer = await startBulk(preview, { reason: reason.trim(), status: status === "" ? "FAILED" : status });
    onStarted(isWaitingAction(answer) ? { approval: answer.approval } : { jobId: answer.job.job_id });
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
      <PreviewFacts preview={preview} />
      {count > 0 && (
        <>
          <p className="text-soft">{TEXTS[action].effect}</p>
          {isSettle && (
            <Select
              label="Result"
              options={RESULTS}
              error={formState.errors.status?.message}
              {...register("status", { validate: (status) => status !== "" || "Choose the result." })}
            />
          )}
          <TextArea
            label={isSettle ? "Evidence" : "Reason (optional)"}
            hint="Recorded in the audit log."
            rows={2}
            maxLength={500}
            error={formState.errors.reason?.message}
            {...register("reason", { validate: (reason) => !isSettle || reason.trim() !== "" || "Enter the evidence." })}
          />
          {isSettle && (
            <Field
              label={`Type “${words}” to confirm`}
              hint={`Moves ${moneyText(amount)} in total.`}
              autoComplete="off"
              error={formState.errors.words?.message}
              {...register("words", { validate: (typed) => typed.trim().toLowerCase() === words || `Type “${words}”.` })}
            />
          )}
        </>
      )}
      {error !== null && <ErrorCard error={error} />}
      {count > 0 ? (
        <FormEnd onClose={onClose} busy={busy} danger={isSettle}>
          {TEXTS[action].verb} {itemsText(action, count)}
        </FormEnd>
      ) : (
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    </form>
  );
}

type StartedProps = { readonly jobId: string; readonly selectionId: string; readonly title: string; readonly onClose: () => void };

function StartedJob({ jobId, selectionId, title, onClose }: StartedProps): ReactNode {
  const queries = useQueryClient();
  const refresh = () => {
    for (const key of ["/orders", "/callbacks", "/work/counts", "/bulk-items"]) void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <div className="space-y-4">
      <JobCard jobId={jobId} title={title} onEnd={refresh} />
      <BulkItems selectionId={selectionId} />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton to="/jobs/$jobId" params={{ jobId }}>
          Open job
        </LinkButton>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}
