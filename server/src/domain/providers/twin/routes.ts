import { isTransaction } from "@corprail/connector";
import type { Description } from "../description/definition.ts";
import type { Body, Parameters, RequestDefinition } from "../description/language/request.ts";
import type { Rule } from "../description/language/rules.ts";
import { addressOf } from "../description/request/build-request.ts";
import type { Secrets } from "../description/request/scope.ts";
import { allPlans, type PlannedOperation, type Step } from "../description/run/plan.ts";

import { type Found, type Matcher, matchJson, matchPath, matchPieces, unfitParameter } from "./match-template.ts";
import { openEnvelope } from "./open-envelope.ts";

/** A request that arrived at the twin. */
export type Incoming = {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** One call of the provider's API. Without an operation it is the login. */
export type Route = {
  readonly request: RequestDefinition;
  readonly operation: { readonly planned: PlannedOperation; readonly step: Step<Rule> } | null;
};

export type Matched = { readonly route: Route; readonly found: Found };

export function routesOf(definition: Description): readonly Route[] {
  const login = definition.login === undefined ? [] : [{ request: definition.login.request, operation: null }];
  const calls = allPlans(definition).flatMap((planned) =>
    planned.plan.steps.map((step: Step<Rule>): Route => ({ request: step.request, operation: { planned, step } })),
  );
  return [...login, ...calls.toSorted((one, other) => rankOf(one) - rankOf(other))];
}

/**
 * If several calls fit a request equally well, the one with the lowest rank is used. Steps before the one that sends the order
 * come first, because no status can be asked yet. A step after it often equals the status query, which then wins.
 */
function rankOf({ operation }: Route): number {
  if (operation === null || !isTransaction(operation.planned.name)) return 3;
  const { planned, step } = operation;
  if (planned.part === "status") return 1;
  const steps: readonly Step<Rule>[] = planned.plan.steps;
  return steps.indexOf(step) > steps.findIndex((one) => one.sends) ? 2 : 0;
}

/**
 * Finds the call that a request carries out. If several fit, for example because one needs fewer parameters, the one that
 * matches most of the request is used. If none fits, the result says what is wrong for calls with its method and path.
 */
export function findRoute(
  definition: Description,
  routes: readonly Route[],
  incoming: Incoming,
  secrets: Secrets,
): Matched | { readonly unfit: readonly string[] } {
  const tried = routes.map((route) => {
    const matcher: Matcher = { definition, found: new Map(), score: 0 };
    return { route, found: matcher.found, why: unfitPart(matcher, route, incoming, secrets), matcher };
  });
  const fitting = tried.filter(({ why }) => why === null);
  const [first, ...others] = fitting;
  if (first !== undefined) return others.reduce((best, one) => (one.matcher.score > best.matcher.score ? one : best), first);
  const near = tried.filter(({ why }) => why !== null && why !== OTHER_ADDRESS);
  return { unfit: [...new Set(near.map(({ route, why }) => `${route.operation?.planned.plan.operation ?? "login"}: ${why}.`))] };
}

/** The method or path belongs to another call. */
const OTHER_ADDRESS = "the address is another";

/** Why a request does not fit this call; null if it fits. */
function unfitPart(matcher: Matcher, { request, operation }: Route, incoming: Incoming, secrets: Secrets): string | null {
  const { definition } = matcher;
  const isCommon = operation !== null;
  if (incoming.method !== (request.method ?? (request.body === undefined ? "GET" : "POST"))) return OTHER_ADDRESS;
  const [path = "", search = ""] = splitAt(addressOf(request.url, definition.base_url).path);
  const [givenPath = "", givenSearch = ""] = splitAt(incoming.url);
  if (!matchPath(matcher, path, givenPath, decoded)) return OTHER_ADDRESS;
  const query = new URLSearchParams(givenSearch);
  const declared: Parameters = { ...(isCommon ? definition.query : {}), ...queryIn(search), ...request.query };
  const ofQuery = unfitParameter(matcher, declared, (name) => query.get(name));
  if (ofQuery !== null) return `the query parameter ${ofQuery}`;
  const headers = { ...(isCommon ? definition.headers : {}), ...request.headers };
  const ofHeaders = unfitParameter(matcher, headers, (name) => incoming.headers[name.toLowerCase()] ?? null);
  if (ofHeaders !== null) return `the header ${ofHeaders}`;
  return unfitSent(matcher, request, incoming.body, secrets);
}

function unfitSent(matcher: Matcher, { body, envelope }: RequestDefinition, text: string, secrets: Secrets): string | null {
  if (envelope === undefined || body === undefined) return unfitBody(matcher, envelope ?? body, text);
  const ofEnvelope = unfitBody(matcher, envelope, text);
  if (ofEnvelope !== null) return ofEnvelope;
  const opened = openEnvelope(matcher.definition, matcher.found, secrets);
  return opened === null ? null : unfitBody(matcher, body, opened);
}

function unfitBody(matcher: Matcher, declared: Body | undefined, text: string): string | null {
  if (declared === undefined) return null;
  if (declared.form !== undefined) {
    const form = new URLSearchParams(text);
    const unfit = unfitParameter(matcher, declared.form, (name) => form.get(name));
    return unfit === null ? null : `the field ${unfit}`;
  }
  const fits =
    declared.json === undefined
      ? matchPieces(matcher, declared.xml ?? declared.text ?? "", text)
      : matchJson(matcher, declared.json, parsed(text));
  return fits ? null : "the body does not have the described form";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function splitAt(url: string): readonly string[] {
  for (const { 0: run, index } of url.matchAll(/[^{}]+/g)) {
    const at = index + run.indexOf("?");
    // A question mark inside braces marks a value that may be missing.
    if (at >= index && url[index + run.length] !== "}") return [url.slice(0, at), url.slice(at + 1)];
  }
  return [url];
}

function queryIn(search: string): Parameters {
  if (search === "") return {};
  return Object.fromEntries(
    search.split("&").map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
