import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Card } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../../ui/skeleton.tsx";
import type { CodeEditorHandle } from "../editor/code-editor.tsx";
import { schemaQuery } from "../editor/description-schema.ts";
import { DescriptionText } from "../editor/description-text.tsx";
import { rangeOfPath, stepsOfPath } from "../editor/fault-place.ts";
import { readTree } from "../editor/json-tree.ts";
import type { Schema } from "../editor/schema.ts";
import { SectionForm } from "../form/section-form.tsx";
import { FIRST_SECTION, sectionOfPath } from "../form/sections.ts";
import { SecretFields } from "../secret-fields.tsx";
import { parseDefinition } from "./definition.ts";
import { DryRun } from "./dry-run.tsx";
import { type NewSample, sampleEdit } from "./keep-sample.ts";
import { SampleChanges } from "./sample-changes.tsx";
import { type SaveDraft, useSave } from "./use-save.ts";

type EditorProps = {
  readonly text: string;
  /** The text without the user's changes. */
  readonly original: string;
  readonly onText: (text: string) => void;
  readonly action: string;
  /** The name of an existing provider. A new one has its name in the text, and its secrets can be entered here. */
  readonly provider: string | null;
  readonly onSave: SaveDraft;
  /** Saves it as the candidate, which is tried beside the current version. Absent for a new provider. */
  readonly onCandidate?: SaveDraft;
};

/** Edits a provider's definition as a form with the JSON beside it, its errors and a dry run. */
export function DefinitionEditor(props: EditorProps): ReactNode {
  const query = useQuery(schemaQuery);
  return (
    <QueryView query={query} skeleton={<SkeletonCard lines={12} />}>
      {(schema) => <Editor schema={schema} {...props} />}
    </QueryView>
  );
}

type InnerProps = EditorProps & { readonly schema: Schema };

function Editor({ schema, text, original, onText, action, provider, onSave, onCandidate }: InnerProps): ReactNode {
  const [operation, setOperation] = useState("");
  const [section, setSection] = useState(FIRST_SECTION);
  const editor = useRef<CodeEditorHandle>(null);
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const saving = useSave({ text, parsed, provider, onSave });
  const { faults, setFaults, secrets, names, busy, error, sampleChanges } = saving;
  const keep = (sample: NewSample) => {
    const edit = sampleEdit(text, sample);
    if (edit !== null) editor.current?.replace(edit);
    toast(edit === null ? "The description does not have the call that this answers." : `The sample ${sample.name} was added.`);
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {sampleChanges.length > 0 && (
        <SampleChanges changes={sampleChanges} onSave={() => saving.saveBy(onSave)} onClose={saving.closeSamples} />
      )}
      <UnsavedChanges isUnsaved={() => !saving.isLeaving() && (text !== original || Object.keys(secrets).length > 0)} />
      <Card title="Form" hint="The form and the JSON show one description. A change in one appears in the other.">
        <form onSubmit={(event) => submit(event, saving.save)} noValidate className="space-y-5">
          <SectionForm
            {...{ schema, text, parsed, editor, section }}
            faults={faults.places}
            onSection={setSection}
            onOperation={setOperation}
          />
          <SecretFields names={names} isNew={provider === null} faults={faults.secrets} values={secrets} onValues={saving.setSecrets} />
          {error !== null && <ErrorCard error={error} />}
          <div className="flex flex-wrap justify-end gap-2">
            {onCandidate && parsed.ok && (parsed.definition["connector"] ?? "description") === "description" && (
              <Button busy={busy} onClick={() => saving.saveBy(onCandidate)}>
                Save as candidate
              </Button>
            )}
            <Button type="submit" look="primary" busy={busy} disabled={!parsed.ok}>
              {action}
            </Button>
          </div>
        </form>
      </Card>
      <div className="min-w-0 space-y-6">
        <Card title="JSON" hint="The description names secrets but never contains them. docs/providers.md explains every field.">
          <DescriptionText
            {...{ schema, text, parsed, editor }}
            onText={(next) => {
              onText(next);
              saving.forget();
            }}
            faults={faults.places}
            onFault={(path) => setSection(sectionOfPath(path) ?? stepsOfPath(readTree(text), path)[1] ?? FIRST_SECTION)}
          />
        </Card>
        <DryRun
          text={text}
          parsed={parsed}
          provider={provider}
          operation={operation}
          onOperation={setOperation}
          hasFaults={faults.places.length > 0}
          isSent={saving.isSent}
          onPlaces={(places) => setFaults((before) => ({ ...before, places }))}
          onShow={(path) => editor.current?.show(rangeOfPath(readTree(text), path))}
          onKeep={keep}
        />
      </div>
    </div>
  );
}

function submit(event: FormEvent, save: () => void): void {
  event.preventDefault();
  save();
}
