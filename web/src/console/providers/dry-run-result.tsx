import type { ReactNode } from "react";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import type { WireRequest } from "../../ui/wire-request.tsx";

type Call = WireRequest | { readonly not_sent: string };

export type Trial = {
  readonly missing: readonly string[];
  readonly steps: readonly { readonly step: string; readonly call: Call | null }[];
  readonly reading: {
    readonly outcome: string;
    readonly because: string;
    /** The message that the client gets for a failure; null when it is no failure. */
    readonly client_message: string | null;
    readonly fields: Readonly<Record<string, string | null>>;
    /** The data of a query, as JSON text. */
    readonly value: string | null;
  } | null;
};

export function DryRunResult({ trial }: { readonly trial: Trial }): ReactNode {
  return (
    <section aria-label="Result of the dry run" className="mt-6 space-y-4 border-line border-t pt-5">
      {trial.missing.length > 0 && <Notice>Missing secrets: {trial.missing.join(", ")}. Without them the provider gets no orders.</Notice>}
      {trial.reading !== null && <Reading reading={trial.reading} />}
      {trial.steps.length === 0 && <Notice tone="good">The settings are valid. This connector builds its requests itself.</Notice>}
      {trial.steps.map(({ step, call }) => (
        <CallBlock key={step} title={step} call={call} />
      ))}
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = { succeeded: "good", answered: "good", declined: "bad", reversed: "back", pending: "wait" };

function Reading({ reading }: { readonly reading: NonNullable<Trial["reading"]> }): ReactNode {
  const { outcome, because, fields, value, client_message: clientMessage } = reading;
  const found = Object.entries(fields);
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">The response is read as</span>
        <Badge tone={TONES[outcome] ?? "plain"}>{outcome.replace("_", " ")}</Badge>
        <span className="break-words text-soft">because {because}.</span>
      </p>
      {clientMessage !== null && <p>Message to the client: {clientMessage}</p>}
      <Facts facts={found.map(([name, value]) => [name.replace("_", " "), value ?? <span className="text-soft">Not present</span>])} />
      {value !== null && <CodeBlock title="Value" code={value} />}
    </div>
  );
}

function CallBlock({ title, call }: { readonly title: string; readonly call: Call | null }): ReactNode {
  if (call === null) return null;
  if ("not_sent" in call) {
    return (
      <Notice tone="bad">
        {title} would not be sent: {call.not_sent}.
      </Notice>
    );
  }
  const headers = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`${call.method} ${call.url}`, ...headers, ...(call.body === null ? [] : ["", call.body])].join("\n");
  return <CodeBlock title={title} code={text} />;
}
