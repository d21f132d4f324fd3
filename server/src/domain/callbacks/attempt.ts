import type { KeyObject } from "node:crypto";
import type { Ids } from "../../platform/core/ids.ts";
import { type Money, NO_MONEY } from "../../platform/core/money.ts";
import type { CallbackVersion, Facts } from "./facts.ts";
import { formatCallback, type Message } from "./formats.ts";
import type { Keys, SealedCredential } from "./keys.ts";
import type { Outcome, Sender } from "./send.ts";
import type { ClaimedRow } from "./store.ts";

export type MessageContext = { readonly keys: Keys; readonly ids: Ids };
export type AttemptContext = MessageContext & { readonly sender: Sender };

/** Where a callback goes, in which version, and what it is signed with. */
export type Destination = {
  readonly url: string;
  readonly version: CallbackVersion;
  readonly credential: SealedCredential | null;
};

/** Makes the message anew and sends it, once. Never throws: what cannot be made or sent is a failure like any other. */
export async function attempt(ctx: AttemptContext, facts: Facts, destination: Destination, ts: number): Promise<Outcome> {
  const message = await messageFor(ctx, facts, destination, ts);
  return typeof message === "string" ? { httpStatus: null, error: message } : await ctx.sender.send(message);
}

/** A new message, ready to be sent; or why there can be none. */
export async function messageFor(ctx: MessageContext, facts: Facts, destination: Destination, ts: number): Promise<Message | string> {
  const { version, url } = destination;
  const key = await keyOf(ctx, destination);
  if (key === null) return NO_KEY[version];
  const parsed = parsedUrl(url);
  if (parsed === null) return "The URL cannot be read.";
  return formatCallback(version, facts, { ts, nonce: ctx.ids.request() }, parsed, key);
}

const MAX_PARSED = 10_000;
const parsedUrls = new Map<string, URL | null>();

/** A URL was checked when it was saved; null for one that came into the table by another way. */
function parsedUrl(url: string): URL | null {
  let parsed = parsedUrls.get(url);
  if (parsed === undefined) {
    if (parsedUrls.size >= MAX_PARSED) parsedUrls.clear();
    parsed = URL.canParse(url) ? new URL(url) : null;
    parsedUrls.set(url, parsed);
  }
  return parsed;
}

const NO_KEY: Record<CallbackVersion, string> = {
  2: "The API token that signs it cannot be read.",
  3: "The callback secret that signs it cannot be read.",
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
    return { kind: "status", ...common, amount: row.amount as Money, target: row.target, operatorRef: row.operator_ref };
  return {
    kind: "complaint",
    ...common,
    complaintRef: row.complaint_ref ?? "",
    refundAmount: (row.refund_amount ?? NO_MONEY) as Money,
    reason: row.reason ?? "",
    resolvedAt: (row.resolved_at ?? row.created_at).getTime(),
    isTest: false,
  };
}
