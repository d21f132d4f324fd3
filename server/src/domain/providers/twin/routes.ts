import { isTransaction } from "@corprail/connector";
import type { Description } from "../description/definition.ts";
import type { Body, Parameters, RequestDefinition } from "../description/language/request.ts";
import type { Rule } from "../description/language/rules.ts";
import { addressOf } from "../description/request/build-request.ts";
import type { Secrets } from "../description/request/scope.ts";
import { allPlans, type PlannedOperation, type Step } from "../description/run/plan.ts";

import { type Found, type Matcher, matchJson, matchParameters, matchPath, matchPieces } from "./match-template.ts";
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
 * Of calls that look alike the first counts. What follows the call that moves the money often is the provider's status query
 * itself, so the status comes first; before that call the order is not known yet.
 */
function rankOf({ operation }: Route): number {
  if (operation === null || !isTransaction(operation.planned.name)) return 3;
  const { planned, step } = operation;
  if (planned.part === "status") return 1;
  const steps: readonly Step<Rule>[] = planned.plan.steps;
  return steps.indexOf(step) > steps.findIndex((one) => one.sends) ? 2 : 0;
}

/** The call that a request is. Several may fit, for example if one needs fewer parameters; the one that explains most of it counts. */
export function findRoute(definition: Description, routes: readonly Route[], incoming: Incoming, secrets: Secrets): Matched | null {
  const fitting = routes.flatMap((route) => {
    const matcher: Matcher = { definition, found: new Map(), score: 0 };
    return fits(matcher, route, incoming, secrets) ? [{ route, found: matcher.found, score: matcher.score }] : [];
  });
  return fitting.reduce<(Matched & { readonly score: number }) | null>(
    (best, one) => (best === null || one.score > best.score ? one : best),
    null,
  );
}

function fits(matcher: Matcher, { request, operation }: Route, incoming: Incoming, secrets: Secrets): boolean {
  const { definition } = matcher;
  const isCommon = operation !== null;
  if (incoming.method !== (request.method ?? (request.body === undefined ? "GET" : "POST"))) return false;
  const [path = "", search = ""] = splitAt(addressOf(request.url, definition.base_url).path);
  const [givenPath = "", givenSearch = ""] = splitAt(incoming.url);
  if (!matchPath(matcher, path, givenPath, decoded)) return false;
  const query = new URLSearchParams(givenSearch);
  const declared: Parameters = { ...(isCommon ? definition.query : {}), ...queryIn(search), ...request.query };
  const headers = { ...(isCommon ? definition.headers : {}), ...request.headers };
  return (
    matchParameters(matcher, declared, (name) => query.get(name)) &&
    matchParameters(matcher, headers, (name) => incoming.headers[name.toLowerCase()] ?? null) &&
    sentFits(matcher, request, incoming.body, secrets)
  );
}

function sentFits(matcher: Matcher, { body, envelope }: RequestDefinition, text: string, secrets: Secrets): boolean {
  if (envelope === undefined || body === undefined) return bodyFits(matcher, envelope ?? body, text);
  if (!bodyFits(matcher, envelope, text)) return false;
  const opened = openEnvelope(matcher.definition, matcher.found, secrets);
  return opened === null || bodyFits(matcher, body, opened);
}

function bodyFits(matcher: Matcher, declared: Body | undefined, text: string): boolean {
  if (declared === undefined) return true;
  if (declared.form !== undefined) {
    const form = new URLSearchParams(text);
    return matchParameters(matcher, declared.form, (name) => form.get(name));
  }
  if (declared.json !== undefined) return matchJson(matcher, declared.json, parsed(text));
  return matchPieces(matcher, declared.xml ?? declared.text ?? "", text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function splitAt(url: string): readonly string[] {
  // A question mark inside braces marks a value that may be missing.
  const at = url.search(/\?(?![^{}]*\})/);
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
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
