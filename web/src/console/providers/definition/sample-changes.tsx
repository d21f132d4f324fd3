import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { post } from "../../api.ts";
import type { Definition } from "../provider.ts";
import { faultsIn } from "./definition.ts";
import { Outcome } from "./dry-run-result.tsx";
import type { Trial } from "./trial.ts";

export type SampleChange = Trial["sample_changes"][number];

/** The stored samples that a new definition reads otherwise. A definition with errors has none: saving it shows the errors. */
export async function readSampleChanges(provider: string, definition: Definition): Promise<readonly SampleChange[]> {
  try {
    return (await post("/providers/:provider/test", { provider, definition, compare_samples: true })).sample_changes;
  } catch (error) {
    if (faultsIn(error) !== null) return [];
    throw error;
  }
}

type SampleChangesProps = { readonly changes: readonly SampleChange[]; readonly onSave: () => void; readonly onClose: () => void };

/** Asks before a definition is saved that reads stored samples otherwise than the current one. */
export function SampleChanges({ changes, onSave, onClose }: SampleChangesProps): ReactNode {
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="danger" onClick={onSave}>
        Save anyway
      </Button>
    </>
  );
  return (
    <Dialog
      title={changes.length === 1 ? "A sample is read otherwise" : `${changes.length} samples are read otherwise`}
      wide
      onClose={onClose}
      footer={footer}
    >
      <p className="mb-3 text-soft">
        The saved definition reads these answers of the provider in another way. Save only if you meant that.
      </p>
      <ul className="space-y-3">
        {changes.map((change) => (
          <li key={change.path} className="rounded-lg border border-line p-3">
            <p className="break-all font-mono text-[0.8125rem]">{change.path}</p>
            <p className="mt-1 flex flex-wrap items-center gap-2">
              <Outcome outcome={change.before.outcome} /> becomes
              {change.after === null ? " unread: the call is gone." : <Outcome outcome={change.after.outcome} />}
            </p>
            {change.after !== null && <Fields before={change.before} after={change.after} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type Reading = SampleChange["before"];

/** The parts of two readings that differ. */
function Fields({ before, after }: { readonly before: Reading; readonly after: Reading }): ReactNode {
  const parts = (one: Reading) => ({ ...one.fields, class: one.decline, "message to the client": one.client_message, value: one.value });
  const [old, next]: readonly Readonly<Record<string, string | null>>[] = [parts(before), parts(after)];
  const names = Object.keys({ ...old, ...next }).filter((name) => (old?.[name] ?? null) !== (next?.[name] ?? null));
  return names.map((name) => (
    <p key={name} className="mt-1 break-words text-soft text-xs">
      {name.replace("_", " ")}: {old?.[name] ?? "none"} becomes {next?.[name] ?? "none"}
    </p>
  ));
}
