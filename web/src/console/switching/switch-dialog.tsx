import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { Notice } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ReasonField } from "../reason-dialog.tsx";
import { goesTo, type Impact, impactText, type Switchable, useImpact } from "./impact.ts";

type SwitchDialogProps = {
  readonly title: string;
  /** The effect in one sentence. */
  readonly children: ReactNode;
  readonly action: string;
  readonly danger: boolean;
  /** What is switched; its impact is shown. */
  readonly switched: Switchable;
  readonly onClose: () => void;
  /** Makes the change; the dialog closes when it succeeds. */
  readonly onConfirm: (reason: string | undefined) => Promise<unknown>;
};

/** Asks before a switch for the whole installation and shows its impact. */
export function SwitchDialog({ title, children, action, danger, switched, onClose, onConfirm }: SwitchDialogProps): ReactNode {
  const [reason, setReason] = useState("");
  const { busy, error, attempt } = useAttempt();
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    const trimmedReason = reason.trim();
    void attempt(() => onConfirm(trimmedReason === "" ? undefined : trimmedReason)).then((done) => done && onClose());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm} className="space-y-4">
        <p className="text-soft">{children}</p>
        <ImpactLine switched={switched} danger={danger} />
        <ReasonField value={reason} onChange={setReason} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} danger={danger}>
          {action}
        </FormEnd>
      </form>
    </Dialog>
  );
}

function ImpactLine({ switched, danger }: { readonly switched: Switchable; readonly danger: boolean }): ReactNode {
  const { data, error } = useImpact(switched);
  if (data === undefined) return error === null ? <Skeleton className="h-12" /> : <ErrorCard error={error} />;
  return (
    <Notice tone={danger && data.orders + data.pending > 0 ? "bad" : "accent"}>
      <p>{impactText(data)}</p>
      {danger && <Afterwards impact={data} />}
    </Notice>
  );
}

function Afterwards({ impact }: { readonly impact: Impact }): ReactNode {
  if (impact.afterwards === undefined || impact.afterwards.length === 0) return null;
  return (
    <ul className="mt-2 list-disc pl-5" aria-label="Routing after the change">
      {impact.afterwards.map(({ service, operator, providers }) => (
        <li key={`${service} ${operator}`}>{goesTo(service, operator, providers)}</li>
      ))}
    </ul>
  );
}
