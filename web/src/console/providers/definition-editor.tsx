import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { UnsavedChanges } from "../../ui/unsaved-changes.tsx";
import { type Faults, faultsIn, NO_FAULTS, parseDefinition, secretsIn } from "./definition.ts";
import { DryRun } from "./dry-run.tsx";
import type { CodeEditorHandle } from "./editor/code-editor.tsx";
import { schemaQuery } from "./editor/description-schema.ts";
import { DescriptionText } from "./editor/description-text.tsx";
import { rangeOfPath } from "./editor/fault-place.ts";
import { readTree } from "./editor/json-tree.ts";
import type { Schema } from "./editor/schema.ts";
import type { Definition } from "./provider.ts";
import { SecretFields } from "./secret-fields.tsx";

export type Draft = { readonly definition: Definition; readonly secrets: Readonly<Record<string, string>>; readonly reason?: string };

type EditorProps = {
  readonly text: string;
  /** The text without the user's changes. */
  readonly original: string;
  readonly onText: (text: string) => void;
  readonly action: string;
  /** The name of an existing provider. A new one has its name in the text, and its secrets can be entered here. */
  readonly provider: string | null;
  readonly onSave: (draft: Draft) => Promise<unknown>;
};

/** Edits a provider's definition as JSON, with its sections, its errors and a dry run beside it. */
export function DefinitionEditor(props: EditorProps): ReactNode {
  const query = useQuery(schemaQuery);
  return (
    <QueryView query={query} skeleton={<SkeletonCard lines={12} />}>
      {(schema) => <Editor schema={schema} {...props} />}
    </QueryView>
  );
}

function Editor({ schema, text, original, onText, action, provider, onSave }: EditorProps & { readonly schema: Schema }): ReactNode {
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [operation, setOperation] = useState("");
  const editor = useRef<CodeEditorHandle>(null);
  // The text that was sent to be saved. Its errors are those of that attempt, which checks more than a dry run.
  const sentText = useRef<string | null>(null);
  const isLeaving = useRef(false);
  const { busy, error, attempt, forget } = useAttempt();
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const names = parsed.ok ? secretsIn(parsed.definition) : [];
  const change = (next: string) => {
    onText(next);
    forget();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!parsed.ok) return;
    const entered = Object.entries(secrets).filter(([name, value]) => names.includes(name) && value !== "");
    void attempt(async () => {
      sentText.current = text;
      isLeaving.current = true;
      setFaults(NO_FAULTS);
      await onSave({ definition: parsed.definition, secrets: Object.fromEntries(entered) }).catch((refused: unknown) => {
        isLeaving.current = false;
        const found = faultsIn(refused);
        if (found === null) throw refused;
        setFaults(found);
      });
    });
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <UnsavedChanges isUnsaved={() => !isLeaving.current && (text !== original || Object.keys(secrets).length > 0)} />
      <Card title="Definition" hint="The definition names secrets but never contains them. docs/providers.md explains every field.">
        <form onSubmit={save} className="space-y-4">
          <DescriptionText
            schema={schema}
            text={text}
            onText={change}
            parsed={parsed}
            faults={faults.places}
            editor={editor}
            onOperation={setOperation}
          />
          <SecretFields names={names} isNew={provider === null} faults={faults.secrets} values={secrets} onValues={setSecrets} />
          {error !== null && <ErrorCard error={error} />}
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={busy} disabled={!parsed.ok}>
              {action}
            </Button>
          </div>
        </form>
      </Card>
      <DryRun
        text={text}
        parsed={parsed}
        provider={provider}
        operation={operation}
        onOperation={setOperation}
        hasFaults={faults.places.length > 0}
        isSent={(one) => sentText.current === one}
        onPlaces={(places) => setFaults((before) => ({ ...before, places }))}
        onShow={(path) => editor.current?.show(rangeOfPath(readTree(text), path))}
      />
    </div>
  );
}
