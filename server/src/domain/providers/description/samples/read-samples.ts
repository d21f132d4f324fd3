import type { OperationName } from "@corprail/connector";
import { finish, type Sliced } from "../../../../platform/core/slices.ts";
import { type JsonValue, parseStrictJson } from "../../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../../connector.ts";
import { readCallback } from "../callbacks/read-callback.ts";
import type { Description } from "../definition.ts";
import { answerReading, callbackFields, type Reading, type ReadingParts, valuesFor } from "../dry-run/read-sample.ts";
import type { CallbackDefinition } from "../language/callbacks.ts";
import type { ReadDefinition } from "../language/read.ts";
import type { Rule } from "../language/rules.ts";
import type { CallbackSample, Sample } from "../language/samples.ts";
import { openAnswer } from "../read/open-answer.ts";
import { placeIn } from "../read/path.ts";
import { readText } from "../read/read-value.ts";
import { requestValues } from "../request/order-values.ts";
import { allPlans, type PlannedOperation, type Step } from "../run/plan.ts";
import { render } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import { renderBody, renderHeaders, renderSample } from "./render-sample.ts";
import { SAMPLE_PROVIDER_VALUES, SAMPLE_REQUEST, sampleReference, sampleScope } from "./sample-scope.ts";

/** A sample of a description and how its own rules read it. */
export type SampleReading = {
  readonly path: string;
  /** Null for callbacks and the login. */
  readonly operation: OperationName | null;
  /** The key under which it is filed, such as declined.float. */
  readonly name: string;
  readonly reading: Reading;
  /** Why it is read otherwise than it is filed; null when both agree. */
  readonly fault: string | null;
};

const CHECK_TIME = Date.UTC(2026, 0, 31, 6, 30);
const RANDOM = { bytes: (count: number) => Buffer.alloc(count, 1), uuid: () => "00000000-0000-4000-8000-000000000000" };

/** Reads the samples of a description through the description's own rules: all, or those of one operation, login and callbacks. */
export function readSamples(definition: Description, operation?: OperationName): readonly SampleReading[] {
  return finish(sampleReadings(definition, operation));
}

/** The same, sample by sample. */
export function* sampleReadings(definition: Description, operation?: OperationName): Sliced<readonly SampleReading[]> {
  const plans = allPlans(definition).filter(({ name }) => operation === undefined || name === operation);
  const request = sampleRequest(definition);
  const parts: ReadingParts = { definition, clean: (text) => text, now: CHECK_TIME };
  const readings: SampleReading[] = [];
  for (const planned of plans) {
    const saved = new Map<string, string>();
    const steps: readonly Step<Rule>[] = planned.plan.steps;
    for (const step of steps) readings.push(...(yield* stepReadings(parts, planned, step, request, saved)));
  }
  return [
    ...readings,
    ...loginReadings(definition),
    ...definition.callbacks.flatMap((callback, index) => callbackReadings(parts, callback, `callbacks[${index}]`, request)),
  ];
}

function sampleRequest(definition: Description): ProviderRequest {
  const operator = Object.keys(definition.codes["operators"]?.values ?? {})[0] ?? SAMPLE_REQUEST.operator;
  return { ...SAMPLE_REQUEST, reference: sampleReference(definition), createdAt: CHECK_TIME, operator };
}

/** The sample `continue` of a step also gives the values that later steps use. */
function* stepReadings(
  parts: ReadingParts,
  planned: PlannedOperation,
  step: Step<Rule>,
  request: ProviderRequest,
  saved: Map<string, string>,
): Sliced<readonly SampleReading[]> {
  const before = new Map(saved);
  const given = valuesFor(planned, request, parts.now);
  const scope = sampleScope(parts.definition, { given, own: SAMPLE_PROVIDER_VALUES, now: parts.now, random: RANDOM });
  const plain = withoutEncryption(step);
  const readings: SampleReading[] = [];
  for (const [name, sample] of Object.entries(step.samples)) {
    const read = () => {
      const { status, body } = renderSample(sample, plain.read, scope);
      const kept = name === "continue" ? saved : new Map(before);
      return answerReading(parts, planned, plain, { httpStatus: status, body }, request, kept);
    };
    readings.push(readingOf(`${step.place}.samples.${name}`, planned.name, name, read));
    yield;
  }
  return readings;
}

