import { createHmac, type KeyObject } from "node:crypto";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { CallbackVersion, ComplaintFacts, Facts, StatusFacts } from "../facts.ts";

/** The time and nonce that make each attempt unique. */
export type Stamp = { readonly ts: number; readonly nonce: string };

/** A request exactly as it is sent. */
export type Message = {
  readonly method: "GET" | "POST";
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
};

type Field = readonly [name: string, value: string];

/** The key is the API token for version 2 and the callback secret for version 3, including their prefixes. */
export function formatCallback(version: CallbackVersion, facts: Facts, stamp: Stamp, url: URL, key: KeyObject): Message {
  return version === 3 ? signedBody(facts, stamp, url, key) : signedQuery(facts, stamp, url, key);
}

// Spec, Events, version 2. The URL's own parameters are signed and sent like the others.
function signedQuery(facts: Facts, stamp: Stamp, url: URL, token: KeyObject): Message {
  const fields: readonly Field[] = [...url.searchParams, ["v", "2"], ...factFields(facts), ...stampFields(stamp)];
  const sent: readonly Field[] = [...fields, ["hash", hmac(token, hashedText(fields))]];
  const query = sent.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&");
  return { method: "GET", origin: url.origin, path: `${url.pathname}?${query}`, headers: {}, body: null };
}

/** Contract, section 7: decoded values, sorted by name in code-unit order. */
function hashedText(fields: readonly Field[]): string {
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

// Spec, Events, version 3: the signature covers exactly the bytes that are sent.
function signedBody(facts: Facts, stamp: Stamp, url: URL, secret: KeyObject): Message {
  return signedJson([["v", "3"], ...factFields(facts), ...versionThreeFields(facts)], stamp, url, secret);
}

/** A POST of these fields, signed like a version 3 callback. */
export function signedJson(fields: readonly Field[], stamp: Stamp, url: URL, secret: KeyObject): Message {
  const body = Buffer.from(JSON.stringify(Object.fromEntries([...fields, ...stampFields(stamp)])));
  const headers = {
    "content-type": "application/json",
    "x-callback-signature": hmac(secret, body),
    "x-callback-timestamp": String(stamp.ts),
  };
  return { method: "POST", origin: url.origin, path: url.pathname + url.search, headers, body };
}

function factFields(facts: Facts): readonly Field[] {
  return facts.kind === "status" ? statusFields(facts) : complaintFields(facts);
}

function statusFields(facts: StatusFacts): readonly Field[] {
  return [
    ["status", facts.status],
    ["orderid", facts.orderId],
    ["urid", facts.urid],
    ["amount", formatMoney(facts.amount)],
    ["account", facts.target],
  ];
}

function complaintFields(facts: ComplaintFacts): readonly Field[] {
  return [
    ["event", "complaint"],
    ["complaint_ref", facts.complaintRef],
    ["orderid", facts.orderId],
    ["urid", facts.urid],
    ["status", facts.status],
    ["refund_amount", formatMoney(facts.refundAmount)],
    ["resolved_at", indiaDateTime(facts.resolvedAt)],
    ...(facts.isTest ? [["test", "1"] as const] : []),
  ];
}

function versionThreeFields(facts: Facts): readonly Field[] {
  return facts.kind === "status" ? [["optid", facts.operatorRef ?? ""]] : [["reason", facts.reason]];
}

function stampFields(stamp: Stamp): readonly Field[] {
  return [
    ["ts", String(stamp.ts)],
    ["nonce", stamp.nonce],
  ];
}

function hmac(key: KeyObject, message: string | Buffer): string {
  return createHmac("sha256", key).update(message).digest("hex");
}

// RFC 3986: encodeURIComponent leaves five characters unescaped that receivers decode differently.
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
