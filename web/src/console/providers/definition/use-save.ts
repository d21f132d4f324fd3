import { useRef, useState } from "react";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import type { Definition } from "../provider.ts";
import { type Faults, faultsIn, NO_FAULTS, type Parsed, secretsIn } from "./definition.ts";
import { readSampleChanges, type SampleChange } from "./sample-changes.tsx";

export type Draft = { readonly definition: Definition; readonly secrets: Readonly<Record<string, string>>; readonly reason?: string };
export type SaveDraft = (draft: Draft) => Promise<unknown>;

type SaveParts = {
  readonly text: string;
  readonly parsed: Parsed;
  readonly provider: string | null;
  /** Where the definition goes when no sample is read otherwise, or when the user wants it all the same. */
  readonly onSave: SaveDraft;
};

/** Saves a definition with the secrets that were entered, and holds the errors of that attempt. */
export function useSave({ text, parsed, provider, onSave }: SaveParts) {
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [sampleChanges, setSampleChanges] = useState<readonly SampleChange[]>([]);
  // The text that was sent to be saved. Its errors are those of that attempt, which checks more than a dry run.
  const sentText = useRef<string | null>(null);
  const isLeaving = useRef(false);
  const { busy, error, attempt, forget } = useAttempt();
  const names = parsed.ok ? secretsIn(parsed.definition) : [];
  const send = async (save: SaveDraft, definition: Definition) => {
    const entered = Object.entries(secrets).filter(([name, value]) => names.includes(name) && value !== "");
    sentText.current = text;
    isLeaving.current = true;
    setFaults(NO_FAULTS);
    await save({ definition, secrets: Object.fromEntries(entered) }).catch((refused: unknown) => {
      isLeaving.current = false;
      const found = faultsIn(refused);
      if (found === null) throw refused;
      setFaults(found);
    });
  };
  return {
    ...{ faults, setFaults, secrets, setSecrets, names, busy, error, forget, sampleChanges },
    isSent: (one: string) => sentText.current === one,
    isLeaving: () => isLeaving.current,
    closeSamples: () => setSampleChanges([]),
    /** Reads the stored samples again first, and stops if one is read otherwise. */
    save: () => {
      if (!parsed.ok) return;
      const { definition } = parsed;
      void attempt(async () => {
        const found = provider === null ? [] : await readSampleChanges(provider, definition);
        if (found.length === 0) await send(onSave, definition);
        else setSampleChanges(found);
      });
    },
    /** Sends it without looking at the samples. */
    saveBy: (save: SaveDraft) => {
      setSampleChanges([]);
      if (parsed.ok) void attempt(() => send(save, parsed.definition));
    },
  };
}
