import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { type Faults, faultsIn, NO_FAULTS, nameIn, type Parsed } from "./definition.ts";
import { DryRunResult, type Trial } from "./dry-run-result.tsx";

const EMPTY = { operator: "", target: "", amount: "", circle: "", reference: "", answer: "", http_status: "200", to: "request" };
type Values = typeof EMPTY;

const SAMPLE = [
  ["operator", "Our operator's code", "the first it names"],
  ["target", "Number or account", "9876543000"],
  ["amount", "Amount", "199"],
  ["circle", "Circle", "none"],
  ["reference", "Our reference", "01SAMPLE000REFERENCE"],
] as const;

const CALLS = [
  { value: "request", label: "the request" },
  { value: "status", label: "the status question" },
];

type DryRunProps = { readonly parsed: Parsed; readonly onFaults: (faults: Faults) => void };

/** What it would send, and how it reads an answer. Nothing is sent and nothing is saved. */
export function DryRun({ parsed, onFaults }: DryRunProps): ReactNode {
  const [values, setValues] = useState<Values>(EMPTY);
  const [trial, setTrial] = useState<Trial | null>(null);
  const { busy, error, attempt } = useAttempt();
  const fields = error instanceof ApiError ? error.fields : {};
  const put = (name: keyof Values) => (event: { readonly target: { readonly value: string } }) =>
    setValues((before) => ({ ...before, [name]: event.target.value }));
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (!parsed.ok) return;
    const name = nameIn(parsed.definition);
    if (name === null) return onFaults(NAMELESS);
    void attempt(async () => {
      onFaults(NO_FAULTS);
      setTrial(null);
      try {
        setTrial(await post<Trial>(`/providers/${name}/test`, { definition: parsed.definition, ...bodyOf(values) }));
      } catch (refused) {
        const found = faultsIn(refused);
        if (found === null) throw refused;
        onFaults(found);
      }
    });
  };
  return (
    <Card title="Dry run" hint="Shows the requests, secrets masked, and how an answer is understood. Nothing is sent and nothing is saved.">
      <form onSubmit={run} className="space-y-4">
        <div className="grid gap-3 sm:grid-cols-2">
          {SAMPLE.map(([name, label, usual]) => (
            <Field
              key={name}
              label={label}
              placeholder={usual}
              maxLength={200}
              error={fields[`sample.${name}`]}
              value={values[name]}
              onChange={put(name)}
            />
          ))}
        </div>
        <TextArea
          label="A sample answer"
          hint="Paste one from the provider's manual, or leave it empty."
          spellCheck={false}
          error={fields["answer"]}
          value={values.answer}
          onChange={put("answer")}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="Its HTTP status"
            inputMode="numeric"
            error={fields["answer.http_status"]}
            value={values.http_status}
            onChange={put("http_status")}
          />
          <Select label="It answers" options={CALLS} value={values.to} onChange={put("to")} />
        </div>
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" busy={busy} disabled={!parsed.ok}>
            Run it dry
          </Button>
        </div>
      </form>
      {trial !== null && <DryRunResult trial={trial} />}
    </Card>
  );
}

const NAMELESS: Faults = { places: [["name", "Must be 1 to 32 small letters, digits or -, a letter first."]], secrets: {} };

function bodyOf(values: Values): object {
  const given = SAMPLE.map(([name]) => [name, values[name].trim()] as const).filter(([, value]) => value !== "");
  const status = Number(values.http_status);
  const isAnswer = values.answer !== "" || status !== 200;
  const answer = { body: values.answer, http_status: status, to: values.to };
  return { sample: Object.fromEntries(given), ...(isAnswer ? { answer } : {}) };
}
