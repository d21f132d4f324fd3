import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { useAttempt } from "../ui/forms/attempt.ts";
import { TextArea } from "../ui/forms/field.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { type Fact, Facts } from "../ui/page.tsx";

type ReasonDialogProps = {
  readonly title: string;
  /** The client, the order and the amount that the action hits. */
  readonly facts?: readonly Fact[];
  /** What the action does. */
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** Whether a reason is required. */
  readonly required?: boolean;
  readonly onClose: () => void;
  /** Runs the action; the dialog closes when it succeeds. */
  readonly run: (reason: string | undefined) => Promise<unknown>;
};

/** Asks for confirmation and a reason before a change. Errors are shown in the dialog. */
export function ReasonDialog({
  title,
  facts,
  children,
  action,
  danger = false,
  required = false,
  onClose,
  run,
}: ReasonDialogProps): ReactNode {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const confirm = async () => {
    const trimmedReason = reason.trim();
    setMissing(required && trimmedReason === "");
    if (required && trimmedReason === "") return;
    if (await attempt(() => run(trimmedReason === "" ? undefined : trimmedReason))) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={danger ? "danger" : "primary"} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <div className="text-soft">{children}</div>
        {facts && <Facts facts={facts} />}
        <ReasonField value={reason} onChange={setReason} required={required} missing={missing} />
        {error !== null && <ErrorCard error={error} />}
      </div>
    </Dialog>
  );
}

type ReasonFieldProps = {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly required?: boolean;
  readonly missing?: boolean;
};

export function ReasonField({ value, onChange, required = false, missing = false }: ReasonFieldProps): ReactNode {
  return (
    <TextArea
      label={required ? "Reason" : "Reason (optional)"}
      hint="Recorded in the audit log."
      maxLength={500}
      rows={2}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={missing ? "Enter a reason." : undefined}
    />
  );
}
