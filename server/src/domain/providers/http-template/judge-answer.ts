import type { FailureCode } from "../../shared/failure.ts";
import { referenceText } from "../callbacks/reference-text.ts";
import type { Finding } from "../connector.ts";
import type { Answer } from "../wire/exchange.ts";
import { type AnswerFields, declares, findFields } from "./answer-fields.ts";
import type { CallDefinition, ValuesDefinition } from "./definition.ts";

const MEANINGS = ["success", "failure", "pending", "reversed", "not_found"] as const;
export type Meaning = (typeof MEANINGS)[number];

/** The interpretation of an answer and its reason, which the dry run shows. */
export type Judgement = { readonly finding: Finding; readonly because: string; readonly fields: AnswerFields | null };

export type JudgeContext = {
  readonly reference: string;
  /** Masks secrets in a provider's text, because some providers echo the request. */
  readonly clean: (text: string) => string;
};

/** An answer is definite only where the description declares it so; everything else is unknown. */
export function judgeAnswer(call: CallDefinition, answer: Answer, context: JudgeContext): Judgement {
  const rules: Readonly<Record<string, Meaning | "read" | undefined>> = call.http_status;
  const rule = rules[String(answer.status)] ?? (answer.status === 200 ? "read" : null);
  if (rule === null) return undeclared(answer.status);
  const found = findFields(call.read, answer);
  if (rule !== "read") return judged(call, rule, `HTTP ${answer.status} is declared ${rule}`, found.ok ? found.fields : null, context);
  return found.ok ? judgeFields(call, found.fields, context) : unknown(found.why, null);
}

const CREDENTIALS_REFUSED: ReadonlySet<number> = new Set([401, 403, 407]);

/** The outcome stays unknown, but refused credentials are not counted as a missing answer. */
function undeclared(status: number): Judgement {
  if (!CREDENTIALS_REFUSED.has(status)) return unknown(`HTTP ${status} is not declared`, null);
  const why = `HTTP ${status} is not declared: the provider seems to refuse our credentials`;
  return { finding: { kind: "unknown", why, fault: "credentials" }, because: why, fields: null };
}

function judgeFields(call: CallDefinition, fields: AnswerFields, context: JudgeContext): Judgement {
  const { read } = call;
  if (fields.status === null) return unknown("the answer has no status", fields);
  if (declares(read, "reference") && fields.reference !== context.reference)
    return unknown("the answer is about another reference", fields);
  const status = JSON.stringify(context.clean(fields.status));
  const meaning = meaningOf(call.values, fields.status);
  if (meaning === null) return unknown(`the status ${status} is not declared`, fields);
  if (meaning === "success" && declares(read, "operator_ref") && !read.operator_ref_optional && !fields.operatorRef) {
    return unknown(`the status ${status} is declared success, but the operator reference is missing`, fields);
  }
  return judged(call, meaning, `the status ${status} is declared ${meaning}`, fields, context);
}

export function meaningOf(values: ValuesDefinition, status: string): Meaning | null {
  const fold = (text: string) => (values.fold_case ? text.toLowerCase() : text);
  const wanted = fold(status);
  return MEANINGS.find((meaning) => values[meaning]?.some((word) => fold(word) === wanted)) ?? null;
}

function unknown(why: string, fields: AnswerFields | null): Judgement {
  return { finding: { kind: "unknown", why }, because: why, fields };
}

function judged(call: CallDefinition, meaning: Meaning, because: string, fields: AnswerFields | null, context: JudgeContext): Judgement {
  const values = {
    because,
    operatorRef: context.clean(fields?.operatorRef ?? ""),
    message: context.clean(fields?.message ?? ""),
    failure: failureOf(call.values, fields?.reason ?? fields?.status ?? null),
  };
  return { finding: findingOf(meaning, values), because, fields };
}

/** The failure code that the client sees; null where the description does not map the provider's code. */
export function failureOf(values: ValuesDefinition, code: string | null): FailureCode | null {
  const fold = (text: string) => (values.fold_case ? text.toLowerCase() : text);
  if (code === null) return null;
  return Object.entries(values.reasons).find(([word]) => fold(word) === fold(code))?.[1] ?? null;
}

/** What an answer or a callback contains in addition to its meaning. */
export type AnswerDetails = {
  readonly because: string;
  readonly operatorRef: string;
  readonly message: string;
  readonly failure: FailureCode | null;
};

export function findingOf(meaning: Meaning, { because, operatorRef, message, failure }: AnswerDetails): Finding {
  const reason = message === "" ? because : message;
  switch (meaning) {
    case "success":
      return { kind: "succeeded", operatorRef: referenceText(operatorRef) };
    case "failure":
      return { kind: "declined", reason, failure: failure ?? "declined" };
    case "reversed":
      return failure === null ? { kind: "reversed", reason } : { kind: "reversed", reason, failure };
    case "pending":
      return { kind: "pending", why: because };
    case "not_found":
      return { kind: "not_found" };
  }
}
