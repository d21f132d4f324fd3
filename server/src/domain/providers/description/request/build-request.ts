import type { FailureCode } from "../../../shared/failure.ts";
import type { Call } from "../../wire/exchange.ts";
import type { Description } from "../definition.ts";
import type { Body, RequestDefinition } from "../language/request.ts";
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

const addresses = new WeakMap<RequestDefinition, Address & { readonly baseUrl: string | undefined }>();

/** The address of a description's request, which is the same for every order. */
function knownAddress(request: RequestDefinition, baseUrl: string | undefined): Address {
  const known = addresses.get(request);
  if (known !== undefined && known.baseUrl === baseUrl) return known;
  const address = { ...addressOf(request.url, baseUrl), baseUrl };
  addresses.set(request, address);
  return address;
}

function fill(request: RequestDefinition, definition: Description, scope: CallScope, common: boolean): TextCall {
  const { origin, path } = knownAddress(request, definition.base_url);
  const own = render(path, scope, ESCAPES.url);
  const query = renderParameters({ ...(common ? definition.query : {}), ...request.query }, scope, ESCAPES.url);
  const whole = query.length === 0 ? own : `${own}${own.includes("?") ? "&" : "?"}${query.map((pair) => pair.join("=")).join("&")}`;
  const [bare = "", search = ""] = splitAt(whole, "?");
  const method = request.method ?? (request.body === undefined ? "GET" : "POST");
  setParts(scope, { method, url: `${origin}${bare}`, path: bare, query: search });
  const body = request.body === undefined ? null : written(request.body, scope);
  setParts(scope, { body: body?.text ?? "", form: request.body?.form === undefined ? "" : (body?.text ?? "") });
  const sent = request.envelope === undefined ? body : written(request.envelope, scope);
  setParts(scope, { envelope: sent?.text ?? "" });
  const headers = headersOf({ ...lowerCase(common ? definition.headers : {}), ...lowerCase(request.headers) }, scope);
  return { method, origin, path: whole, headers: { ...(sent ? { "content-type": sent.type } : {}), ...headers }, body: sent?.text ?? null };
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function setParts(scope: CallScope, parts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(parts)) scope.parts.set(name, text);
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
}

function headersOf(templates: Readonly<Record<string, string>>, scope: CallScope): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(templates).flatMap(([name, text]) => {
      const value = renderOptional(text, scope, ESCAPES.none);
      return value === null ? [] : [[name, headerValue(value)]];
    }),
  );
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
