import { isTransaction, type TransactionName } from "@corprail/connector";
import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { Rule } from "../language/rules.ts";
import { STORED_DETAILS } from "../request/known-names.ts";
import type { Plan, PlannedOperation, Step } from "../run/plan.ts";
import { placeholdersIn } from "../template/parse.ts";
import type { NameContext } from "./check-names.ts";
import { conditionFaults, confirmFaults, readerFaults, readFaults, textRuleFault } from "./check-readers.ts";
import { busyFault, indefiniteFault } from "./definite.ts";

/** The rules and readers of one step. */
export function checkStep(planned: PlannedOperation, step: Step<Rule>, context: NameContext): readonly Fault[] {
  const { place } = step;
  const { name } = planned;
  const asks = isTransaction(name) && onlyAsks(planned, step);
  return [
    ...(isTransaction(name) ? confirmFaults(step.read, `${place}.read`, context) : unusedConfirm(step, context)),
    ...whenFaults(step, context),
    ...readFaults(step.read, `${place}.read`, context),
    ...Object.entries(step.save).flatMap(([value, reader]) => readerFaults(reader, `${place}.save.${value}`, {}, context)),
    ...step.rules.flatMap((rule, index) => ruleFaults(step, rule, asks, `${place}.outcome[${index}]`, context)),
    ...(step.rules.length === 0 ? [{ path: `${place}.outcome`, message: noRules(isTransaction(name)) }] : []),
  ];
}

/** The description's own read is for transactions too. */
function unusedConfirm({ read, place }: Step<Rule>, { definition }: NameContext): readonly Fault[] {
  const isOwn = read.confirm !== undefined && read.confirm !== definition.read?.confirm;
  return isOwn ? [{ path: `${place}.read.confirm`, message: "A query has no order that its answer could be compared with." }] : [];
}

function noRules(isMoney: boolean): string {
  return isMoney
    ? "Say what the answers mean: a list of rules {when, means}. An answer without a rule is unknown."
    : "Must have at least one rule.";
}

function whenFaults({ when, place }: Step<Rule>, { known, saved }: NameContext): readonly Fault[] {
  return Object.keys(when)
    .filter((name) => !known.has(name) && !saved.includes(name))
    .map((name) => ({
      path: `${place}.when.${name}`,
      message: `There is no value ${name} here. Known values: ${[...known.keys(), ...saved].join(", ")}.`,
    }));
}

/** Whether a call asks about a transaction that was sent before: the status query, and what follows the sending call. */
function onlyAsks({ part, plan }: PlannedOperation, step: Step<Rule>): boolean {
  const steps: readonly Step<Rule>[] = plan.steps;
  return part === "status" || (!step.sends && steps.slice(0, steps.indexOf(step)).some(({ sends }) => sends));
}

function ruleFaults(step: Step<Rule>, rule: Rule, asks: boolean, place: string, context: NameContext): readonly Fault[] {
  const short = rule.means === "success" ? textRuleFault(step.read, rule.when) : null;
  const wide = indefiniteFault(rule.means, rule.when, asks);
  const busy = busyFault(rule, asks);
  return [
    ...conditionFaults(rule.when, `${place}.when`, context),
    ...(short === null ? [] : [{ path: `${place}.when`, message: short }]),
    ...(wide === null ? [] : [{ path: `${place}.when`, message: wide }]),
    ...(busy === null ? [] : [{ path: `${place}.decline`, message: busy }]),
  ];
}

/** What an operation as a whole must say. */
export function planFaults(definition: Description, { name, part, place, plan }: PlannedOperation): readonly Fault[] {
  const steps: readonly Step<Rule>[] = plan.steps;
  const meanings = steps.flatMap((step) => step.rules.map((rule) => rule.means));
  const wanted = isTransaction(name) ? "success" : "answered";
  const noEnd =
    meanings.length > 0 && !meanings.includes(wanted) ? [{ path: `${place}.outcome`, message: `No rule means ${wanted}.` }] : [];
  return [
    ...noEnd,
    ...continueFaults(steps),
    ...(isTransaction(name) && part === "send" ? unsentFaults(steps) : []),
    ...(isTransaction(name) ? referenceFaults(definition, part, place, plan) : []),
    ...(isTransaction(name) && part === "send" ? resendFaults(definition, name, place, plan) : []),
  ];
}

