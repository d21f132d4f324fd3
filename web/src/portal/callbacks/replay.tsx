import { Repeat } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { JobCard } from "../../jobs/job-card.tsx";
import { replayText } from "../../messages/en/replay.ts";
import { fill, plural } from "../../messages/fill.ts";
import type { Schemas } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText, indiaTimeOf } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select } from "../../ui/forms/field.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { MOMENT } from "../../ui/forms/typed-time.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { post } from "../api.ts";

type Preview = Schemas["ReplayPreview"];

const STATES = [
  { value: "", label: replayText.deliveredOrNot },
  { value: "delivered", label: replayText.delivered },
  { value: "waiting", label: replayText.waitingOrFailing },
];

/** Sends the callbacks of an order or a window of time again, after showing how many there are. */
export function ReplayButton({ orderId = "" }: { readonly orderId?: string | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [preview, setPreview] = useState<Preview | null>(null);
  const close = () => {
    setOpen(false);
    setPreview(null);
  };
  return (
    <>
      <Button icon={Repeat} onClick={() => setOpen(true)}>
        {replayText.replayCallbacks}
      </Button>
      {isOpen && preview === null && <ChooseDialog orderId={orderId} onChosen={setPreview} onClose={close} />}
      {preview !== null && <ConfirmReplay preview={preview} onClose={close} />}
    </>
  );
}

type ChooseProps = { readonly orderId: string; readonly onChosen: (preview: Preview) => void; readonly onClose: () => void };

function ChooseDialog({ orderId, onChosen, onClose }: ChooseProps): ReactNode {
  const [values, setValues] = useState({ order_id: orderId, since: "", until: "", state: "" });
  const { busy, error, attempt } = useAttempt();
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }));
  const isTime = (value: string) => value === "" || MOMENT.read(value) !== null;
  const ready = (values.order_id !== "" || values.since !== "") && isTime(values.since) && isTime(values.until);
  const count = (event: FormEvent) => {
    event.preventDefault();
    const timeOf = (value: string) => (value === "" ? "" : indiaTimeOf(value));
    const times = { since: timeOf(values.since), until: timeOf(values.until) };
    void attempt(async () => onChosen(await post("/callbacks/replay/preview", { ...values, ...times } as never)));
  };
  return (
    <Dialog title={replayText.replayCallbacks} onClose={onClose}>
      <form className="space-y-4" noValidate onSubmit={count}>
        <p className="text-soft">{replayText.sendsCallbacksAgain}</p>
        <Field
          label={replayText.orderIdOptional}
          value={values.order_id}
          onChange={(event) => set({ order_id: event.target.value.trim() })}
        />
        <TimeField kind={MOMENT} label={replayText.createdSince} value={values.since} onChange={(since) => set({ since })} />
        <TimeField kind={MOMENT} label={replayText.createdBefore} value={values.until} onChange={(until) => set({ until })} />
        <Select
          label={replayText.delivery}
          options={STATES}
          value={values.state}
          onChange={(event) => set({ state: event.target.value })}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} disabled={!ready}>
          {replayText.countCallbacks}
        </FormEnd>
      </form>
    </Dialog>
  );
}

function ConfirmReplay({ preview, onClose }: { readonly preview: Preview; readonly onClose: () => void }): ReactNode {
  const [jobId, setJobId] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const { selection_id, count, skipped, has_more: hasMore } = preview;
  const start = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => setJobId((await post("/callbacks/replay", { selection_id, count })).job.job_id));
  };
  if (jobId !== null)
    return (
      <Dialog title={replayText.replayCallbacks} onClose={onClose}>
        <JobCard jobId={jobId} title={replayText.replayCallbacks} />
      </Dialog>
    );
  return (
    <Dialog title={replayText.replayCallbacks} onClose={onClose}>
      <form className="space-y-4" onSubmit={start}>
        <p className="font-medium">
          {count === 0 ? replayText.nothingToSend : plural(replayText.callbacksWillBeSentAgain, count, { count: countText(count) })}
        </p>
        {skipped.map((one) => (
          <p key={one.reason} className="text-soft">
            {fill(replayText.leftOut, { count: countText(one.count), reason: one.reason })}
          </p>
        ))}
        {hasMore && <p className="text-soft">{replayText.moreMatch}</p>}
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} disabled={count === 0}>
          {replayText.sendAgain}
        </FormEnd>
      </form>
    </Dialog>
  );
}
