import { isTransaction, type OperationName } from "@corprail/connector";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../../connector.ts";
import { cleaner } from "../../masking/cleaner.ts";
import { secretMask } from "../../masking/mask-secrets.ts";
import type { Fault } from "../../settings/faults.ts";
import { secretVariable } from "../../settings/secrets.ts";
import { unsignedWarnings } from "../check/check-signature.ts";
import { type Description, readDescription } from "../definition.ts";
import { buildRequest } from "../request/build-request.ts";
import { knownNames } from "../request/known-names.ts";
import { type Given, inputValues, requestValues } from "../request/order-values.ts";
import type { CallContext, Secrets } from "../request/scope.ts";
import { standInToken } from "../request/stand-in-token.ts";
import { allPlans, type PlannedOperation } from "../run/plan.ts";
import { readSamples, type SampleReading } from "../samples/read-samples.ts";
import { SAMPLE_REQUEST, sampleReference } from "../samples/sample-scope.ts";
import { type ProofCheck, proofChecks } from "./proof-check.ts";
import { type Reading, readSample } from "./read-sample.ts";
import { sampleValues } from "./sample-values.ts";
import { type ShownComputed, shownComputed } from "./shown-computed.ts";

export type SampleAnswer = {
  readonly body: Buffer;
  readonly httpStatus: number;
  /** What this answers; a callback is a message of its own. */
  readonly to: "request" | "status" | "callback";
  /** The step that it answers, by default the last one. */
  readonly step?: string;
  /** The headers of a callback, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type DryRunInput = {
  /** The parsed JSON of the description. */
  readonly description: unknown;
  /** The secrets that were found; missing ones are reported. */
  readonly secrets: Secrets;
  /** The description's first operation by default. */
  readonly operation?: string;
  readonly sample?: Partial<ProviderRequest>;
  /** The input of a query. */
  readonly input?: JsonObject;
  readonly answer?: SampleAnswer;
  /** The time of the calls; {created_at} is the same. */
  readonly now: number;
  /** The token, instead of a stand-in. */
  readonly token?: string | undefined;
  /** Every random value, such as {unique_id}. */
  readonly nonce?: string | undefined;
  /** Computes signatures with the secrets and shows what they are made of. The secrets themselves stay masked. */
  readonly showsComputed?: boolean | undefined;
};

export type ShownCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};
export type Shown = ShownCall | { readonly notSent: string };
export type ShownStep = { readonly step: string; readonly call: Shown; readonly computed?: readonly ShownComputed[] };

export type DryRun =
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | {
      readonly kind: "done";
      readonly provider: string;
      readonly operation: OperationName;
      /** Environment variables that would supply the missing secrets. */
      readonly missing: readonly string[];
      /** What is allowed and may still be a mistake, each with its place. */
      readonly warnings: readonly Fault[];
      /** All calls in their order: the login, the steps, and the steps of the status query. */
      readonly steps: readonly ShownStep[];
      /** The call that moves the money, or the last one. */
      readonly request: Shown;
      /** Null for a query. */
      readonly status: Shown | null;
      readonly reading: Reading | null;
      /** How a sample callback would be proved; empty for other answers. */
      readonly proofs: readonly ProofCheck[];
      /** How the description's own samples of this operation, the login and the callbacks are read. */
      readonly samples: readonly SampleReading[];
    };

/** Shows the requests that a description would send, with masked secrets, and how it reads a sample answer. Sends nothing. */
export function dryRun(input: DryRunInput): DryRun {
  const read = readDescription(input.description);
  if (!read.ok) return { kind: "invalid", faults: read.faults };
  const { definition } = read;
  const plans = allPlans(definition);
  const name = input.operation ?? plans[0]?.name;
  const own = plans.filter((planned) => planned.name === name);
  const send = own.find(({ part }) => part === "send");
  if (send === undefined) {
    const known = Object.keys(definition.operations).join(", ");
    return { kind: "invalid", faults: [{ path: "operation", message: `The description has no operation ${name}. It has ${known}.` }] };
  }
  const request = sampleRequest(definition, input);
  const missing = definition.secrets.filter((secret) => !Object.hasOwn(input.secrets, secret));
  const shown = own.map((planned) => shownSteps(definition, planned, request, input));
  const status = own.find(({ part }) => part === "status");
  return {
    kind: "done",
    provider: definition.name,
    operation: send.name,
    missing: missing.map((secret) => secretVariable(definition.name, secret)),
    warnings: unsignedWarnings(definition),
    steps: [...loginSteps(definition, input), ...shown.flat()],
    request: mainCall(send, shown[own.indexOf(send)] ?? []),
    status: status === undefined ? null : mainCall(status, shown[own.indexOf(status)] ?? []),
    reading: input.answer === undefined ? null : readSample(definition, own, input.answer, request, cleaner(input.secrets), input.now),
    proofs: input.answer?.to === "callback" ? proofChecks(definition, input.secrets, input.answer, input.now) : [],
    samples: readSamples(definition, send.name),
  };
}

