import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { FailureCode } from "../../../shared/failure.ts";
import type { OwnFault } from "../../connector.ts";
import type { Conditions } from "../language/read.ts";
import { allHold, firstRule, lookupIn, metConditions, undeclared } from "../read/conditions.ts";
import { type Facts, NO_FACTS, readFacts } from "../read/facts.ts";
import { openAnswer } from "../read/open-answer.ts";
import { type Place, placeIn } from "../read/path.ts";
import { type ReadContext, readText } from "../read/read-value.ts";
import { type BuiltRequest, buildRequest } from "../request/build-request.ts";
import type { Scope } from "../template/render.ts";
import type { Engine, Run } from "./engine.ts";
import type { TokenResult } from "./login.ts";
import type { Step } from "./plan.ts";
import type { Answer, Exchange, Sending } from "./transport.ts";

type RuleLike = { readonly when: Conditions; readonly means: string };

export type StepAnswer<Rule> = {
  readonly kind: "answered";
  /** The rule that applies; null when none does, which `why` explains. */
  readonly rule: Rule | null;
  /** For staff. It is written when it is needed, because a success needs no words. */
  readonly why: () => string;
  readonly fault?: OwnFault;
  readonly facts: Facts;
  readonly place: Place;
  readonly context: ReadContext;
};

export type StepResult<Rule> =
  | { readonly kind: "unbuilt"; readonly why: string; readonly failure: FailureCode }
  | Exclude<Exchange, { readonly kind: "answered" }>
  | StepAnswer<Rule>;

/** Makes one call and finds the rule for its answer. Never throws. */
export async function performStep<Rule extends RuleLike>(
  engine: Engine,
  step: Step<Rule>,
  run: Run,
  plan: Timed,
): Promise<StepResult<Rule>> {
  for (let isRepeated = false; ; isRepeated = true) {
    if (run.signal.aborted) return { kind: "not_sent", why: "the request was aborted", fault: "shutdown" };
    const login = engine.login === null ? NO_LOGIN : await engine.login.token(run.record);
    if (!login.ok) return withoutToken(login);
    const { token } = login;
    const built = build(engine, step, run, token);
    if (!built.ok) return { kind: "unbuilt", why: built.why, failure: built.failure };
    const exchange = await engine.transport.exchange(built.call, sendingOf(run, plan, built, token));
    if (exchange.kind !== "answered") return exchange;
    const done: Done = { answer: exchange.answer, scope: built.scope };
    if (isRepeated || token === null || !isUnauthorized(engine, step, done)) return judge(engine, step, done, run);
    // The answer says that nothing was done, so the call may be repeated, once.
    engine.login?.reject(token);
  }
}

type Timed = { readonly operation: string; readonly timeoutMilliseconds: number };
type Done = { readonly answer: Answer; readonly scope: Scope };

const NO_LOGIN = { ok: true, token: null } as const;

function withoutToken({ why, fault }: Extract<TokenResult, { readonly ok: false }>): Exclude<Exchange, { readonly kind: "answered" }> {
  return { kind: "not_sent", why, ...(fault ? { fault } : {}) };
}

type Built = Pick<Extract<BuiltRequest, { readonly ok: true }>, "shown" | "hidden">;

function sendingOf(run: Run, { operation, timeoutMilliseconds }: Timed, built: Built, token: string | null): Sending {
  const { isQuery, signal, record, readable } = run;
  const hidden = token === null ? built.hidden : [...built.hidden, token];
  return { operation, isQuery, timeoutMilliseconds, signal, record, readable, hidden, shown: built.shown };
}

export function build<Rule>(
  engine: Pick<Engine, "definition" | "secrets" | "clock" | "random" | "hidesComputed">,
  step: Step<Rule>,
  run: Run,
  token: string | null,
): BuiltRequest {
  const { definition, secrets, clock, random, hidesComputed = false } = engine;
  const { given, saved, page, checksCircle } = run;
  const context = { definition, secrets, random, now: clock.now(), given, saved, page, token, checksCircle, hidesComputed };
  return buildRequest(step.request, context);
}

