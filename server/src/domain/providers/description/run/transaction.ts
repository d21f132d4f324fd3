import type { AnswerFacts, TransactionName } from "@corprail/connector";
import { formatMoney } from "../../../../platform/core/money.ts";
import type { Finding, Outcome, ProviderRequest, Recorder } from "../../connector.ts";
import type { TransactionDefinition } from "../language/operations.ts";
import type { Reader } from "../language/read.ts";
import type { SendRule, StatusRule } from "../language/rules.ts";
import { differenceIn } from "../read/confirm.ts";
import { requestValues } from "../request/order-values.ts";
import type { Engine, Run } from "./engine.ts";
import { doubtAbout, findingOf, ownFacts, readResult } from "./findings.ts";
import { applies, performStep, type StepAnswer, type StepResult } from "./perform-step.ts";
import { type Plan, type Step, sendPlan, statusPlan } from "./plan.ts";

type Asked = { readonly request: ProviderRequest; readonly signal: AbortSignal; readonly record: Recorder | undefined };

export function runOf({ request, signal, record }: Asked, checksCircle: boolean): Run {
  return {
    given: requestValues(request),
    isQuery: false,
    checksCircle,
    signal,
    record,
    readable: record === undefined ? [] : [request.reference, request.target, formatMoney(request.amount)],
    saved: new Map(),
    page: NO_PAGE,
  };
}

const NO_PAGE: ReadonlyMap<string, string> = new Map();

/** Sends a transaction once. What fails before the call that moves the money is provably not sent; after it, it is unknown. */
export async function sendTransaction(
  engine: Engine,
  name: TransactionName,
  definition: TransactionDefinition,
  asked: Asked,
): Promise<Outcome> {
  const plan = sendPlan(engine.definition, name, definition);
  const run = runOf(asked, true);
  let sent = false;
  let earlier: AnswerFacts = NO_FACTS;
  for (const step of plan.steps) {
    if (!applies(step, run)) continue;
    const result = await performStep(engine, step, run, plan);
    sent ||= mayHaveMoved(step, result);
    const finding = findingFrom(engine, name, definition.result, step, result, asked.request);
    const present = sent && result.kind === "answered" ? result.facts.answer : NO_FACTS;
    if (finding !== null) return asOutcome(finding, sent, earlier, present);
    earlier = { ...earlier, ...present };
  }
  const why = "no step of the description gave an outcome";
  return sent ? { kind: "unknown", why, ...earlier } : { kind: "not_sent", why, fault: "order" };
}

const NO_FACTS: AnswerFacts = {};

/** Only a call that was provably not sent leaves no doubt. */
function mayHaveMoved<Rule>(step: Step<Rule>, result: StepResult<Rule>): boolean {
  return step.sends && result.kind !== "unbuilt" && result.kind !== "not_sent";
}

/** `earlier` are the facts from the answers of earlier steps, `present` those of this step, which its finding repeats. */
function asOutcome(finding: Finding, sent: boolean, earlier: AnswerFacts, present: AnswerFacts): Outcome {
  switch (finding.kind) {
    case "not_found":
    case "reversed":
      // A request's rules cannot declare these two, so this is only a safeguard.
      return { kind: "unknown", why: `the answer says ${finding.kind}`, ...earlier, ...present };
    case "not_sent":
      return sent ? { kind: "unknown", why: finding.why, ...earlier, ...(finding.fault ? { fault: finding.fault } : {}) } : finding;
    case "unknown":
    case "pending":
      if (sent) return withEarlier(finding, earlier);
      return { kind: "not_sent", why: `before the transaction was sent: ${finding.why}`, ...faultOf(finding) };
    default:
      return withEarlier(finding, earlier);
  }
}

function withEarlier<Found extends Outcome>(finding: Found, earlier: AnswerFacts): Found {
  return earlier === NO_FACTS ? finding : { ...earlier, ...finding };
}

function faultOf(finding: Finding): Pick<Extract<Outcome, { readonly kind: "unknown" }>, "fault"> {
  return "fault" in finding && finding.fault !== undefined ? { fault: finding.fault } : {};
}

/** Asks for the status of an earlier transaction. A query that could not be sent says nothing about the order. */
export async function askTransaction(
  engine: Engine,
  name: TransactionName,
  definition: TransactionDefinition,
  asked: Asked,
): Promise<Finding> {
  const plan: Plan<StatusRule> = statusPlan(engine.definition, name, definition);
  const run = runOf(asked, false);
  for (const step of plan.steps) {
    if (!applies(step, run)) continue;
    const result = await performStep(engine, step, run, plan);
    const finding = findingFrom(engine, name, definition.status.result ?? definition.result, step, result, asked.request);
    if (finding?.kind === "not_sent") return { kind: "unknown", why: `could not ask: ${finding.why}`, ...faultOf(finding) };
    if (finding !== null) return finding;
  }
  return { kind: "unknown", why: "could not ask: no step of the description applies to this transaction", fault: "order" };
}

/** The finding of one step; null when the next step follows. */
function findingFrom<Rule extends SendRule | StatusRule>(
  engine: Engine,
  name: TransactionName,
  readers: Readonly<Record<string, Reader>> | undefined,
  step: Step<Rule>,
  result: StepResult<Rule>,
  request: ProviderRequest,
): Finding | null {
  if (result.kind === "unbuilt") return { kind: "not_sent", why: result.why, fault: "order", failure: result.failure };
  if (result.kind !== "answered") return result;
  return judged(engine, name, readers, step, result, request.reference);
}

/** The finding of an answer; the dry run uses it for sample answers. */
export function judged<Rule extends SendRule | StatusRule>(
  engine: Pick<Engine, "clean" | "clock">,
  name: TransactionName,
  readers: Readonly<Record<string, Reader>> | undefined,
  step: Pick<Step<Rule>, "read">,
  answered: StepAnswer<Rule>,
  reference: string,
): Finding | null {
  const { rule, why, facts, fault, place, context } = answered;
  const declares = { reference: step.read.reference !== undefined, operatorRef: step.read.operator_ref !== undefined };
  if (rule === null) return { kind: "unknown", why: why(), ...ownFacts(facts, reference, declares), ...(fault ? { fault } : {}) };
  const doubt = doubtAbout(rule, facts, reference, declares);
  if (doubt !== null) return { kind: "unknown", why: doubt, ...ownFacts(facts, reference, declares) };
  const differs = rule.means === "success" ? differenceIn(step.read, { place, context, clean: engine.clean }, context.scope) : null;
  if (differs !== null) return { kind: "unknown", why: `the answer is declared a success, but ${differs}`, ...facts.answer };
  const result = rule.means === "success" ? readResult(name, readers, place, context) : undefined;
  return findingOf(rule, { facts, why, clean: engine.clean, now: engine.clock.now(), result });
}
