import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { type Faults, faultsIn, NO_FAULTS, parseDefinition, secretsIn } from "./definition.ts";
import { DryRun } from "./dry-run.tsx";
import type { Definition } from "./provider.ts";

export type Draft = { readonly definition: Definition; readonly secrets: Readonly<Record<string, string>>; readonly reason?: string };

type EditorProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly action: string;
  /** A new provider's secrets can be entered here; those of an existing one only when its address changes. */
  readonly isNew: boolean;
  readonly onSave: (draft: Draft) => Promise<unknown>;
};

/** Edits a provider's definition as JSON, with its errors and a dry run. */
export function DefinitionEditor({ text, onText, action, isNew, onSave }: EditorProps): ReactNode {
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { busy, error, attempt, forget } = useAttempt();
  const parsed = parseDefinition(text);
  const names = parsed.ok ? secretsIn(parsed.definition) : [];
  const shownSecrets = isNew ? names : names.filter((name) => faults.secrets[name] !== undefined || values[name] !== undefined);
  const change = (next: string) => {
    onText(next);
    setFaults((before) => ({ ...before, places: [] }));
    forget();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!parsed.ok) return;
    const entered = Object.entries(values).filter(([name, value]) => names.includes(name) && value !== "");
    void attempt(async () => {
      setFaults(NO_FAULTS);
      await onSave({ definition: parsed.definition, secrets: Object.fromEntries(entered) }).catch((refused: unknown) => {
        const found = faultsIn(refused);
        if (found === null) throw refused;
        setFaults(found);
      });
    });
  };
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <Card title="Definition" hint="The definition names secrets but never contains them. docs/providers.md explains every field.">
        <form onSubmit={save} className="space-y-4">
          <JsonArea text={text} why={parsed.ok ? null : parsed.why} faults={faults.places} onChange={change} />
          {shownSecrets.map((name) => (
            <Field
              key={name}
              label={`Secret ${name}`}
              type="password"
              autoComplete="off"
              maxLength={4000}
              hint={isNew ? "You can set it later. Until then the provider gets no orders." : undefined}
              error={faults.secrets[name]}
              value={values[name] ?? ""}
              onChange={(event) => setValues((before) => ({ ...before, [name]: event.target.value }))}
            />
          ))}
          {error !== null && <ErrorCard error={error} />}
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={busy} disabled={!parsed.ok}>
              {action}
            </Button>
          </div>
        </form>
      </Card>
      <DryRun parsed={parsed} onFaults={setFaults} />
    </div>
  );
}

type JsonAreaProps = {
  readonly text: string;
  readonly why: string | null;
  readonly faults: Faults["places"];
  readonly onChange: (text: string) => void;
};

function JsonArea({ text, why, faults, onChange }: JsonAreaProps): ReactNode {
  const id = useId();
  const wrong = why !== null || faults.length > 0;
  return (
    <div className="space-y-2">
      <label htmlFor={id} className="block font-medium">
        JSON
      </label>
      <textarea
        id={id}
        className="input min-h-[32rem] whitespace-pre font-mono text-[0.8125rem] leading-relaxed"
        spellCheck={false}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-faults` : undefined}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {wrong && (
        <ul id={`${id}-faults`} aria-label="Errors" className="space-y-1 text-bad">
          {why !== null && <li>This is not valid JSON. {why}</li>}
          {faults.map(([place, message]) => (
            <li key={place}>
              {place !== "" && <code className="font-mono font-medium text-[0.8125rem]">{place}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