function isUnauthorized<Rule>(engine: Engine, step: Step<Rule>, { answer, scope }: Done): boolean {
  const lookup = lookupIn(placeIn(openAnswer(step.read, answer, scope), answer.status), scope);
  const rules = engine.definition.login?.unauthorized ?? [];
  return rules.some((conditions) => allHold(conditions, lookup, false));
}

type Judged = { readonly answer: Pick<Answer, "status" | "body" | "endMarked">; readonly scope: Scope };

/** Finds the rule for an answer. The dry run uses it for sample answers. */
export function judge<Rule extends RuleLike>(
  engine: Pick<Engine, "definition" | "clean">,
  step: Pick<Step<Rule>, "read" | "rules" | "save" | "name">,
  { answer, scope }: Judged,
  run: Pick<Run, "saved">,
): StepAnswer<Rule> {
  const { definition, clean } = engine;
  const ignoreCase = step.read.ignore_case === true;
  const context: ReadContext = { definition, scope, ignoreCase };
  const document = openAnswer(step.read, answer, scope);
  const place = placeIn(document.ok ? document : { ok: true, tree: unreadTree(answer) }, answer.status);
  const lookup = lookupIn(place, scope);
  const rules = document.ok ? step.rules : step.rules.filter(needsNoForm);
  const rule = firstRule(rules, lookup, ignoreCase);
  const facts = document.ok ? readFacts(step.read, place, context, clean) : NO_FACTS;
  if (document.ok) saveValues(step, place, context, run);
  if (rule !== null) {
    const why = () => `${metConditions(rule, lookup, clean)} means ${rule.means}`;
    return { kind: "answered", rule, why, facts, place, context };
  }
  const undecided = document.ok || answer.status !== 200 ? undeclared(step.rules, lookup, clean) : document.why;
  const { why, ...fault } = withoutRule(answer.status, undecided);
  return { kind: "answered", rule, why: () => why, facts, place, context, ...fault };
}

/** An answer of another form than declared is only text, and half of a text decides nothing. */
function unreadTree({ body, endMarked }: Judged["answer"]): JsonValue {
  return endMarked ? { $text: body.toString("utf8").trim() } : null;
}

/** A body that has another form than declared can be declined by its HTTP status and its text, but never be a success. */
function needsNoForm(rule: RuleLike): boolean {
  const isOfAnyForm = Object.keys(rule.when).every((path) => path === "$http" || path === "$text");
  return isOfAnyForm && Object.keys(rule.when).length > 0 && !["success", "answered", "continue", "reversed"].includes(rule.means);
}

const CREDENTIALS_REFUSED: ReadonlySet<number> = new Set([401, 403, 407]);

/** Refused credentials are not counted as a missing answer. */
function withoutRule(status: number, why: string): { readonly why: string; readonly fault?: OwnFault } {
  return CREDENTIALS_REFUSED.has(status) ? { why: `${why}: the provider seems to refuse our credentials`, fault: "credentials" } : { why };
}

function saveValues<Rule>(step: Pick<Step<Rule>, "save" | "name">, place: Place, context: ReadContext, run: Pick<Run, "saved">): void {
  for (const name in step.save) {
    const text = readText(step.save[name], place, context);
    if (text !== null) run.saved.set(`step.${step.name}.${name}`, text);
  }
}

/** Whether a step applies to what is given. */
export function applies<Rule>(step: Step<Rule>, run: Run): boolean {
  const lookup = (name: string) => {
    const value = name.startsWith("step.") ? run.saved.get(name) : run.given(name);
    if (value === undefined || value === "") return undefined;
    if (typeof value === "object") return value.kind === "time" ? value.text : Object.values(value.items);
    return typeof value === "bigint" ? String(value) : value;
  };
  return allHold(step.when, lookup, false);
}
