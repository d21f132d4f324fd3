import { parseMoney } from "../../../platform/core/money.ts";
import type { Finding, ProviderRequest } from "../connector.ts";
import { cleaner } from "../masking/cleaner.ts";
import type { Fault } from "../settings/faults.ts";
import type { AnswerFields } from "./answer-fields.ts";
import { buildCall, type Secrets } from "./build-call.ts";
import { type CallDefinition, type Definition, readDefinition } from "./definition.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { secretVariable } from "./secrets.ts";

export type SampleAnswer = {
  readonly body: Buffer;
  readonly httpStatus: number;
  /** The call that this answers. */
  readonly to: "request" | "status";
};

export type DryRunInput = {
  /** The parsed JSON of the description. */
  readonly description: unknown;
  /** The secrets that were found; missing ones are reported. */
  readonly secrets: Secrets;
  readonly sample?: Partial<ProviderRequest>;
  readonly answer?: SampleAnswer;
  readonly now: number;
};

export type ShownCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type DryRun =
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | {
      readonly kind: "done";
      readonly provider: string;
      /** Environment variables that would supply the missing secrets. */
      readonly missing: readonly string[];
      readonly request: ShownCall | { readonly notSent: string };
      readonly status: ShownCall | { readonly notSent: string };
      readonly reading: { readonly fields: AnswerFields | null; readonly finding: Finding; readonly because: string } | null;
    };

const SAMPLE: ProviderRequest = {
  reference: "01SAMPLE000REFERENCE",
  service: "recharge",
  call: "",
  operator: "AT",
  target: "9876543000",
  amount: parseMoney("199") ?? (0n as ProviderRequest["amount"]),
  circle: null,
  createdAt: 0,
};

/** Shows the requests that a description would send, with masked secrets, and how it reads a sample answer. Sends nothing. */
export function dryRun(input: DryRunInput): DryRun {
  const read = readDefinition(input.description);
  if (!read.ok) return { kind: "invalid", faults: read.faults };
  const { definition } = read;
  const sample = { ...SAMPLE, operator: Object.keys(definition.operators ?? {})[0] ?? SAMPLE.operator, ...input.sample };
  const missing = definition.secrets.filter((name) => !Object.hasOwn(input.secrets, name));
  return {
    kind: "done",
    provider: definition.name,
    missing: missing.map((name) => secretVariable(definition.name, name)),
    request: show(definition, definition.request, sample, input.now),
    status: show(definition, definition.status, sample, input.now),
    reading: input.answer ? readSample(definition, input.answer, sample.reference, input.secrets) : null,
  };
}

function show(
  definition: Definition,
  call: CallDefinition,
  sample: ProviderRequest,
  now: number,
): ShownCall | { readonly notSent: string } {
  // The mask consists of characters that no escaping changes.
  const masked = Object.fromEntries(definition.secrets.map((name) => [name, `___${name}___`]));
  const built = buildCall(definition, call, sample, masked, now);
  if (!built.ok) return { notSent: built.why };
  const { method, origin, path, headers, body } = built.call;
  return { method, url: origin + path, headers, body };
}

function readSample(definition: Definition, answer: SampleAnswer, reference: string, secrets: Secrets) {
  const call = answer.to === "request" ? definition.request : definition.status;
  const given = { status: answer.httpStatus, headers: {}, body: answer.body, endMarked: true };
  return judgeAnswer(call, given, { reference, clean: cleaner(secrets) });
}
