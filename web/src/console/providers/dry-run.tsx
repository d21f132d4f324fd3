import { type FormEvent, type ReactNode, useState } from "react";
import type { OperatorApi } from "../../operator-api.ts";
import { ApiError } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { type Faults, faultsIn, NO_FAULTS, nameIn, type Parsed } from "./definition.ts";
import { DryRunResult, type Trial } from "./dry-run-result.tsx";

const EMPTY = {
  operator: "",
  target: "",
  amount: "",
  circle: "",
  reference: "",
  answer: "",
  http_status: "200",
  to: "request",
  operation: "",
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

type DryRunProps = { readonly parsed: Parsed; readonly onFaults: (faults: Faults) => void };

/** Shows the requests of a definition and how it reads a response. Nothing is sent or saved. */
export function DryRun({ parsed, onFaults }: DryRunProps): ReactNode {
  const [values, setValues] = useState<Values>(EMPTY);
  const [trial, setTrial] = useState<Trial | null>(null);
  const { busy, error, attempt } = useAttempt();
  const fields = error instanceof ApiError ? error.fields : {};
  const setFrom = (name: keyof Values) => (event: { readonly target: { readonly value: string } }) =>
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
        setTrial(await post("/providers/:provider/test", { provider: name, definition: parsed.definition, ...bodyOf(values) }));
      } catch (refused) {
        const found = faultsIn(refused);
        if (found === null) throw refused;
        onFaults(found);
      }
    });
  };
  return (
    <Card title="Dry run" hint="Shows the requests with masked secrets, and how a response is read. Nothing is sent or saved.">
      <form onSubmit={run} className="space-y-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Select label="Operation" options={operationsIn(parsed)} value={values.operation} onChange={setFrom("operation")} />
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
        <TextArea
          label="Sample response"
          hint="Paste a response from the provider's manual, or leave it empty."
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
        </div>
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" busy={busy} disabled={!parsed.ok}>
            Start dry run
          </Button>
        </div>
      </form>
      {trial !== null && <DryRunResult trial={trial} />}
    </Card>
  );
}

const NAMELESS: Faults = { places: [["name", "Use 1 to 32 lowercase letters, digits or -, starting with a letter."]], secrets: {} };

/** The operations of the definition; without a choice the first one is shown. */
function operationsIn(parsed: Parsed): readonly { readonly value: string; readonly label: string }[] {
  const operations: unknown = parsed.ok ? parsed.definition["operations"] : null;
  const names = typeof operations === "object" && operations !== null ? Object.keys(operations) : [];
  return [{ value: "", label: "First of the definition" }, ...names.map((name) => ({ value: name, label: name }))];
}

function bodyOf(values: Values): Pick<OperatorApi["POST /providers/:provider/test"]["input"], "operation" | "sample" | "answer"> {
  const given = SAMPLE.map(([name]) => [name, values[name].trim()] as const).filter(([, value]) => value !== "");
  const status = Number(values.http_status);
  const isAnswer = values.answer !== "" || status !== 200;
  const to = values.to === "status" || values.to === "callback" ? values.to : "request";
  const answer = { body: values.answer, http_status: status, to } as const;
  const operation = values.operation === "" ? {} : { operation: values.operation };
  return { ...operation, sample: Object.fromEntries(given), ...(isAnswer ? { answer } : {}) };
}
