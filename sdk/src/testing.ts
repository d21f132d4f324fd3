import { randomBytes } from "node:crypto";
import { hashedText } from "./callbacks/version-2.js";
import { hmacHex, percentEncode } from "./signing.js";

type Delivery = {
  /** Your receiver's address, with its own query if it has one. */
  readonly url: string;
  readonly orderId?: string | undefined;
  readonly urid?: string | undefined;
  /** Unix seconds; now unless set. */
  readonly ts?: number | undefined;
  /** Random unless set. */
  readonly nonce?: string | undefined;
};

/** Version 2 is keyed with the API token, version 3 with the callback secret. */
type Keyed = { readonly version: 2; readonly token: string } | { readonly version: 3; readonly callbackSecret: string };

export type StatusCallbackInput = Delivery &
  Keyed & {
    readonly status: "SUCCESS" | "FAILED";
    readonly operatorRef?: string | null | undefined;
    /** Decimal with four places. */
    readonly amount?: string | undefined;
    readonly account?: string | undefined;
  };

export type ComplaintCallbackInput = Delivery &
  Keyed & {
    readonly status: "RESOLVED" | "REFUNDED";
    readonly complaintRef?: string | undefined;
    readonly refundAmount?: string | undefined;
    readonly resolvedAt?: string | undefined;
    readonly reason?: string | undefined;
    readonly test?: boolean | undefined;
  };

/** A callback as the service would send it, ready for `fetch(url, init)` or for a verifier. */
export type SignedCallback = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

type Pair = readonly [name: string, value: string];

export function statusCallback(input: StatusCallbackInput): SignedCallback {
  const fields: readonly Pair[] = [
    ["status", input.status],
    ["orderid", input.orderId ?? "01JXQ0A1B2C3D4E5F6"],
    ["urid", input.urid ?? "ORDER-1"],
    ["amount", input.amount ?? "199.0000"],
    ["account", input.account ?? "9876543210"],
    ...(input.version === 3 ? ([["optid", input.operatorRef ?? ""]] as const) : []),
  ];
  return signed(input, fields);
}

export function complaintCallback(input: ComplaintCallbackInput): SignedCallback {
  const fields: readonly Pair[] = [
    ["event", "complaint"],
    ["complaint_ref", input.complaintRef ?? "CMP0123456789AB"],
    ["orderid", input.orderId ?? "01JXQ0A1B2C3D4E5F6"],
    ["urid", input.urid ?? "ORDER-1"],
    ["status", input.status],
    ["refund_amount", input.refundAmount ?? (input.status === "REFUNDED" ? "199.0000" : "0.0000")],
    ["resolved_at", input.resolvedAt ?? "2025-06-15 20:36:40"],
    ...(input.test ? ([["test", "1"]] as const) : []),
    ...(input.version === 3 ? ([["reason", input.reason ?? "Decided."]] as const) : []),
  ];
  return signed(input, fields);
}

/** Sends it to its address, as the service does: once, without following redirects. */
export async function deliver(callback: SignedCallback): Promise<Response> {
  const body = callback.method === "POST" ? { body: callback.body } : {};
  return await fetch(callback.url, { method: callback.method, headers: callback.headers, redirect: "manual", ...body });
}

function signed(input: Delivery & Keyed, fields: readonly Pair[]): SignedCallback {
  const ts = String(input.ts ?? Math.floor(Date.now() / 1000));
  const nonce = input.nonce ?? randomBytes(12).toString("hex");
  const pairs: readonly Pair[] = [["v", String(input.version)], ...fields, ["ts", ts], ["nonce", nonce]];
  return input.version === 2 ? signedQuery(input.url, input.token, pairs) : signedBody(input.url, input.callbackSecret, pairs, ts);
}

// The address's own parameters are form-decoded, signed like all others, and sent again percent-encoded.
function signedQuery(url: string, token: string, pairs: readonly Pair[]): SignedCallback {
  const address = new URL(url);
  const all: readonly Pair[] = [...address.searchParams, ...pairs];
  const hash = hmacHex(token, hashedText(Object.fromEntries(all)));
  const query = [...all, ["hash", hash] as const].map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&");
  return { method: "GET", url: `${address.origin}${address.pathname}?${query}`, headers: {}, body: new Uint8Array() };
}

function signedBody(url: string, secret: string, pairs: readonly Pair[], ts: string): SignedCallback {
  const body = new TextEncoder().encode(JSON.stringify(Object.fromEntries(pairs)));
  const headers = {
    "content-type": "application/json",
    "x-callback-signature": hmacHex(secret, body),
    "x-callback-timestamp": ts,
  };
  return { method: "POST", url, headers, body };
}