/** An order that is sent again has only what is stored with it, and must not be another one. */
function resendFaults(definition: Description, name: TransactionName, place: string, plan: Plan<unknown>): readonly Fault[] {
  if (definition.operations[name]?.idempotent === undefined) return [];
  const path = `${place}.idempotent`;
  const { headers, query, computed, codes } = definition;
  const requests = JSON.stringify([plan.steps.map((step) => step.request), headers, query, computed, codes]);
  // A list is named by each or $each, and a condition by its name, not by a placeholder.
  const used = new Set([...requests.matchAll(/details\.([a-z_]+)/g)].map(([, detail = ""]) => detail));
  for (const step of plan.steps)
    for (const value of Object.keys(step.when)) if (value.startsWith("details.")) used.add(value.slice("details.".length));
  const missing = [...used].filter((detail) => !STORED_DETAILS[name].includes(detail)).map((detail) => `{details.${detail}}`);
  const sends = JSON.stringify([plan.steps.filter((step) => step.sends).map((step) => step.request), headers, query, computed]);
  return [
    ...(missing.length === 0
      ? []
      : [{ path, message: `An order can only be sent again with what is stored of it. These values are not: ${missing.join(", ")}.` }]),
    ...(placeholdersIn(sends).some((placeholder) => placeholder.name === "reference")
      ? []
      : [{ path, message: "The call that moves the money must send {reference}, by which the provider knows a repetition." }]),
  ];
}

function continueFaults(steps: readonly Step<Rule>[]): readonly Fault[] {
  const last = steps.at(-1);
  const index = last?.rules.findIndex((rule) => rule.means === "continue") ?? -1;
  return last === undefined || index < 0
    ? []
    : [{ path: `${last.place}.outcome[${index}]`, message: "There is no further step to continue with." }];
}

/** A success before the call that moves the money would charge the client for nothing. */
function unsentFaults(steps: readonly Step<Rule>[]): readonly Fault[] {
  const first = steps.findIndex((step) => step.sends);
  return steps
    .slice(0, Math.max(first, 0))
    .flatMap((step) =>
      step.rules.flatMap((rule, index) =>
        rule.means === "success" ? [{ path: `${step.place}.outcome[${index}]`, message: NOT_SENT_YET }] : [],
      ),
    );
}

const NOT_SENT_YET = "The transaction is not sent yet. Use continue, or mark the call that moves the money with sends.";

/** Without a reference nobody could ever ask what became of the transaction. */
function referenceFaults(definition: Description, part: "send" | "status", place: string, plan: Plan<unknown>): readonly Fault[] {
  const steps = plan.steps.filter((step) => part === "status" || step.sends);
  const shared = JSON.stringify([definition.headers, definition.query, definition.computed]);
  const mentions = (name: string) =>
    placeholdersIn(JSON.stringify(steps.map((step) => step.request)) + shared).some((placeholder) => placeholder.name === name);
  if (part === "send") {
    const isTheirs = mentions("details.block_provider_ref") || mentions("details.fetch_provider_ref");
    return mentions("reference") || isTheirs
      ? []
      : [{ path: place, message: "Must send {reference}. Without it the order's status cannot be queried later." }];
  }
  const known = ["reference", "provider_ref", "details.block_provider_ref", "details.fetch_provider_ref"];
  if (known.some(mentions)) return [];
  return [{ path: place, message: "Must contain {reference} or {provider_ref}, so that the provider knows which transaction is meant." }];
}
