import { type DeclineClass, isQuery, isTransaction } from "@corprail/connector";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { FailureCode } from "../../../shared/failure.ts";
import type { CallbackRefusal } from "../../callbacks/refused-callback.ts";
import { CALLBACK_REFUSALS } from "../../callbacks/refused-callback.ts";
import type { ProviderMessage, ProviderRequest, Report } from "../../connector.ts";
import { readCallback } from "../callbacks/read-callback.ts";
import type { Description } from "../definition.ts";
import type { CallbackDefinition } from "../language/callbacks.ts";
import type { QueryRule, Rule, SendRule, StatusRule } from "../language/rules.ts";
import { knownNames } from "../request/known-names.ts";
import { type Given, inputValues, requestValues } from "../request/order-values.ts";
import { CallValues } from "../request/scope.ts";
import { judge, type StepAnswer } from "../run/perform-step.ts";
import { type PlannedOperation, queryOf, type Step, transactionOf } from "../run/plan.ts";
import { checked, readAnswer } from "../run/query.ts";
import { judged } from "../run/transaction.ts";
import type { SampleAnswer } from "./dry-run.ts";
import { sampleValues } from "./sample-values.ts";

/** How a sample answer or callback is read. */
export type Reading = {
  /** An outcome, `answered`, `refused`, `unavailable`, `continue` or `ask`. */
  readonly outcome: string;
  readonly because: string;
  readonly failure: FailureCode | null;
  /** The class of a decline. */
  readonly decline: DeclineClass | null;
  /** What the description finds in it; null where there is none. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** The data of a query. */
  readonly value: JsonValue;
};

export type ReadingParts = { readonly definition: Description; readonly clean: (text: string) => string; readonly now: number };

export function readSample(
  definition: Description,
  own: readonly PlannedOperation[],
  answer: SampleAnswer,
  request: ProviderRequest,
  clean: (text: string) => string,
  now: number,
): Reading {
  const parts: ReadingParts = { definition, clean, now };
  if (answer.to === "callback") return callbackReading(parts, answer, request);
  const planned = own.find(({ part }) => part === (answer.to === "status" ? "status" : "send"));
  const steps: readonly Step<Rule>[] = planned?.plan.steps ?? [];
  const step = steps.find(({ name }) => name === answer.step) ?? steps.at(-1);
  if (planned === undefined || step === undefined) return nothing("unknown", "this operation has no such call");
  return answerReading(parts, planned, step, answer, request);
}

/** The values that an answer to this operation may be about: those of the request, and samples for the rest. */
export function valuesFor({ name, part }: PlannedOperation, request: ProviderRequest, now: number): Given {
  const own = isTransaction(name) ? requestValues(request) : inputValues({ reference: request.reference });
  return sampleValues(knownNames(name, part), own, now);
}

type StepSample = Pick<SampleAnswer, "body" | "httpStatus">;

export function answerReading(
  parts: ReadingParts,
  planned: PlannedOperation,
  step: Step<Rule>,
  answer: StepSample,
  request: ProviderRequest,
  /** What earlier steps saved. What this one saves is added. */
  saved: Map<string, string> = new Map(),
): Reading {
  const { definition, clean, now } = parts;
  const scope = new CallValues({
    ...{ definition, secrets: {}, saved, page: new Map(), token: null, now, checksCircle: false },
    given: valuesFor(planned, request, now),
    random: { bytes: (count) => Buffer.alloc(count), uuid: () => "" },
  });
  const given = { status: answer.httpStatus, body: answer.body, endMarked: true };
  const answered: StepAnswer<Rule> = judge({ definition, clean }, step, { answer: given, scope }, { saved });
  const fields = factFields(answered, clean);
  if (isQuery(planned.name)) return queryReading(parts, planned.name, answered as StepAnswer<QueryRule>, fields);
  if (!isTransaction(planned.name)) return nothing("unknown", "there is no such operation");
  const transaction = transactionOf(definition, planned.name);
  const readers = planned.part === "send" ? transaction?.result : (transaction?.status.result ?? transaction?.result);
  const engine = { clean, clock: { now: () => now } };
  const outcome = judged(engine, planned.name, readers, step, answered as StepAnswer<SendRule | StatusRule>, request.reference);
  if (outcome === null) return { ...nothing("continue", answered.why()), fields };
  const because = outcome.kind === "unknown" ? outcome.why : answered.why();
  const failure = "failure" in outcome ? (outcome.failure ?? null) : null;
  const decline = outcome.kind === "declined" ? (outcome.decline ?? "provider") : null;
  return { outcome: outcome.kind, because, failure, decline, fields, value: "result" in outcome ? (outcome.result ?? null) : null };
}

