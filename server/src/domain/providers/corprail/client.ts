import { type Clock, unixSeconds } from "../../../platform/core/clock.ts";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";
import type { Call, Evidence, Exchange, Wire } from "../wire/exchange.ts";
import { queryText, signature, type UnsignedCall } from "./sign-call.ts";

export type CorprailSecrets = { readonly token: string; readonly signingSecret: string; readonly callbackSecret: string };

/** A reply of the other installation. The body is null when it is not a JSON object. */
export type Reply = { readonly status: number; readonly body: JsonObject | null };
export type Replied = { readonly kind: "answered"; readonly reply: Reply } | Exclude<Exchange, { readonly kind: "answered" }>;

export type QueryPairs = UnsignedCall["query"];

/** The signed client API of the other installation, for one operation. */
export type Session = {
  readonly get: (path: string, query?: QueryPairs) => Promise<Replied>;
  readonly post: (path: string, body: JsonObject) => Promise<Replied>;
};

export type ClientDependencies = {
  readonly origin: string;
  readonly secrets: CorprailSecrets;
  readonly clock: Clock;
  readonly wire: Wire;
  readonly randomBytes: (count: number) => Buffer;
};

const PREFIX = "/api/corp/v1";
// A page of a long list; the size limit of an answer bounds it as well.
const MAX_VALUES = 50_000;

/** A transaction and its status go ahead of waiting queries, and their replies are small. */
export function createSession(deps: ClientDependencies, kind: "transaction" | "query", signal: AbortSignal, evidence: Evidence): Session {
  const exchange = async (call: UnsignedCall) => replied(await deps.wire.exchange({ ...signed(deps, call), kind }, signal, evidence));
  return {
    get: (path, query = []) => exchange({ method: "GET", path: PREFIX + path, query, body: "" }),
    post: (path, body) => exchange({ method: "POST", path: PREFIX + path, query: [], body: JSON.stringify(body) }),
  };
}

function replied(exchange: Exchange): Replied {
  if (exchange.kind !== "answered") return exchange;
  const { status, body } = exchange.answer;
  const parsed = parseStrictJson(body, MAX_VALUES);
  return { kind: "answered", reply: { status, body: parsed.ok ? parsed.value : null } };
}

// Every request has a new timestamp and nonce; only the reference stays the same.
function signed({ origin, secrets, clock, randomBytes }: ClientDependencies, call: UnsignedCall): Omit<Call, "kind"> {
  const stamp = { timestamp: String(unixSeconds(clock)), nonce: randomBytes(16).toString("hex") };
  const query = queryText(call.query);
  return {
    method: call.method,
    origin,
    path: query === "" ? call.path : `${call.path}?${query}`,
    headers: {
      "x-api-token": secrets.token,
      "x-api-timestamp": stamp.timestamp,
      "x-api-nonce": stamp.nonce,
      "x-api-signature": signature(call, stamp, secrets.signingSecret),
      ...(call.body === "" ? {} : { "content-type": "application/json" }),
    },
    body: call.body === "" ? null : call.body,
  };
}
