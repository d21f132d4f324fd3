import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { TextArea } from "../../ui/forms/field.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { OUTCOMES, type Outcome, type ReconciliationDetail, useReconciliationPost } from "./data.ts";

type AllProps = {
  readonly reconciliation: ReconciliationDetail;
  readonly outcome: Exclude<Outcome, "matched">;
  readonly onClose: () => void;
};

/** Resolves all open differences of an outcome with the same note. */
export function ResolveAll({ reconciliation, outcome, onClose }: AllProps): ReactNode {
  const send = useReconciliationPost();
  const resolve = async (note: string) => {
    const { resolved } = await send("/reconciliations/:reconciliation_id/resolve", {
      reconciliation_id: reconciliation.reconciliation_id,
      outcome,
      note,
    });
    toast(resolved === 1 ? "1 difference was resolved." : `${resolved} differences were resolved.`);
  };
  return (
    <NoteDialog title={`Resolve all: ${OUTCOMES[outcome].label}`} onClose={onClose} run={resolve}>
      Resolves every open difference under “{OUTCOMES[outcome].label}” with this note, including those hidden by the filters. No order
      changes and no money moves.
    </NoteDialog>
  );
}

type NoteProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly run: (note: string) => Promise<unknown>;
};

/** Asks for a note before differences are resolved. */
export function NoteDialog({ title, children, onClose, run }: NoteProps): ReactNode {
  const [note, setNote] = useState("");
  const [missing, setMissing] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const confirm = async () => {
    setMissing(note.trim() === "");
    if (note.trim() === "") return;
    if (await attempt(() => run(note.trim()))) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void confirm()}>
            Resolve
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-soft">{children}</p>
        <TextArea
          label="Note"
          hint="What you found out. Recorded with the line and in the audit log."
          rows={3}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={missing && note.trim() === "" ? "Enter what you found out." : undefined}
        />
        {error !== null && <ErrorCard error={error} />}
      </div>
    </Dialog>
  );
}
