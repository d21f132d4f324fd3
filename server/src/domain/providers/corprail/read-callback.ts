import { z } from "zod";
import { type Clock, unixSeconds } from "../../../platform/core/clock.ts";
import { formatMoney, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import { isReference } from "../../../platform/core/reference.ts";
import { parseStrictJson } from "../../../platform/core/strict-json.ts";
import { referenceText } from "../callbacks/reference-text.ts";
import { type CallbackRefusal, type CallbackRefusalReason, refusedCallback } from "../callbacks/refused-callback.ts";
import type { ProviderMessage, Report } from "../connector.ts";
import { hmacHex, sameSecret } from "../wire/same-secret.ts";

export type CallbackKeys = {
  /** The key of version 2. */
  readonly token: string;
  /** The key of version 3; empty when there is none. */
  readonly callbackSecret: string;
};

const FRESH_SECONDS = 300;

const status = z.object({
  v: z.enum(["2", "3"]),
  status: z.enum(["SUCCESS", "FAILED"]),
  orderid: z.string().min(1),
  urid: z.string().refine(isReference),
  optid: z.string().optional(),
  amount: z.string(),
  ts: z.string().regex(/^[1-9][0-9]{9}$/),
  nonce: z.string().min(1).max(64),
  // A complaint callback has this field and is not about a transaction.
  event: z.undefined().optional(),
});

/** Spec, Events: version 3 is signed JSON, version 2 a signed query. Both must be recent, and no nonce may repeat. */
export function callbackReader(keys: CallbackKeys, clock: Clock): (message: ProviderMessage) => Report | CallbackRefusal {
  const isNew = nonceMemory();
  return (message) => {
    const version = message.method === "POST" ? "3" : "2";
    const fields = version === "3" ? signedBody(keys.callbackSecret, message) : signedQuery(keys.token, message);
    if (fields === null) return refusedCallback("wrong_key");
    const read = status.safeParse(fields);
    if (!read.success || read.data.v !== version) return refusedCallback(faultOf(fields), true, referenceIn(fields));
    const { urid, ts, nonce } = read.data;
    const now = unixSeconds(clock);
    if (Math.abs(now - Number(ts)) > FRESH_SECONDS) return refusedCallback("stale", true, urid);
    if (!isNew(nonce, now)) return refusedCallback("replayed", true, urid);
    const finding = findingOf(read.data);
    return { reference: urid, finding, ...(finding.kind === "succeeded" ? { differs: comparison(read.data.amount) } : {}) };
  };
}

/** A success with another amount is not about our order as it was sent. */
function comparison(amount: string): NonNullable<Report["differs"]> {
  return (order) =>
    parseMoney(amount) === order.amount
      ? null
      : `amount is ${JSON.stringify(amount)} instead of ${JSON.stringify(formatMoney(order.amount))}`;
}

function faultOf(fields: Fields): CallbackRefusalReason {
  const { status: said } = fields;
  return typeof said === "string" && !["SUCCESS", "FAILED"].includes(said) ? "unknown_status" : "unreadable";
}

function referenceIn({ urid }: Fields): string | null {
  return typeof urid === "string" && isReference(urid) ? urid : null;
}

/**
 * A callback does not name its service, and says only how the order stands. FAILED may be a failure, a reversal or a cancelled
 * ticket, and the success of an enquiry lacks what was enquired, so both make us ask for the whole reply.
 */
function findingOf({ status: said, optid = "", amount, orderid }: z.infer<typeof status>): Report["finding"] {
  const paid = parseMoney(amount);
  if (said === "FAILED" || paid === null || paid === NO_MONEY) return { kind: "ask" };
  return { kind: "succeeded", operatorRef: referenceText(optid), providerRef: orderid.slice(0, 64) };
}

type Fields = Readonly<Record<string, unknown>>;

function signedBody(secret: string, message: ProviderMessage): Fields | null {
  if (secret === "" || !sameSecret(message.headers["x-callback-signature"] ?? "", hmacHex(secret, message.body))) return null;
  const parsed = parseStrictJson(Buffer.from(message.body));
  return parsed.ok ? parsed.value : {};
}

// The hash covers all parameters that arrived, not a fixed list.
function signedQuery(token: string, message: ProviderMessage): Fields | null {
  const { hash = "", ...signed } = message.query;
  const text = Object.entries(signed)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return sameSecret(hash, hmacHex(token, text)) ? signed : null;
}

/** Remembers nonces as long as their message could still be recent. */
function nonceMemory(): (nonce: string, now: number) => boolean {
  const seen = new Map<string, number>();
  return (nonce, now) => {
    for (const [old, until] of seen) {
      if (until >= now) break;
      seen.delete(old);
    }
    if (seen.has(nonce)) return false;
    seen.set(nonce, now + 2 * FRESH_SECONDS);
    return true;
  };
}
