import { type AnswerFacts, type DeclineClass, TRANSACTIONS, type TransactionName } from "@corprail/connector";
import { z } from "zod";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { FailureCode } from "../../../shared/failure.ts";
import { referenceText } from "../../callbacks/reference-text.ts";
import type { Finding } from "../../connector.ts";
import type { Reader } from "../language/read.ts";
import type { CallbackRule, SendRule, StatusRule } from "../language/rules.ts";
import type { Shape } from "../read/convert.ts";
import type { Facts } from "../read/facts.ts";
import type { Place } from "../read/path.ts";
import { type ReadContext, readMembers } from "../read/read-value.ts";

export type OutcomeRule = SendRule | StatusRule | CallbackRule;

/** What a definite rule is applied to. */
export type Interpreted = {
  readonly facts: Facts;
  readonly why: () => string;
  readonly clean: (text: string) => string;
  readonly now: number;
  /** The answer's part of the reply, already validated. */
  readonly result?: JsonObject | undefined;
};

/** The finding of a rule. `continue` and `ask` have none. */
export function findingOf(rule: OutcomeRule, { facts, why, clean, now, result }: Interpreted): Finding | null {
  const words = () => (facts.message === null ? why() : clean(facts.message));
  const { answer } = facts;
  switch (rule.means) {
    case "success":
      return succeeded(referenceText(clean(facts.operatorRef ?? "")), answer, result, recheckTime(rule.recheck_after_seconds, now));
    case "declined":
      return {
        kind: "declined",
        reason: words(),
        failure: rule.failure ?? usualFailure(rule.decline),
        ...answer,
        ...(rule.decline ? { decline: rule.decline } : {}),
      };
    case "reversed":
      return { kind: "reversed", reason: words(), ...answer, ...(rule.failure ? { failure: rule.failure } : {}) };
    case "pending":
      return { kind: "pending", why: words(), ...answer };
    case "unknown":
      return { kind: "unknown", why: words(), ...answer };
    case "not_found":
      return { kind: "not_found" };
    default:
      return null;
  }
}

type Success = Extract<Finding, { readonly kind: "succeeded" }>;

// Nearly every order ends here. A spread for each optional field would cost more than reading the answer.
function succeeded(operatorRef: string, answer: AnswerFacts, result: JsonObject | undefined, recheckAt: number | undefined): Success {
  const finding: { -readonly [Name in keyof Success]: Success[Name] } = { kind: "succeeded", operatorRef };
  if (answer.providerRef !== undefined) finding.providerRef = answer.providerRef;
  if (answer.cost !== undefined) finding.cost = answer.cost;
  if (answer.balance !== undefined) finding.balance = answer.balance;
  if (result !== undefined) finding.result = result;
  if (recheckAt !== undefined) finding.recheckAt = recheckAt;
  return finding;
}

function recheckTime(afterSeconds: number | undefined, now: number): number | undefined {
  return afterSeconds === undefined ? undefined : now + afterSeconds * 1000;
}

/** A provider without capacity, or without money of ours, says nothing about the customer or the number. */
function usualFailure(decline: DeclineClass | undefined): FailureCode {
  return decline === "busy" || decline === "float" ? "unavailable" : "declined";
}

/** Why an answer is not taken although a rule covers it; null when it is. */
export function doubtAbout(rule: OutcomeRule, facts: Facts, reference: string, declares: Declares): string | null {
  if (isAboutAnother(facts, reference, declares)) return "the answer is about another reference";
  if (rule.means !== "success") return null;
  if (declares.reference && facts.reference === null) return "the answer is declared a success, but our reference is missing";
  const needs = declares.operatorRef && rule.operator_ref_optional !== true;
  return needs && (facts.operatorRef ?? "").trim() === ""
    ? "the answer is declared a success, but the operator reference is missing"
    : null;
}

function isAboutAnother(facts: Facts, reference: string, declares: Declares): boolean {
  return declares.reference && facts.reference !== null && facts.reference !== reference;
}

/** What an undecided answer tells of the order. Another order's id would lead status queries and callbacks to that order. */
export function ownFacts(facts: Facts, reference: string, declares: Declares): AnswerFacts {
  if (!isAboutAnother(facts, reference, declares)) return facts.answer;
  const { balance } = facts.answer;
  return balance === undefined ? {} : { balance };
}

/** Which facts the description says where to find. */
export type Declares = { readonly reference: boolean; readonly operatorRef: boolean };

const SHAPES = new Map<TransactionName, Shape>();

export function resultShape(name: TransactionName): Shape {
  const known = SHAPES.get(name) ?? (z.toJSONSchema(TRANSACTIONS[name].result, { io: "input" }) as Shape);
  SHAPES.set(name, known);
  return known;
}

/** What a success adds to the reply. A result that has not the operation's form does not undo the success, so it is left out. */
export function readResult(
  name: TransactionName,
  readers: Readonly<Record<string, Reader>> | undefined,
  place: Place,
  context: ReadContext,
): JsonObject | undefined {
  if (readers === undefined) return undefined;
  const read = readMembers(readers, place, resultShape(name), context);
  if (!read.ok) return undefined;
  const parsed = TRANSACTIONS[name].result.safeParse(read.value);
  return parsed.success ? (parsed.data as JsonObject) : undefined;
}