/** Samples are written as plain text; the twin encrypts them. */
function withoutEncryption(step: Step<Rule>): Step<Rule> {
  const { decrypt: _, ...read } = step.read;
  return { ...step, read };
}

function readingOf(path: string, operation: OperationName | null, name: string, read: () => Reading): SampleReading {
  const reading = attempt(read);
  return { path, operation, name, reading, fault: faultOf(name, reading) };
}

/** A value that the sample cannot be written with, or that a reader needs and nobody has. */
function attempt(read: () => Reading): Reading {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    return { outcome: "unreadable", because: error.message, failure: null, decline: null, fields: {}, value: null };
  }
}

const OUTCOMES: Readonly<Record<string, string>> = { success: "succeeded" };
const CLASSES: readonly string[] = ["final", "provider", "float", "busy"];

function faultOf(name: string, { outcome, because, decline }: Reading): string | null {
  const [result = "", label = ""] = name.split(".");
  if (outcome !== (OUTCOMES[result] ?? result)) return `Is read as ${outcome}, not as ${result}: ${because.replace(/\.$/, "")}.`;
  const isOtherClass = result === "declined" && CLASSES.includes(label) && label !== decline;
  return isOtherClass ? `Is read as a decline of the class ${decline}, not ${label}: ${because}.` : null;
}

function loginReadings(definition: Description): readonly SampleReading[] {
  const { login } = definition;
  if (login === undefined) return [];
  const read: ReadDefinition = { ...definition.read, ...login.read };
  const scope = sampleScope(definition, { given: () => undefined, own: SAMPLE_PROVIDER_VALUES, now: CHECK_TIME, random: RANDOM });
  const tokenIn = (sample: Sample): Reading => {
    const { decrypt: _, ...plain } = read;
    const { status, body } = renderSample(sample, plain, scope);
    const document = openAnswer(plain, { body, endMarked: true }, scope);
    const place = placeIn(document, status);
    const token = readText(login.token, place, { definition, scope, ignoreCase: false });
    const isToken = status >= 200 && status <= 299 && document.ok && token !== null;
    const because = isToken ? "the answer has a token" : document.ok ? "the answer has no token" : document.why;
    return { outcome: isToken ? "succeeded" : "refused", because, failure: null, decline: null, fields: {}, value: null };
  };
  return Object.entries(login.samples ?? {}).map(([name, sample]) => readingOf(`login.samples.${name}`, null, name, () => tokenIn(sample)));
}

function callbackReadings(parts: ReadingParts, callback: CallbackDefinition, place: string, request: ProviderRequest) {
  const { definition, now } = parts;
  const scope = sampleScope(definition, { given: requestValues(request), own: SAMPLE_PROVIDER_VALUES, now, random: RANDOM });
  const read = (sample: CallbackSample): Reading => {
    const body = renderBody(sample.body, callback.read?.format ?? "json", scope);
    const query = Object.fromEntries(Object.entries(sample.query).map(([name, text]) => [name, render(text, scope)]));
    const message = { method: callback.method ?? "POST", path: callback.path, source: "", query, body };
    const proof = {
      ok: true,
      isHint: callback.auth.kind === "hint",
      ...(callback.from === "jwt" ? { claims: claimsIn(body) } : {}),
    } as const;
    const only = { definition: { ...definition, callbacks: [callback] }, secrets: {}, clean: parts.clean, clock: { now: () => now } };
    return callbackFields(
      readCallback(only, { ...message, headers: renderHeaders(sample.headers, scope) }, () => proof),
      request,
    );
  };
  return Object.entries(callback.samples ?? {}).map(([name, sample]) =>
    readingOf(`${place}.samples.${name}`, null, name, () => read(sample)),
  );
}

/** The sample of a message in a token is its claims. */
function claimsIn(body: string): JsonValue {
  const parsed = parseStrictJson(Buffer.from(body));
  return parsed.ok ? parsed.value : null;
}
