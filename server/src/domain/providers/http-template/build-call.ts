import { formatMoney, type Money } from "../../../platform/core/money.ts";
import type { FailureCode } from "../../shared/failure.ts";
import type { ProviderRequest } from "../connector.ts";
import type { Call } from "../wire/exchange.ts";
import type { CallDefinition, Definition } from "./definition.ts";
import { ESCAPES, formBody, jsonBody, render, type Values } from "./template.ts";

export type Secrets = Readonly<Record<string, string>>;
export type TextCall = Call & { readonly body: string | null };
export type BuiltCall =
  | { readonly ok: true; readonly call: TextCall }
  | { readonly ok: false; readonly why: string; readonly failure: FailureCode };

/** A value that the provider's format cannot express; the request is not sent. */
class Inexpressible extends Error {
  /** The failure code that the client sees. */
  readonly failure: FailureCode;

  constructor(why: string, failure: FailureCode = "unavailable") {
    super(why);
    this.failure = failure;
  }
}

/** Fills the values into a description's placeholders, each escaped for its position. */
export function buildCall(
  definition: Definition,
  call: CallDefinition,
  request: ProviderRequest,
  secrets: Secrets,
  now: number,
): BuiltCall {
  try {
    // With a map of circles, other circles are not served, even if no placeholder sends the circle.
    if (call === definition.request && request.circle !== null) codeOf(definition.circles, request.circle, "circle", "circle_not_served");
    return { ok: true, call: fill(call, valuesOf(definition, request, secrets, now)) };
  } catch (error) {
    if (error instanceof Inexpressible) return { ok: false, why: error.message, failure: error.failure };
    throw error;
  }
}

/** Scheme, host and port. They contain no placeholder, so every request of this call goes there. */
export function originOf(call: Pick<CallDefinition, "url">): string {
  return new URL(startOf(call.url)).origin;
}

function fill(call: CallDefinition, values: Values): TextCall {
  const rest = render(call.url.slice(startOf(call.url).length), values, ESCAPES.url);
  const headers = Object.entries(call.headers).map(([name, text]) => [name.toLowerCase(), headerValue(render(text, values, ESCAPES.none))]);
  const body = bodyOf(call, values);
  return {
    method: call.method,
    origin: originOf(call),
    path: rest.startsWith("/") ? rest : `/${rest}`,
    headers: { ...(body ? { "content-type": body.type } : {}), ...Object.fromEntries(headers) },
    body: body?.text ?? null,
  };
}

function startOf(url: string): string {
  return /^https?:\/\/[^/?]+/.exec(url)?.[0] ?? url;
}

function headerValue(text: string): string {
  if (/[^\t\x20-\x7e]/.test(text)) throw new Inexpressible("a header would contain a character that headers do not allow");
  return text;
}

function bodyOf(call: CallDefinition, values: Values): { readonly type: string; readonly text: string } | null {
  const { body } = call;
  if (!body) return null;
  if (body.form) return { type: body.content_type ?? "application/x-www-form-urlencoded", text: formBody(body.form, values) };
  if (body.json !== undefined) return { type: body.content_type ?? "application/json", text: jsonBody(body.json, values) };
  return { type: body.content_type ?? "text/plain", text: render(body.raw ?? "", values, ESCAPES[body.escape ?? "none"]) };
}

function valuesOf(definition: Definition, request: ProviderRequest, secrets: Secrets, now: number): Values {
  const built: Readonly<Record<string, () => string>> = {
    reference: () => request.reference,
    operator: () => codeOf(definition.operators, request.operator, "operator", "unavailable"),
    target: () => request.target,
    amount: () => AMOUNTS[definition.amount](request.amount),
    amount_paise: () => AMOUNTS.paise(request.amount),
    amount_rupees: () => AMOUNTS.whole(request.amount),
    circle: () => (request.circle === null ? "" : codeOf(definition.circles, request.circle, "circle", "circle_not_served")),
    timestamp: () => String(Math.floor(now / 1000)),
  };
  return (name) => {
    const value = Object.hasOwn(built, name) ? built[name]?.() : secrets[name];
    if (value === undefined) throw new Inexpressible(`there is no value for {${name}}`);
    return value;
  };
}

function codeOf(
  codes: Readonly<Record<string, string>> | undefined,
  ours: string,
  what: "operator" | "circle",
  failure: FailureCode,
): string {
  if (codes === undefined) return ours;
  if (!Object.hasOwn(codes, ours)) throw new Inexpressible(`this provider has no code for the ${what} ${ours}`, failure);
  return codes[ours] ?? ours;
}

function withoutFinalZeros(decimal: string): string {
  let end = decimal.length;
  while (decimal[end - 1] === "0") end -= 1;
  return decimal.slice(0, decimal[end - 1] === "." ? end - 1 : end);
}

const AMOUNTS: Readonly<Record<Definition["amount"], (amount: Money) => string>> = {
  four_places: formatMoney,
  two_places: (amount) => cut(amount, 2),
  whole: (amount) => cut(amount, 0),
  shortest: (amount) => withoutFinalZeros(formatMoney(amount)),
  paise: (amount) => {
    if (amount % 100n !== 0n) throw new Inexpressible("this provider accepts whole paise only", "amount_not_accepted");
    return (amount / 100n).toString();
  },
};

// Never rounded, because the recharged amount must equal the paid amount.
function cut(amount: Money, places: 0 | 2): string {
  const text = formatMoney(amount);
  const point = text.length - 5;
  const keep = places === 0 ? point : point + 1 + places;
  if (/[1-9]/.test(text.slice(keep)))
    throw new Inexpressible(`this provider accepts ${places === 0 ? "whole rupees" : "at most two decimals"} only`, "amount_not_accepted");
  return text.slice(0, keep);
}
