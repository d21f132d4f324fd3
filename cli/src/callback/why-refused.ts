import { createHmac } from "node:crypto";
import type { CallbackRefusal, IncomingCallback } from "@corprail/sdk";
import type { Credentials } from "../client/credentials.ts";

export type Check = "form" | "key" | "signature" | "fields" | "freshness" | "replay";
export type Why = { readonly check: Check; readonly text: string };

type Keys = Pick<Credentials, "token" | "callbackSecret">;

const CHECKS: Readonly<Record<CallbackRefusal, Check>> = {
  not_a_callback: "form",
  version_not_accepted: "key",
  wrong_signature: "signature",
  malformed: "fields",
  stale: "freshness",
  replayed: "replay",
};
export const ALL_CHECKS: readonly Check[] = ["form", "key", "signature", "fields", "freshness", "replay"];

const STATUS_FIELDS = ["v", "status", "orderid", "urid", "amount", "account", "ts", "nonce"];
const COMPLAINT_FIELDS = ["v", "event", "complaint_ref", "orderid", "urid", "status", "refund_amount", "resolved_at", "ts", "nonce"];

/** The SDK decides; this says in words what it found, and what the usual cause is. */
export function whyRefused(incoming: IncomingCallback, reason: CallbackRefusal, keys: Keys, nowSeconds: number): Why {
  return { check: CHECKS[reason], text: TEXTS[reason](incoming, keys, nowSeconds) };
}

const TEXTS: Readonly<Record<CallbackRefusal, (incoming: IncomingCallback, keys: Keys, nowSeconds: number) => string>> = {
  not_a_callback: ({ method }) => `A callback is a GET (version 2) or a POST (version 3), not ${method}.`,
  version_not_accepted: ({ method }) =>
    method === "GET"
      ? "A version 2 callback is keyed with the API token, and there is none: set CORPRAIL_TOKEN."
      : "A version 3 callback is keyed with the callback secret, and there is none: set CORPRAIL_CALLBACK_SECRET.",
  wrong_signature: (incoming, keys) => (incoming.method === "GET" ? wrongHash(incoming) : wrongBodySignature(incoming, keys)),
  malformed: (incoming) => wrongFields(fieldsOf(incoming)),
  stale: (incoming, _keys, nowSeconds) => {
    const away = nowSeconds - Number(fieldsOf(incoming)["ts"]);
    return `Its ts is ${Math.abs(away)} seconds ${away > 0 ? "old" : "ahead"}; 300 are allowed.`;
  },
  replayed: (incoming) => `Its nonce ${fieldsOf(incoming)["nonce"]} was seen before.`,
};

function wrongHash(incoming: IncomingCallback): string {
  const { hash } = fieldsOf(incoming);
  if (hash === undefined) return "The hash parameter is missing.";
  if (!/^[0-9a-f]{64}$/.test(hash)) return "The hash is not 64 lower-case hex characters.";
  return "The hash does not match the parameters: another token, a parameter changed or taken out on the way, or one that comes twice.";
}

function wrongBodySignature({ headers, body }: IncomingCallback, keys: Keys): string {
  const given = headers["x-callback-signature"];
  if (typeof given !== "string") return "The header X-Callback-Signature is missing.";
  if (!/^[0-9a-f]{64}$/.test(given)) return "X-Callback-Signature is not 64 lower-case hex characters.";
  if (keys.token !== null && isSigned(keys.token, body, given)) return "It is signed with the API token instead of the callback secret.";
  const trimmed = Buffer.from(Buffer.from(body).toString("utf8").trimEnd());
  if (keys.callbackSecret !== null && isSigned(keys.callbackSecret, trimmed, given))
    return "The signature matches the body without the white space at its end: an editor or a logger added that.";
  return "X-Callback-Signature does not match the body's bytes: another callback secret, or a body that was parsed and written again.";
}

function isSigned(secret: string, body: Uint8Array, signature: string): boolean {
  return createHmac("sha256", secret).update(body).digest("hex") === signature;
}

function wrongFields(fields: Readonly<Record<string, string>>): string {
  const names = fields["event"] === undefined ? STATUS_FIELDS : COMPLAINT_FIELDS;
  const missing = names.filter((name) => (fields[name] ?? "") === "");
  if (missing.length > 0) return `Rightly signed, but without ${missing.join(", ")}.`;
  return `Rightly signed, but not a message that is known: v ${fields["v"]}, status ${fields["status"]}, ts ${fields["ts"]}.`;
}

/** What it says of itself, whether or not that is true. */
function fieldsOf({ method, url, body }: IncomingCallback): Readonly<Record<string, string>> {
  if (method === "GET") return Object.fromEntries(new URL(url, "http://unknown").searchParams);
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.map(([name, inner]) => [name, String(inner)]));
  } catch {
    return {};
  }
}
