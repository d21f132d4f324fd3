import { createHmac, createPrivateKey, sign } from "node:crypto";
import type { ProviderMessage } from "../connector.ts";
import { type Authenticated, digestOf, type Signed, secretOf } from "../description/callbacks/authenticate.ts";
import { signedParts } from "../description/callbacks/read-callback.ts";
import type { Description } from "../description/definition.ts";
import type { CallbackAuth, CallbackDefinition } from "../description/language/callbacks.ts";
import type { CallbackSample } from "../description/language/samples.ts";
import type { Secrets } from "../description/request/scope.ts";
import { renderBody, renderHeaders } from "../description/samples/render-sample.ts";
import { render, type Scope } from "../description/template/render.ts";

/** What a callback is made of. */
export type CallbackParts = {
  readonly definition: Description;
  readonly callback: CallbackDefinition;
  readonly sample: CallbackSample;
  readonly scope: Scope;
  readonly secrets: Secrets;
  readonly now: number;
  readonly isForged: boolean;
};

const WRONG = "wrong-key";

/** A callback as the provider would send it, proved as the description says. Throws when a secret for that is not set. */
export function buildCallback(parts: CallbackParts): ProviderMessage {
  const { auth } = parts.callback;
  if (auth.kind === "jwt") return tokenMessage(parts, auth);
  const timed = withTime(messageOf(parts, ""), auth, parts.now);
  if (auth.kind === "addresses" || auth.kind === "hint") return timed;
  const signature = auth.kind === "key" ? keyOf(parts, auth.secret) : `${auth.prefix}${signatureOf(parts, auth, timed)}`;
  if (auth.field === undefined && auth.inner === undefined) return carrying(timed, auth, signature);
  return withTime(messageOf(parts, signature), auth, parts.now);
}

type Placed = { readonly header?: string | undefined; readonly query?: string | undefined };

function carrying(message: ProviderMessage, { header, query }: Placed, text: string): ProviderMessage {
  if (header !== undefined) return { ...message, headers: { ...message.headers, [header.toLowerCase()]: text } };
  return query === undefined ? message : { ...message, query: { ...message.query, [query]: text } };
}

function messageOf({ callback, sample, scope }: CallbackParts, signature: string): ProviderMessage {
  const here: Scope = { style: scope.style, get: (name) => (name === "signature" ? signature : scope.get(name)) };
  const body = renderBody(sample.body, callback.read?.format ?? "json", here);
  return {
    method: callback.method ?? (callback.from === "query" ? "GET" : "POST"),
    path: callback.path,
    source: "",
    query: Object.fromEntries(Object.entries(sample.query).map(([name, text]) => [name, render(text, here)])),
    headers: { ...(body === "" ? {} : { "content-type": contentType(callback) }), ...renderHeaders(sample.headers, here) },
    body,
  };
}

const TYPES: Readonly<Record<string, string>> = { xml: "text/xml", form: "application/x-www-form-urlencoded", text: "text/plain" };

function contentType({ read }: CallbackDefinition): string {
  return TYPES[read?.format ?? "json"] ?? "application/json";
}

/** The signed time, where a header or a query parameter carries it. */
function withTime(message: ProviderMessage, auth: CallbackAuth, now: number): ProviderMessage {
  if (!("time" in auth) || auth.time === undefined) return message;
  return carrying(message, auth.time, String(auth.time.unit === "seconds" ? Math.floor(now / 1000) : now));
}

function keyOf(parts: CallbackParts, secret: string): string {
  return parts.isForged ? WRONG : secretOf(secret, givenFor(parts, messageOf(parts, "")));
}

function givenFor({ definition, secrets, callback, now, isForged }: CallbackParts, message: ProviderMessage): Authenticated {
  const used = isForged ? Object.fromEntries(definition.secrets.map((name) => [name, WRONG])) : secrets;
  return signedParts({ definition, secrets: used, clock: { now: () => now }, clean: (text) => text }, callback, message);
}

function signatureOf(parts: CallbackParts, auth: Signed, message: ProviderMessage): string {
  const given = givenFor(parts, message);
  if (auth.kind !== "rsa") return digestOf(auth, given);
  if (parts.isForged) return Buffer.from(WRONG).toString(auth.output);
  // For a rehearsal the secret holds a whole key pair: its private half signs here, and the public half verifies.
  return sign(auth.digest, Buffer.from(render(auth.text, given.scope)), createPrivateKey(pem(secretOf(auth.secret, given)))).toString(
    auth.output,
  );
}

function tokenMessage(parts: CallbackParts, auth: Extract<CallbackAuth, { readonly kind: "jwt" }>): ProviderMessage {
  const message = messageOf(parts, "");
  const encoded = [JSON.stringify({ typ: "JWT", alg: auth.algorithm }), message.body].map((text) =>
    Buffer.from(text).toString("base64url"),
  );
  const signed = encoded.join(".");
  const key = secretOf(auth.secret, givenFor({ ...parts, isForged: false }, message));
  const digest = `sha${auth.algorithm.slice(2)}`;
  const signature = auth.algorithm.startsWith("HS")
    ? createHmac(digest, parts.isForged ? WRONG : key)
        .update(signed)
        .digest("base64url")
    : sign(digest, Buffer.from(parts.isForged ? WRONG : signed), createPrivateKey(pem(key))).toString("base64url");
  const token = `${signed}.${signature}`;
  const body = auth.field === undefined ? "" : JSON.stringify({ [auth.field]: token });
  return carrying({ ...message, body }, auth, token);
}

function pem(text: string): string {
  return text.replaceAll("\\n", "\n");
}

const TIMEOUT_MILLISECONDS = 10_000;

/** Sends a callback to the address that the platform gave the provider. The result is its HTTP status. */
export async function sendCallback(address: string, message: ProviderMessage): Promise<number> {
  const query = new URLSearchParams(message.query).toString();
  const response = await fetch(`${address}${message.path}${query === "" ? "" : `?${query}`}`, {
    method: message.method,
    headers: message.headers,
    ...(message.method === "GET" ? {} : { body: message.body }),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  await response.arrayBuffer();
  return response.status;
}
