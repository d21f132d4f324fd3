import type { FailureCode } from "../../../shared/failure.ts";
import type { Call } from "../../wire/exchange.ts";
import type { Description } from "../definition.ts";
import type { Body, Parameters, RequestDefinition } from "../language/request.ts";
import { ESCAPES } from "../template/escape.ts";
import { render, renderJson, renderOptional, renderParameters, renderPieces } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import { type CallContext, type CallScope, callScope, checkCircle } from "./scope.ts";

export type BuiltRequest =
  | {
      readonly ok: true;
      readonly call: TextCall;
      readonly scope: CallScope;
      /** Values of this call that belong into no evidence. */
      readonly hidden: readonly string[];
    }
  | { readonly ok: false; readonly why: string; readonly failure: FailureCode };

export type TextCall = Call & { readonly body: string | null };
type Written = { readonly type: string; readonly text: string };

/** Fills the values into a request, each escaped for its position. `common`: with the headers and query of every request. */
export function buildRequest(request: RequestDefinition, context: CallContext, common = true): BuiltRequest {
  const scope = callScope(context);
  try {
    if (context.checksCircle) checkCircle(context.definition, scope);
    const call = fill(request, context.definition, scope, common);
    return { ok: true, call, scope, hidden: [...scope.computed.values()] };
  } catch (error) {
    if (error instanceof Inexpressible) return { ok: false, why: error.message, failure: error.failure };
    throw error;
  }
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

function fill(request: RequestDefinition, definition: Description, scope: CallScope, common: boolean): TextCall {
  const { origin, path, method, ...templates } = frameOf(request, definition, common);
  const own = render(path, scope, ESCAPES.url);
  const query = renderParameters(templates.query, scope, ESCAPES.url);
  const whole = query.length === 0 ? own : `${own}${own.includes("?") ? "&" : "?"}${query.map((pair) => pair.join("=")).join("&")}`;
  const [bare = "", search = ""] = splitAt(whole, "?");
  const { parts } = scope;
  parts.set("method", method).set("url", `${origin}${bare}`).set("path", bare).set("query", search);
  const body = request.body === undefined ? null : written(request.body, scope);
  parts.set("body", body?.text ?? "").set("form", request.body?.form === undefined ? "" : (body?.text ?? ""));
  const sent = request.envelope === undefined ? body : written(request.envelope, scope);
  parts.set("envelope", sent?.text ?? "");
  const headers = headersOf(templates.headers, scope, sent?.type);
  return { method, origin, path: whole, headers, body: sent?.text ?? null };
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
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
  for (const [name, text] of Object.entries(templates)) {
    const value = renderOptional(text, scope, ESCAPES.none);
    if (value !== null) headers[name] = headerValue(value);
  }
  return headers;
}

function headerValue(text: string): string {
  if (/[^\t\x20-\x7e]/.test(text)) throw new Inexpressible("a header would contain a character that headers do not allow");
  return text;
}

function written(body: Body, scope: CallScope): Written {
  const type = (usual: string) => body.content_type ?? usual;
  if (body.form !== undefined) {
    const pairs = renderParameters(body.form, scope, ESCAPES.form);
    return { type: type("application/x-www-form-urlencoded"), text: pairs.map((pair) => pair.join("=")).join("&") };
  }
  if (body.json !== undefined) return { type: type("application/json"), text: renderJson(body.json, scope) };
  if (body.xml !== undefined) return { type: type("text/xml; charset=utf-8"), text: renderPieces(body.xml, scope, ESCAPES.xml) };
  return { type: type("text/plain"), text: renderPieces(body.text ?? "", scope, ESCAPES.none) };
}
