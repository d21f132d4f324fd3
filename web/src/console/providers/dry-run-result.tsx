import type { ReactNode } from "react";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import type { WireRequest } from "../../ui/wire-request.tsx";

type Call = WireRequest | { readonly not_sent: string };

export type Trial = {
  readonly missing: readonly string[];
  readonly request: Call | null;
  readonly status: Call | null;
  readonly reading: {
    readonly outcome: string;
    readonly because: string;
    /** What the client reads of a failure; null when it is none. */
    readonly client_message: string | null;
    readonly fields: Readonly<Record<"status" | "operator_ref" | "message" | "reference" | "reason", string | null>> | null;
  } | null;
};

export function DryRunResult({ trial }: { readonly trial: Trial }): ReactNode {
  return (
    <section aria-label="Result of the dry run" className="mt-6 space-y-4 border-line border-t pt-5">
      {trial.missing.length > 0 && <Notice>Not set yet: {trial.missing.join(", ")}. Without them it gets no orders.</Notice>}
      {trial.reading !== null && <Reading reading={trial.reading} />}
      {trial.request === null && <Notice tone="good">The settings have no fault. This connector makes its requests by itself.</Notice>}
      <OneCall title="The request" call={trial.request} />
      <OneCall title="The status question" call={trial.status} />
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = { succeeded: "good", declined: "bad", reversed: "back", pending: "wait" };

function Reading({ reading }: { readonly reading: NonNullable<Trial["reading"]> }): ReactNode {
  const { outcome, because, fields, client_message: told } = reading;
  const found = fields === null ? [] : Object.entries(fields);
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">The answer is read as</span>
        <Badge tone={TONES[outcome] ?? "plain"}>{outcome.replace("_", " ")}</Badge>
        <span className="break-words text-soft">because {because}.</span>
      </p>
      {told !== null && <p>The client reads: {told}</p>}
      <Facts facts={found.map(([name, value]) => [name.replace("_", " "), value ?? <span className="text-soft">not there</span>])} />
    </div>
  );
}

function OneCall({ title, call }: { readonly title: string; readonly call: Call | null }): ReactNode {
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
