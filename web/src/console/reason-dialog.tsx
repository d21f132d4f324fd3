import { type ReactNode, useState } from "react";
import { useAttempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { TextArea } from "../ui/field.tsx";

type ReasonDialogProps = {
  readonly title: string;
  /** What it will do. */
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** Whether it may not be done without a reason. */
  readonly required?: boolean;
  readonly onClose: () => void;
  /** Closes the dialog when it ends well. */
  readonly run: (reason: string | undefined) => Promise<unknown>;
};

/** Asks before a change, says its effect and takes down why; a refusal is shown in it. */
export function ReasonDialog({ title, children, action, danger = false, required = false, onClose, run }: ReasonDialogProps): ReactNode {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const confirm = async () => {
    const given = reason.trim();
    setMissing(required && given === "");
    if (required && given === "") return;
    if (await attempt(() => run(given === "" ? undefined : given))) onClose();
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
      hint="Kept in the audit trail."
      maxLength={500}
      rows={2}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={missing ? "Say why." : undefined}
    />
  );
}