function queryReading(
  parts: ReadingParts,
  name: Parameters<typeof queryOf>[1],
  answered: StepAnswer<QueryRule>,
  fields: Reading["fields"],
): Reading {
  const query = queryOf(parts.definition, name);
  const page = query === undefined ? null : readAnswer(parts, name, query, answered);
  if (page === null) return { ...nothing("continue", answered.why()), fields };
  const result = checked(name, page);
  const because = result.kind === "unavailable" ? result.why : answered.why();
  return { outcome: result.kind, because, failure: null, decline: null, fields, value: result.kind === "answered" ? result.value : null };
}

function factFields({ facts }: StepAnswer<Rule>, clean: (text: string) => string): Reading["fields"] {
  const shown = (text: string | null | undefined) => (text === null || text === undefined ? null : clean(text));
  const { providerRef, balance, cost } = facts.answer;
  return {
    message: shown(facts.message),
    reference: shown(facts.reference),
    provider_ref: shown(providerRef),
    operator_ref: shown(facts.operatorRef),
    balance: shown(balance),
    cost: shown(cost),
  };
}

function nothing(outcome: string, because: string): Reading {
  return { outcome, because, failure: null, decline: null, fields: {}, value: null };
}

/** The proof is taken for granted: a sample from a manual is not signed with our secret. */
function callbackReading({ definition, clean, now }: ReadingParts, answer: SampleAnswer, request: ProviderRequest): Reading {
  const readings = definition.callbacks.map((callback) => {
    const message = callbackMessage(callback, answer);
    const only = { ...definition, callbacks: [callback] };
    const proof = { ok: true, isHint: callback.auth.kind === "hint" } as const;
    return readCallback({ definition: only, secrets: {}, clean, clock: { now: () => now } }, message, () => proof);
  });
  const read = readings.find((one) => !("refused" in one)) ?? readings[0];
  return read === undefined ? nothing("unknown", "the description has no callbacks") : callbackFields(read, request);
}

/** A sample as a message to this callback. For values in the query, the file holds the address or its query. */
export function callbackMessage(callback: CallbackDefinition, { body, headers = {} }: SampleAnswer): ProviderMessage {
  const text = body.toString("utf8");
  const query = callback.from === "query" ? Object.fromEntries(new URLSearchParams(text.trim().replace(/^[^?]*\?/, ""))) : {};
  return { method: callback.method ?? "POST", path: callback.path, source: "", query, headers, body: text };
}

/** How a callback about this order is read. */
export function callbackFields(read: Report | CallbackRefusal, request: ProviderRequest): Reading {
  if ("refused" in read) return { ...nothing("refused", CALLBACK_REFUSALS[read.refused]), fields: { reference: read.reference } };
  const { finding, reference, referenceIs } = read;
  const fields = { [referenceIs ?? "reference"]: reference, operator_ref: "operatorRef" in finding ? finding.operatorRef : null };
  const differs = read.differs?.(request) ?? null;
  if (differs !== null) return { ...nothing("ask", `the provider reported a success, but ${differs}`), fields };
  const failure = "failure" in finding ? (finding.failure ?? null) : null;
  const decline = finding.kind === "declined" ? (finding.decline ?? "provider") : null;
  return { outcome: finding.kind, because: `the provider reported ${finding.kind}`, failure, decline, fields, value: null };
}