function sampleRequest(definition: Description, { sample, now }: DryRunInput): ProviderRequest {
  const operator = Object.keys(definition.codes["operators"]?.values ?? {})[0] ?? SAMPLE_REQUEST.operator;
  return { ...SAMPLE_REQUEST, reference: sampleReference(definition), createdAt: now, operator, ...sample };
}

function mainCall({ plan }: PlannedOperation, shown: readonly ShownStep[]): Shown {
  const position = plan.steps.findIndex(({ sends }) => sends);
  return (shown[position] ?? shown.at(-1))?.call ?? { notSent: "there is no call" };
}

function givenFor(
  definition: Description,
  { name, part }: PlannedOperation,
  request: ProviderRequest,
  { input = {}, now }: DryRunInput,
): Given {
  const own = isTransaction(name) ? requestValues(request) : inputValues({ reference: request.reference, ...input });
  const known = knownNames(name, part);
  return sampleValues(known, (value) => own(value) ?? (known.has(value) ? keyOfCodes(definition, value) : undefined), now);
}

/** The first key of a code map, for the value that the map is asked by, so that the sample has a code. */
function keyOfCodes({ codes }: Description, value: string): string | undefined {
  const map = Object.values(codes).find(({ by }) => by === `{${value}}`);
  return Object.keys(map?.values ?? {})[0];
}

function shownSteps(
  definition: Description,
  planned: PlannedOperation,
  request: ProviderRequest,
  input: DryRunInput,
): readonly ShownStep[] {
  const { plan, part } = planned;
  // What a step would save is shown by its name.
  const saved = new Map(
    plan.steps.flatMap(({ name, save }) => Object.keys(save).map((value) => [`step.${name}.${value}`, `___${value}___`])),
  );
  const context: CallContext = {
    ...contextOf(definition, input),
    given: givenFor(definition, planned, request, input),
    saved,
    checksCircle: part === "send" && isTransaction(planned.name),
  };
  return plan.steps.map((step) => {
    const label = plan.steps.length === 1 ? plan.operation : `${plan.operation}: ${step.name}`;
    return { step: label, ...show(step.request, context, true) };
  });
}

function loginSteps(definition: Description, input: DryRunInput): readonly ShownStep[] {
  const { login } = definition;
  return login === undefined ? [] : [{ step: "login", ...show(login.request, contextOf(definition, input), false) }];
}

const PAGE: ReadonlyMap<string, string> = new Map([
  ["number", "1"],
  ["offset", "0"],
  ["size", "100"],
]);

/** The masks consist of characters that no escaping changes. Computed values need the secrets, which are masked afterwards. */
function contextOf(definition: Description, { now, token, nonce, showsComputed = false, secrets }: DryRunInput): CallContext {
  const masks = Object.fromEntries(definition.secrets.map((name) => [name, `___${name}___`]));
  return {
    definition,
    secrets: showsComputed ? { ...masks, ...secrets } : masks,
    given: () => undefined,
    saved: new Map(),
    token: token ?? standInToken(definition, "___token___"),
    page: PAGE,
    now,
    random: { bytes: (count) => Buffer.alloc(count), uuid: () => "00000000-0000-4000-8000-000000000000", nonce },
    checksCircle: false,
    hidesComputed: !showsComputed,
  };
}

function show(request: Parameters<typeof buildRequest>[0], context: CallContext, common: boolean): Omit<ShownStep, "step"> {
  const built = buildRequest(request, context, common);
  if (!built.ok) return { call: { notSent: built.why } };
  const mask = secretMask(Object.values(context.secrets).filter((secret) => !/^___.*___$/.test(secret)));
  const { method, origin, path, headers, body } = built.call;
  const plain = request.envelope === undefined ? null : built.scope.parts.get("body");
  const call = {
    method,
    url: mask(origin + path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)])),
    body: body === null ? null : mask(plain ? `${body}\n\nBefore it is put into the envelope:\n${plain}` : body),
  };
  if (context.hidesComputed) return { call };
  return { call, computed: shownComputed(context.definition, built.scope, context.random, mask) };
}
