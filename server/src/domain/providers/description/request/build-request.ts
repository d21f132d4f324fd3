import type { FailureCode } from "../../../shared/failure.ts";
import { HIDDEN } from "../../masking/mask-secrets.ts";
import type { Call } from "../../wire/exchange.ts";
import type { Description } from "../definition.ts";
import type { Body, Parameters, RequestDefinition } from "../language/request.ts";
import { ESCAPES } from "../template/escape.ts";
import { render, renderJson, renderOptional, renderParameters, renderPieces } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import { type CallContext, type CallScope, CallValues, checkCircle } from "./scope.ts";

export type BuiltRequest =
  | {
      readonly ok: true;
      readonly call: TextCall;
      /** The call for evidence: what filters left of secrets is masked where it stands. */
      readonly shown: TextCall;
      readonly scope: CallScope;
      /** Values of this call that belong into no evidence. */
      readonly hidden: readonly string[];
    }
  | { readonly ok: false; readonly why: string; readonly failure: FailureCode };

export type TextCall = Call & { readonly body: string | null };
type Written = { readonly type: string; readonly text: string };

/** Fills the values into a request, each escaped for its position. `common`: with the headers and query of every request. */
export function buildRequest(request: RequestDefinition, context: CallContext, common = true): BuiltRequest {
  const scope = new CallValues(context);
  try {
    if (context.checksCircle) checkCircle(context.definition, scope);
    const call = fill(request, context.definition, scope, common);
    const shown = scope.altered.size === 0 ? call : readable(fill(request, context.definition, scope.masked(), common));
    return { ok: true, call, shown, scope, hidden: hiddenOf(scope) };
  } catch (error) {
    if (error instanceof Inexpressible) return { ok: false, why: error.message, failure: error.failure };
    throw error;
  }
}

const NOTHING_HIDDEN: readonly string[] = [];

function hiddenOf({ computed, altered }: CallValues): readonly string[] {
  return computed.size === 0 && altered.size === 0 ? NOTHING_HIDDEN : [...computed.values(), ...altered];
}

/** A mask in a query or a form was escaped with the value around it. */
function readable({ path, body, ...call }: TextCall): TextCall {
  const unescaped = (text: string) => text.replaceAll(ESCAPES.url(HIDDEN), HIDDEN);
  return { ...call, path: unescaped(path), body: body === null ? null : unescaped(body) };
}

type Address = { readonly origin: string; readonly path: string };

/** Scheme, host and port, which contain no placeholder, and the path with placeholders. */
export function addressOf(url: string, baseUrl: string | undefined): Address {
  const whole = url.startsWith("/") ? `${(baseUrl ?? "").replace(/\/$/, "")}${url}` : url;
  const start = /^https?:\/\/[^/?]+/.exec(whole)?.[0] ?? "";
  const path = whole.slice(start.length);
  return { origin: start === "" ? "" : new URL(start).origin, path: path.startsWith("/") ? path : `/${path}` };
}

/** What of a request is the same for every order. */
type Frame = Address & {
  readonly definition: Description;
  readonly common: boolean;
  readonly query: Parameters;
  /** With names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly method: Call["method"];
};

const frames = new WeakMap<RequestDefinition, Frame>();

function frameOf(request: RequestDefinition, definition: Description, common: boolean): Frame {
  const known = frames.get(request);
  if (known !== undefined && known.definition === definition && known.common === common) return known;
  const frame: Frame = {
    ...addressOf(request.url, definition.base_url),
    definition,
    common,
    query: { ...(common ? definition.query : {}), ...request.query },
    headers: { ...lowerCase(common ? definition.headers : {}), ...lowerCase(request.headers) },
    method: request.method ?? (request.body === undefined ? "GET" : "POST"),
  };
  frames.set(request, frame);
  return frame;
}

function fill(request: RequestDefinition, definition: Description, scope: CallValues, common: boolean): TextCall {
  const frame = frameOf(request, definition, common);
  const { origin, method } = frame;
  const own = render(frame.path, scope, ESCAPES.url);
  const query = renderParameters(frame.query, scope, ESCAPES.url);
  const path = query.length === 0 ? own : `${own}${own.includes("?") ? "&" : "?"}${query.map((pair) => pair.join("=")).join("&")}`;
  const mark = path.indexOf("?");
  const bare = mark < 0 ? path : path.slice(0, mark);
  const { parts } = scope;
  parts.method = method;
  parts.url = `${origin}${bare}`;
  parts.path = bare;
  parts.query = mark < 0 ? "" : path.slice(mark + 1);
  const body = request.body === undefined ? null : written(request.body, scope);
  parts.body = body?.text ?? "";
  parts.form = request.body?.form === undefined ? "" : parts.body;
  const sent = request.envelope === undefined ? body : written(request.envelope, scope);
  parts.envelope = sent?.text ?? "";
  return { method, origin, path, headers: headersOf(frame.headers, scope, sent?.type), body: sent?.text ?? null };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
}

function headersOf(
  templates: Readonly<Record<string, string>>,
  scope: CallScope,
  contentType: string | undefined,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
  for (const name in templates) {
    const value = renderOptional(templates[name] ?? "", scope, ESCAPES.none);
    if (value !== null) headers[name] = headerValue(value);
  }
  return headers;
}

function headerValue(text: string): string {
  if (/[^\t\x20-\x7e]/.test(text)) throw new Inexpressible("a header would contain a character that headers do not allow");
  return text;
}

function written(body: Body, scope: CallScope): Written {
  const type = body.content_type;
  if (body.form !== undefined) {
    const pairs = renderParameters(body.form, scope, ESCAPES.form);
    return { type: type ?? "application/x-www-form-urlencoded", text: pairs.map((pair) => pair.join("=")).join("&") };
  }
  if (body.json !== undefined) return { type: type ?? "application/json", text: renderJson(body.json, scope) };
  if (body.xml !== undefined) return { type: type ?? "text/xml; charset=utf-8", text: renderPieces(body.xml, scope, ESCAPES.xml) };
  return { type: type ?? "text/plain", text: renderPieces(body.text ?? "", scope, ESCAPES.none) };
}
