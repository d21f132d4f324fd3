import { type ReactNode, useMemo, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Field, Select, TextArea } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/page.tsx";
import { ApiError } from "../../../ui/requests/api.ts";
import type { Faults, Parsed } from "./definition.ts";
import { DryRunResult } from "./dry-run-result.tsx";
import { type NewSample, sampleName } from "./keep-sample.ts";
import { type Trial, type TrialInput, useTrial } from "./trial.ts";

const EMPTY = {
  operator: "",
  target: "",
  amount: "",
  circle: "",
  reference: "",
  answer: "",
  http_status: "200",
  to: "request",
};
type Values = typeof EMPTY;

const SAMPLE = [
  ["operator", "Operator code", "first in the definition"],
  ["target", "Number or account", "9876543000"],
  ["amount", "Amount", "199"],
  ["circle", "Circle", "none"],
  ["reference", "Our reference", "01SAMPLE000REFERENCE"],
] as const;

const CALLS = [
  { value: "request", label: "Request" },
  { value: "status", label: "Status check" },
  { value: "callback", label: "None: it is a callback" },
];

type DryRunProps = {
  readonly text: string;
  readonly parsed: Parsed;
  readonly provider: string | null;
  /** The chosen operation; the first one of the definition when it is empty. */
  readonly operation: string;
  readonly onOperation: (operation: string) => void;
  /** Whether the definition is known to have errors. */
  readonly hasFaults: boolean;
  readonly isSent: (text: string) => boolean;
  readonly onPlaces: (places: Faults["places"]) => void;
  /** Leads to a path of the definition. */
  readonly onShow: (path: string) => void;
  /** Adds the response that was tried to the samples of the definition. */
  readonly onKeep: (sample: NewSample) => void;
};

/** Shows the requests of a definition and how it reads its samples and a response. Nothing is sent or saved. */
export function DryRun({
  text,
  parsed,
  provider,
  operation,
  onOperation,
  hasFaults,
  isSent,
  onPlaces,
  onShow,
  onKeep,
}: DryRunProps): ReactNode {
  const [values, setValues] = useState<Values>(EMPTY);
  const operations = operationsIn(parsed);
  const chosen = operations.includes(operation) ? operation : "";
  const input = useMemo(() => inputOf(values, chosen), [values, chosen]);
  const { trial, isOutdated, busy, error, run } = useTrial({ text, parsed, provider, input, isSent, onPlaces });
  const options = [{ value: "", label: "First of the definition" }, ...operations.map((name) => ({ value: name, label: name }))];
  return (
    <Card title="Dry run" hint="Shows the requests with masked secrets, and how responses are read. Nothing is sent or saved.">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Operation"
          className="min-w-0 flex-1 basis-40"
          options={options}
          value={chosen}
          onChange={(event) => onOperation(event.target.value)}
        />
        <Button busy={busy} disabled={!parsed.ok} onClick={run}>
          Run now
        </Button>
      </div>
      <details className="mt-4 rounded-lg border border-line px-3 py-2">
        <summary className="font-medium">Try a response or another order</summary>
        <TrialForm values={values} onValues={setValues} fields={error instanceof ApiError ? error.fields : {}} />
      </details>
      {error !== null && <ErrorCard error={error} />}
      <p role="status" className="mt-4 text-soft text-xs">
        {statusText(parsed, trial !== null, isOutdated, hasFaults)}
      </p>
      {trial?.reading != null && trial.operation !== null && input.answer !== undefined && !isOutdated && (
        <KeepSample
          key={trial.operation + trial.reading.outcome}
          reading={trial.reading}
          onKeep={(name) =>
            onKeep({ operation: trial.operation ?? "", answer: input.answer ?? { body: "" }, reference: values.reference.trim(), name })
          }
        />
      )}
      {trial !== null && <DryRunResult trial={trial} onShow={onShow} />}
    </Card>
  );
}

type KeepProps = { readonly reading: NonNullable<Trial["reading"]>; readonly onKeep: (name: string) => void };

/** Keeps the response as a sample, which is read again before every save. */
function KeepSample({ reading, onKeep }: KeepProps): ReactNode {
  const [name, setName] = useState(() => sampleName(reading));
  return (
    <div className="mt-4 flex flex-wrap items-end gap-2">
      <Field
        label="Name of the sample"
        className="min-w-0 flex-1 basis-40"
        hint="What it means. Add a point and a word if there are several."
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button disabled={name === ""} onClick={() => onKeep(name)}>
        Keep as sample
      </Button>
    </div>
  );
}

function statusText(parsed: Parsed, hasResult: boolean, isOutdated: boolean, hasFaults: boolean): string {
  if (!parsed.ok)
    return `The JSON is not valid. ${hasResult ? "This is the result for the text before. " : ""}It runs again once the JSON is valid.`;
  if (isOutdated) return "The result below is for the text before your latest change.";
  if (hasResult) return "The result is up to date. It refreshes after each change.";
  return hasFaults ? "The result appears here once the definition has no errors." : "The definition is being checked.";
}

type TrialFormProps = { readonly values: Values; readonly onValues: (values: Values) => void; readonly fields: ApiError["fields"] };

function TrialForm({ values, onValues, fields }: TrialFormProps): ReactNode {
  const setFrom = (name: keyof Values) => (event: { readonly target: { readonly value: string } }) =>
    onValues({ ...values, [name]: event.target.value });
  return (
    <div className="space-y-4 py-3">
      <TextArea
        label="Sample response"
        hint="Paste a response from the provider's manual."
        spellCheck={false}
        error={fields["answer"]}
        value={values.answer}
        onChange={setFrom("answer")}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="HTTP status of the response"
          inputMode="numeric"
          error={fields["answer.http_status"]}
          value={values.http_status}
          onChange={setFrom("http_status")}
        />
        <Select label="Response to" options={CALLS} value={values.to} onChange={setFrom("to")} />
        {SAMPLE.map(([name, label, placeholder]) => (
          <Field
            key={name}
            label={label}
            placeholder={placeholder}
            maxLength={200}
            error={fields[`sample.${name}`]}
            value={values[name]}
            onChange={setFrom(name)}
          />
        ))}
      </div>
    </div>
  );
}

function operationsIn(parsed: Parsed): readonly string[] {
  const operations: unknown = parsed.ok ? parsed.definition["operations"] : null;
  return typeof operations === "object" && operations !== null ? Object.keys(operations) : [];
}

function inputOf(values: Values, chosen: string): TrialInput {
  const given = SAMPLE.map(([name]) => [name, values[name].trim()] as const).filter(([, value]) => value !== "");
  const status = Number(values.http_status);
  const isAnswer = values.answer !== "" || status !== 200;
  const to = values.to === "status" || values.to === "callback" ? values.to : "request";
  const answer = { body: values.answer, http_status: status, to } as const;
  const operation = chosen === "" ? {} : { operation: chosen };
  return { ...operation, sample: Object.fromEntries(given), ...(isAnswer ? { answer } : {}) };
}
