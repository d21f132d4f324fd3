import type { TransactionName } from "@corprail/connector";
import { formatMoney, requireMoney } from "../../../../platform/core/money.ts";
import type { ProviderRequest } from "../../connector.ts";
import type { Description } from "../../description/definition.ts";
import type { Rule } from "../../description/language/rules.ts";
import type { Secrets } from "../../description/request/scope.ts";
import { applies } from "../../description/run/perform-step.ts";
import { allPlans, type PlannedOperation, type Step } from "../../description/run/plan.ts";
import { runOf } from "../../description/run/transaction.ts";
import type { RenderedSample } from "../../description/samples/render-sample.ts";
import type { Scope } from "../../description/template/render.ts";
import { Inexpressible } from "../../description/template/value.ts";
import { NEVER } from "../../testing/requests.ts";
import type { Received, Word, Words } from "../../testing/unruly-server.ts";
import { type AnswerSource, answerOf, answerScope, sampleFor } from "../../twin/answers.ts";
import type { Found } from "../../twin/match-template.ts";
import type { TwinOrder } from "../../twin/orders.ts";
import { findRoute, type Matched, routesOf } from "../../twin/routes.ts";
import { type ReadAnswer, withoutMeaning } from "./altered-answer.ts";

/** The token that the test provider issues. */
export const TOKEN = "t0ken-of-the-sample-provider";
const OPERATOR_REF = "OPREF700001";
const BALANCE = requireMoney("100000");

/** The answers of a provider to one transaction, as the samples of its description say them. */
export type SampleProvider = {
  readonly words: Words;
  /** Logins, and calls before the one that moves the money. They are always answered well. */
  readonly isPreparation: (request: Received) => boolean;
  /** Whether a transaction begins with such a call. */
  readonly prepares: boolean;
  /** The references of requests and status queries, one for each. */
  readonly referencesIn: (received: readonly Received[]) => readonly string[];
  /** What the values of its callbacks are made of. */
  readonly scope: Scope;
  readonly reference: string;
  /** An answer with what it is read with; null when the description has no sample of it. */
  readonly answerTo: (part: Part, word: Word) => ReadAnswer | null;
};
type Part = PlannedOperation["part"];
type Planned = { readonly planned: PlannedOperation; readonly step: Step<Rule> };

type Setting = {
  readonly definition: Description;
  readonly transaction: TransactionName;
  readonly request: ProviderRequest;
  /** Opens request bodies that are encrypted. */
  readonly secrets: Secrets;
};

export function sampleProvider(setting: Setting): SampleProvider {
  const { definition, transaction, request, secrets } = setting;
  const routes = routesOf(definition).filter(({ operation }) => operation === null || operation.planned.name === transaction);
  const match = (received: Received): Matched | null => {
    const found = findRoute(definition, routes, { ...received, headers: headersOf(received) }, secrets);
    return "unfit" in found ? null : found;
  };
  const [sending, asking] = [firstSending(setting), firstAsking(setting)];
  const isFollowed = asksAfterwards(setting, sending, asking);
  const isPreparation = (received: Received) => {
    const route = match(received)?.route;
    return route !== undefined && (route.operation === null || isBefore(route.operation, sending));
  };
  return {
    isPreparation,
    reference: request.reference,
    scope: answerScope(sourceOf(setting, new Map(), request.reference)),
    prepares: definition.login !== undefined || sending?.planned.plan.steps[0]?.name !== sending?.step.name,
    words: (word, received) => {
      const matched = match(received);
      const { status, body } = matched === null ? nothing(404) : written(() => said(setting, matched, word, isPreparation(received)));
      return { status, body: body.toString("utf8") };
    },
    referencesIn: (received) => {
      let followUps = 0;
      return received.flatMap((one) => {
        const { route, found } = match(one) ?? {};
        const place = route?.operation?.step.place;
        if (place === undefined || (place !== sending?.step.place && place !== asking?.step.place)) return [];
        // The call that asks for the result of a payment looks like a status query; the first after each payment is that call.
        if (place === sending?.step.place) followUps += isFollowed ? 1 : 0;
        else if (followUps > 0) {
          followUps--;
          return [];
        }
        // A call that names the order by the provider's own id has no reference of ours.
        return [found?.get("reference") ?? request.reference];
      });
    },
    answerTo: (part, word) => {
      const planned = allPlans(definition).find((one) => one.name === transaction && one.part === part);
      const step = planned?.plan.steps.findLast((one: Step<Rule>) => sampleOf(one, part, word) !== null);
      return planned && step ? readAnswer(setting, { planned, step }, new Map(), word) : null;
    },
  };
}

function headersOf({ headers }: Received): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]));
}

function planned({ definition, transaction }: Setting, part: Part): readonly Planned[] {
  const plans = allPlans(definition).filter((one) => one.name === transaction && one.part === part);
  return plans.flatMap((one) => one.plan.steps.map((step: Step<Rule>) => ({ planned: one, step })));
}

/** The call that moves the money. */
function firstSending(setting: Setting): Planned | undefined {
  return planned(setting, "send").find(({ step }) => step.sends);
}

