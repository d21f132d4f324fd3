import type { KeyObject } from "node:crypto";
import type { Ids } from "../../../platform/core/ids.ts";
import { moneyOf, NO_MONEY } from "../../../platform/core/money.ts";
import { originOf } from "../../../platform/observability/traces/origins.ts";
import { traceparentOf } from "../../../platform/observability/traces/trace-context.ts";
import { isTracing, traced } from "../../../platform/observability/traces/tracer.ts";
import type { CallbackVersion, Facts } from "../facts.ts";
import { formatCallback, type Message } from "./formats.ts";
import type { Keys, SealedCredential } from "./keys.ts";
import type { Outcome, Sender } from "./send.ts";
import type { ClaimedRow } from "./store.ts";

export type MessageContext = { readonly keys: Keys; readonly ids: Ids };
export type AttemptContext = MessageContext & { readonly sender: Sender };

/** A callback's URL, version and signing credential. */
export type Destination = {
  readonly url: string;
  readonly version: CallbackVersion;
  readonly credential: SealedCredential | null;
};

/** Creates and sends a new message once. Never throws: a message that cannot be created is a failed attempt. */
export async function attempt(ctx: AttemptContext, facts: Facts, destination: Destination, ts: number): Promise<Outcome> {
  const message = await messageFor(ctx, facts, destination, ts);
  if (typeof message === "string") return { httpStatus: null, error: message };
  return isTracing() ? await sendTraced(ctx, facts, message) : await ctx.sender.send(message);
}

/** A trace of its own: the request that made the order may have ended hours ago. It is linked where it is still known. */
async function sendTraced({ sender }: AttemptContext, facts: Facts, message: Message): Promise<Outcome> {
  const origin = originOf(facts.orderId);
  const attributes = {
    "http.request.method": message.method,
    "server.address": new URL(message.origin).hostname,
    "corprail.order_id": facts.orderId,
  };
  const links = origin === undefined ? [] : [origin];
  return await traced({ name: `callback ${facts.kind}`, kind: "producer", parent: null, links, attributes }, async (span) => {
    if (span === null) return await sender.send(message);
    const outcome = await sender.send({ ...message, headers: { ...message.headers, traceparent: traceparentOf(span.context) } });
    span.isError = outcome.error !== null;
    if (outcome.httpStatus !== null) span.set({ "http.response.status_code": outcome.httpStatus });
    return outcome;
  });
}

/** Returns a new message, ready to be sent, or the reason why it cannot be created. */
export async function messageFor(ctx: MessageContext, facts: Facts, destination: Destination, ts: number): Promise<Message | string> {
  const { version, url } = destination;
  const key = await keyOf(ctx, destination);
  if (key === null) return NO_KEY[version];
  const parsed = parseCachedUrl(url);
  if (parsed === null) return "The callback URL is not a valid URL.";
  return formatCallback(version, facts, { ts, nonce: ctx.ids.request() }, parsed, key);
}

const MAX_PARSED = 10_000;
const parsedUrls = new Map<string, URL | null>();

/** URLs are checked when they are saved; null for one that was written to the table in another way. */
function parseCachedUrl(url: string): URL | null {
  let parsed = parsedUrls.get(url);
  if (parsed === undefined) {
    if (parsedUrls.size >= MAX_PARSED) parsedUrls.clear();
    parsed = URL.canParse(url) ? new URL(url) : null;
    parsedUrls.set(url, parsed);
  }
  return parsed;
}

const NO_KEY: Record<CallbackVersion, string> = {
  2: "The API token for signing could not be decrypted.",
  3: "The callback secret for signing could not be decrypted.",
};

async function keyOf(ctx: MessageContext, { credential }: Destination): Promise<KeyObject | null> {
  return credential && (await ctx.keys.open(credential).catch(() => null));
}

type DestinationRow = Pick<ClaimedRow, "account_id" | "url" | "version" | "credential_id" | "key_id" | "sealed">;

export function destinationOf(row: DestinationRow): Destination {
  const { account_id: accountId, credential_id: credentialId, key_id: keyId, sealed, url, version } = row;
  const kind = version === 3 ? "callback_secret" : "api_token";
  const credential = credentialId !== null && keyId !== null && sealed !== null ? { accountId, credentialId, kind, keyId, sealed } : null;
  return { url, version, credential: credential as SealedCredential | null };
}

type FactsRow = Pick<
  ClaimedRow,
  | "kind"
  | "order_id"
  | "urid"
  | "status"
  | "amount"
  | "target"
  | "operator_ref"
  | "complaint_ref"
  | "refund_amount"
  | "reason"
  | "resolved_at"
  | "created_at"
>;

export function factsOf(row: FactsRow): Facts {
  const common = { orderId: row.order_id, urid: row.urid, status: row.status };
  if (row.kind === "status")
    return { kind: "status", ...common, amount: moneyOf(row.amount), target: row.target, operatorRef: row.operator_ref };
  return {
    kind: "complaint",
    ...common,
    complaintRef: row.complaint_ref ?? "",
    refundAmount: moneyOf(row.refund_amount ?? NO_MONEY),
    reason: row.reason ?? "",
    resolvedAt: (row.resolved_at ?? row.created_at).getTime(),
    isTest: false,
  };
}
