import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { signatureDebuggerText } from "../../messages/en/signature-debugger.ts";
import { fill } from "../../messages/fill.ts";
import type { Schemas } from "../../portal-api.ts";
import { Notice } from "../../ui/page.tsx";
import { type Cut, splitAtDifference, visible } from "./difference.ts";

type ComparedLine = Schemas["ComparedLine"];
export type Compared = Schemas["SignatureComparison"];

const NAMES: Readonly<Record<string, string>> = {
  method: signatureDebuggerText.method,
  path: signatureDebuggerText.path,
  query: signatureDebuggerText.query,
  body_sha256: signatureDebuggerText.bodySha256,
  timestamp: signatureDebuggerText.timestamp,
  nonce: signatureDebuggerText.nonce,
};

/** The six lines side by side. In a line that differs, the differing characters are marked. */
export function Comparison({ compared }: { readonly compared: Compared }): ReactNode {
  const same = compared.lines.every((line) => line.same);
  return (
    <section aria-label={signatureDebuggerText.comparison} className="space-y-4">
      <div role="status">
        <Notice tone={same ? "accent" : "bad"}>
          <p className="break-words font-medium">{compared.verdict}</p>
        </Notice>
      </div>
      <ol className="space-y-3">
        {compared.lines.map((line, index) => (
          <Line key={line.name} line={line} number={index + 1} />
        ))}
      </ol>
    </section>
  );
}

function Line({ line, number }: { readonly line: ComparedLine; readonly number: number }): ReactNode {
  const { left, right, at } = splitAtDifference(line.expected, line.given);
  const Icon = line.same ? Check : X;
  return (
    <li className={`rounded-lg border p-3 ${line.same ? "border-line" : "border-bad/60"}`}>
      <p className="flex flex-wrap items-center gap-2">
        <Icon aria-hidden className={`size-4 ${line.same ? "text-good" : "text-bad"}`} />
        <span className="font-medium">{fill(signatureDebuggerText.line, { number, name: NAMES[line.name] ?? line.name })}</span>
        <span className={line.same ? "text-good" : "text-bad"}>
          {line.same ? signatureDebuggerText.matches : fill(signatureDebuggerText.differsFromCharacter, { at })}
        </span>
      </p>
      <div className="mt-2 grid gap-2 md:grid-cols-2">
        <Side label={signatureDebuggerText.computedByTheService} cut={left} same={line.same} />
        <Side label={signatureDebuggerText.signedByYou} cut={right} same={line.same} />
      </div>
      {line.hint !== null && <p className="mt-2 break-words">{line.hint}</p>}
    </li>
  );
}

function Side({ label, cut, same }: { readonly label: string; readonly cut: Cut; readonly same: boolean }): ReactNode {
  const empty = cut.before === "" && cut.changed === "" && cut.after === "";
  return (
    <div className="min-w-0 rounded-md bg-sunken px-3 py-2">
      <p className="text-soft text-xs">{label}</p>
      <p className="break-all font-mono text-[0.8125rem]">
        {empty ? (
          <span className="text-soft italic">{signatureDebuggerText.empty}</span>
        ) : same ? (
          cut.before
        ) : (
          <>
            {cut.before}
            {cut.changed !== "" && (
              <mark className="rounded-sm bg-bad-tint px-0.5 font-semibold text-bad underline decoration-2 underline-offset-2">
                {visible(cut.changed)}
              </mark>
            )}
            {cut.after}
          </>
        )}
      </p>
    </div>
  );
}