/** Whether a payment is only accepted, and each is followed by a call for its result that looks like a status query. */
function asksAfterwards(setting: Setting, sending: Planned | undefined, asking: Planned | undefined): boolean {
  const steps = planned(setting, "send").map(({ step }) => step);
  const later = steps.slice(steps.findIndex((step) => step.name === sending?.step.name) + 1).filter((step) => !step.sends);
  return later.length > 0 && later.every((step) => step.request.url === asking?.step.request.url);
}

function firstAsking(setting: Setting): Planned | undefined {
  const run = runOf({ request: setting.request, signal: NEVER, record: undefined }, false);
  return planned(setting, "status").find(({ step }) => applies(step, run));
}

function isBefore({ planned: plan, step }: Planned, sending: Planned | undefined): boolean {
  if (sending === undefined || plan.part !== "send") return false;
  const positionOf = (name: string) => plan.plan.steps.findIndex((one: Step<Rule>) => one.name === name);
  return positionOf(step.name) < positionOf(sending.step.name);
}

function nothing(status: number): RenderedSample {
  return { status, headers: {}, body: Buffer.from("There is no such sample.") };
}

/** A sample whose values the request does not have is answered as the twin does; the test then shows an unknown outcome. */
function written(write: () => RenderedSample): RenderedSample {
  try {
    return write();
  } catch (error) {
    if (error instanceof Inexpressible) return nothing(501);
    throw error;
  }
}

function said(setting: Setting, { route, found }: Matched, word: Word, isPreparation: boolean): RenderedSample {
  const { definition } = setting;
  if (route.operation === null) {
    const sample = sampleFor(definition.login?.samples ?? {}, ["success"]);
    const read = { ...definition.read, ...definition.login?.read };
    const source = { definition, operation: null, found, order: null, own: { token: TOKEN }, now: Date.now() };
    return sample === null ? nothing(501) : answerOf(sample, read, source);
  }
  const given = readAnswer(setting, route.operation, found, isPreparation ? "success" : word, isPreparation);
  if (given === null) return nothing(word === "not found" ? 404 : 501);
  if (word === "undeclared status") return withoutMeaning(given, "replaced");
  return word === "no status" ? withoutMeaning(given, "removed") : given.answer;
}

function readAnswer(setting: Setting, { planned: { part }, step }: Planned, found: Found, word: Word, goesOn = false): ReadAnswer | null {
  const sample = goesOn ? sampleFor(step.samples, ["continue", "success"]) : sampleOf(step, part, word);
  if (sample === null) return null;
  const reference = found.get("reference") ?? referenceFrom(found) ?? setting.request.reference;
  const source = sourceOf(setting, found, word === "another reference" ? otherThan(reference) : reference, reference);
  return { answer: answerOf(sample, step.read, source), read: step.read, rules: step.rules, scope: answerScope(source) };
}

const OWN_ID = "ID-OF-";

/** Our reference, from the provider's own id that an earlier answer gave. */
function referenceFrom(found: Found): string | undefined {
  const values = [...found].filter(([name]) => name === "provider_ref" || name.startsWith("step.")).map(([, value]) => value);
  return values.find((value) => value.startsWith(OWN_ID))?.slice(OWN_ID.length);
}

/** Of the same form, because a sample may need a number. */
function otherThan(reference: string): string {
  return `${reference.slice(0, -1)}${reference.endsWith("7") ? "8" : "7"}`;
}

const RESULTS: Readonly<Record<Word, readonly string[]>> = {
  success: ["success", "continue"],
  failure: ["declined", "reversed", "continue"],
  pending: ["pending", "continue"],
  "not found": ["not_found", "continue"],
  "another reference": ["success", "continue"],
  "undeclared status": ["success", "continue"],
  "no status": ["success", "continue"],
};

function sampleOf(step: Step<Rule>, part: Part, word: Word) {
  // No description says what "not found" as an answer to a request means, so it is an undeclared HTTP 404.
  return sampleFor(step.samples, part === "send" && word === "not found" ? [] : RESULTS[word]);
}

/** `carriedOut`: the order that the provider carried out, if its answer shows another reference. */
function sourceOf(setting: Setting, found: Found, reference: string, carriedOut = reference): AnswerSource {
  const { definition, transaction } = setting;
  return {
    definition,
    operation: transaction,
    found,
    order: orderOf(setting, reference, carriedOut),
    own: { balance: BALANCE },
    now: Date.now(),
  };
}

/** The order as the provider knows it, also when it is only asked about. */
function orderOf({ transaction, request }: Setting, reference: string, carriedOut: string): TwinOrder {
  const { target, operator, amount, circle, details = {} } = request;
  const known: [string, string][] = [
    ["target", target],
    ["operator", operator],
    ["amount", formatMoney(amount)],
    ...(circle === null ? [] : ([["circle", circle]] as [string, string][])),
    ...Object.entries(details).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[`details.${name}`, value]] : [],
    ),
  ];
  return {
    operation: transaction,
    reference,
    providerRef: carriedOut === request.reference || !request.providerRef ? (request.providerRef ?? "") : `${OWN_ID}${carriedOut}`,
    operatorRef: OPERATOR_REF,
    found: new Map(known),
    behaviour: { now: "success" },
    at: request.createdAt,
    sends: 1,
  };
}
