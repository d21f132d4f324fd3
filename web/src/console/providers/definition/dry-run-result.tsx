import type { ReactNode } from "react";
import { Badge, type Tone } from "../../../ui/formats/badge.tsx";
import { CodeBlock } from "../../../ui/formats/code-block.tsx";
import { Facts, Notice } from "../../../ui/page.tsx";
import type { Trial } from "./trial.ts";

type Reading = NonNullable<Trial["reading"]>;
type Sample = Trial["samples"][number];
type Call = Trial["request"];

type ResultProps = { readonly trial: Trial; readonly onShow: (path: string) => void };

export function DryRunResult({ trial, onShow }: ResultProps): ReactNode {
  return (
    <section aria-label="Result of the dry run" className="mt-4 space-y-4 border-line border-t pt-4">
      {trial.missing.length > 0 && <Notice>Missing secrets: {trial.missing.join(", ")}. Without them the provider gets no orders.</Notice>}
      {trial.warnings.map(({ path, message }) => (
        <Notice key={path}>
          <code className="break-all font-mono text-[0.8125rem]">{path}</code> {message}
        </Notice>
      ))}
      {trial.reading !== null && <ResponseReading reading={trial.reading} />}
      {trial.connector !== "description" && <Notice tone="good">The settings are valid. This connector builds its requests itself.</Notice>}
      {trial.steps.map(({ step, call }) => (
        <CallBlock key={step} title={step} call={call} />
      ))}
      {trial.connector === "description" && <Samples samples={trial.samples} onShow={onShow} />}
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = { succeeded: "good", answered: "good", declined: "bad", reversed: "back", pending: "wait" };

export function Outcome({ outcome }: Pick<Reading, "outcome">): ReactNode {
  return <Badge tone={TONES[outcome] ?? "plain"}>{outcome.replace("_", " ")}</Badge>;
}

function ResponseReading({ reading }: { readonly reading: Reading }): ReactNode {
  const { outcome, because, decline, client_message: clientMessage } = reading;
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">The response is read as</span>
        <Outcome outcome={outcome} />
        <span className="break-words text-soft">because {because}.</span>
      </p>
      {decline !== null && <p>Class of the decline: {decline}</p>}
      {clientMessage !== null && <p>Message to the client: {clientMessage}</p>}
      <Found reading={reading} />
    </div>
  );
}

function Found({ reading: { fields, value } }: { readonly reading: Reading }): ReactNode {
  const found = Object.entries(fields);
  return (
    <>
      <Facts facts={found.map(([name, text]) => [name.replace("_", " "), text ?? <span className="text-soft">Not present</span>])} />
      {value !== null && <CodeBlock title="Value" code={value} />}
    </>
  );
}

function Samples({ samples, onShow }: { readonly samples: readonly Sample[]; readonly onShow: (path: string) => void }): ReactNode {
  return (
    <section aria-label="Samples" className="space-y-2">
      <h3 className="font-semibold">Samples</h3>
      {samples.length === 0 && (
        <p className="text-soft">
          This operation has no samples. Put answers from the provider's manual under <code className="font-mono">samples</code> to see here
          how each is read.
        </p>
      )}
      {samples.map((sample) => (
        <details key={sample.path} className="rounded-lg border border-line px-3 py-2">
          <summary className="break-words">
            <span className="text-soft">{callOf(sample.path)}</span> <span className="font-medium">{sample.name}</span>{" "}
            <Outcome outcome={sample.outcome} />
          </summary>
          <div className="space-y-3 pt-2">
            <p className="break-words text-soft">because {sample.because}.</p>
            <button type="button" className="link break-all text-left font-mono text-[0.8125rem]" onClick={() => onShow(sample.path)}>
              {sample.path}
            </button>
            {sample.client_message !== null && <p>Message to the client: {sample.client_message}</p>}
            <Found reading={sample} />
          </div>
        </details>
      ))}
    </section>
  );
}

/** The call that a sample answers: the request, the status check, a step, the login or a callback. */
function callOf(path: string): string {
  const [call = ""] = path.replace(/^operations\./, "").split(".samples.");
  return call.endsWith(".status") ? "status" : call.replace(/^callbacks.*/, "callback");
}

function CallBlock({ title, call }: { readonly title: string; readonly call: Call }): ReactNode {
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
