import { isTransaction, type TransactionName } from "@corprail/connector";
import type { Description } from "../description/definition.ts";
import type { RenderedSample } from "../description/samples/render-sample.ts";
import { Inexpressible } from "../description/template/value.ts";
import { answerOf, sampleFor } from "./answers.ts";
import { type Behaviour, behaviourFor, type Chosen } from "./behaviour.ts";
import type { Found } from "./match-template.ts";
import { createOrders, resultOf, type TwinOrder, type TwinOrders } from "./orders.ts";
import { createReports, type ReportOptions, type Reports } from "./report-orders.ts";
import { findRoute, type Incoming, type Matched, type Route, routesOf } from "./routes.ts";

/** What happened at the twin, for whoever watches it. */
export type TwinEvent =
  | { readonly kind: "request"; readonly operation: string | null; readonly reference: string | null; readonly answered: string }
  | { readonly kind: "callback"; readonly reference: string; readonly result: string; readonly answered: string };

export type ServiceOptions = Omit<ReportOptions, "onCallback"> & {
  readonly chosen: Chosen;
  readonly newToken: () => string;
  readonly onEvent: (event: TwinEvent) => void;
};

/** `done` is called when the answer is written; callbacks follow it. */
export type Answered = { readonly answer: RenderedSample; readonly wire?: Behaviour["wire"]; readonly done?: () => void };
export type Served = {
  readonly answer: (incoming: Incoming) => Answered;
  readonly orders: () => readonly TwinOrder[];
  readonly expireTokens: () => void;
  readonly close: () => void;
};

type Operation = NonNullable<Route["operation"]>;
type State = ServiceOptions & {
  readonly definition: Description;
  readonly orders: TwinOrders;
  readonly reports: Reports;
  readonly tokens: Set<string>;
};

export function createService(definition: Description, options: ServiceOptions): Served {
  const { onEvent } = options;
  const routes = routesOf(definition);
  const orders = createOrders(options.delayMilliseconds);
  const reports = createReports(definition, orders, { ...options, onCallback: (one) => onEvent({ kind: "callback", ...one }) });
  const state: State = { ...options, definition, orders, reports, tokens: new Set() };
  return {
    answer: (incoming) => {
      const matched = findRoute(definition, routes, incoming, options.secrets);
      const isKnown = !("unfit" in matched);
      const answered = isKnown ? answerTo(state, matched) : unknownCall(definition, incoming, matched.unfit);
      const operation = isKnown ? (matched.route.operation?.planned.plan.operation ?? "login") : null;
      const reference = isKnown ? referenceIn(matched.found) : null;
      onEvent({ kind: "request", operation, reference, answered: answered.wire ?? String(answered.answer.status) });
      return answered;
    },
    orders: () => orders.all(),
    expireTokens: () => state.tokens.clear(),
    close: () => reports.close(),
  };
}

function plain(status: number, words: string): Answered {
  const body = Buffer.from(`${words}\n`);
  return { answer: { status, headers: { "content-type": "text/plain; charset=utf-8" }, body } };
}

function unknownCall({ name }: Description, { method, url }: Incoming, unfit: readonly string[]): Answered {
  return plain(404, [`No operation of ${name} sends ${method} ${url.replace(/\?.*/s, "")} with these parameters.`, ...unfit].join("\n"));
}

function answerTo(state: State, { route, found }: Matched): Answered {
  if (route.operation === null) return login(state, found);
  const token = found.get("token");
  const isRefused = state.definition.login !== undefined && token !== undefined && !state.tokens.has(token);
  if (isRefused) return plain(401, "The token is not valid.");
  const { name, part } = route.operation.planned;
  if (!isTransaction(name)) return query(state, route.operation, found);
  const reference = referenceIn(found);
  // A step that only prepares, for example by asking for our account, may name no order.
  if (reference === null && part === "send" && !route.operation.step.sends)
    return { answer: rendered(state, route.operation, ["continue"], found, null) };
  if (reference === null) return plain(400, "The request has no reference that the twin can find.");
  return part === "status" ? status(state, route.operation, found, reference) : send(state, name, route.operation, found, reference);
}

function login({ definition, newToken, tokens, now }: State, found: Found): Answered {
  const sample = sampleFor(definition.login?.samples ?? {}, ["success"]);
  if (sample === null) return plain(501, "The login has no sample.");
  const token = newToken();
  tokens.add(token);
  const read = { ...definition.read, ...definition.login?.read };
  return { answer: answerOf(sample, read, { definition, operation: null, found, order: null, own: { token }, now: now() }) };
}

function send(state: State, name: TransactionName, operation: Operation, found: Found, reference: string): Answered {
  const { orders, now, chosen, delayMilliseconds } = state;
  const { step } = operation;
  const first = behaviourFor(found.get("target") ?? "", chosen);
  if (first.wire === "refused") return { ...plain(503, ""), wire: "refused" };
  const order = orders.find(reference) ?? orders.receive({ operation: name, reference, found: new Map(), behaviour: first, at: now() });
  for (const [value, text] of found) order.found.set(value, text);
  if (order.sends === 0) order.behaviour = behaviourFor(order.found.get("target") ?? "", chosen);
  const { behaviour } = order;
  const result = resultOf(order, now(), delayMilliseconds);
  if (!step.sends) return { answer: rendered(state, operation, ["continue", result], found, order) };
  order.sends++;
  const answer = rendered(state, operation, [result, "continue"], found, order);
  const isFirst = order.sends === 1;
  // Sent again, the same reference is answered as usual, so that an order whose answer was lost can be completed.
  return { answer, wire: isFirst ? behaviour.wire : undefined, done: () => (isFirst ? state.reports.report(order) : undefined) };
}

function status(state: State, operation: Operation, found: Found, reference: string): Answered {
  const order = state.orders.find(reference) ?? null;
  const result = order === null ? "not_found" : resultOf(order, state.now(), state.delayMilliseconds);
  const [kind = result] = result.split(".");
  // Some providers report an order that failed only as one whose money was given back.
  const names = kind === "declined" ? [kind, "reversed"] : [kind];
  return { answer: rendered(state, operation, [...names, "continue"], found, order) };
}

function query(state: State, operation: Operation, found: Found): Answered {
  const isLast = operation.planned.plan.steps.at(-1)?.name === operation.step.name;
  const answer = rendered(state, operation, isLast ? ["answered", "continue"] : ["continue", "answered"], found, null);
  return { answer, wire: behaviourFor("", state.chosen).wire };
}

function rendered(
  state: State,
  { step, planned }: Operation,
  names: readonly string[],
  found: Found,
  order: TwinOrder | null,
): RenderedSample {
  const { definition, orders, now } = state;
  const sample = sampleFor(step.samples, names);
  if (sample === null) return plain(501, `${step.place} has no sample ${names.join(" or ")}.`).answer;
  const source = { definition, operation: planned.name, found, order, own: { balance: orders.balance(now()) }, now: now() };
  try {
    return answerOf(sample, step.read, source);
  } catch (error) {
    if (error instanceof Inexpressible) return plain(501, `A sample of ${step.place} cannot be written: ${error.message}.`).answer;
    throw error;
  }
}

/** Our reference, the provider's own, or what an earlier step gave. */
function referenceIn(found: Found): string | null {
  const names = ["reference", "provider_ref", "details.block_provider_ref", "details.fetch_provider_ref"];
  const steps = [...found.keys()].filter((name) => name.startsWith("step."));
  return [...names, ...steps].map((name) => found.get(name)).find((text) => text !== undefined && text !== "") ?? null;
}
