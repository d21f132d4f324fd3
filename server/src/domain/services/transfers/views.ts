import { indiaMonth } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Answer } from "../../client-api/route.ts";
import type { Order } from "../../orders/order.ts";
import type { Beneficiary } from "./beneficiaries/beneficiary-store.ts";
import { readPennyDrop } from "./beneficiaries/penny-drop-store.ts";
import type { TransfersContext } from "./context.ts";
import { readSenderRegistrations } from "./senders/registration-store.ts";
import { nameOf, type Sender } from "./senders/sender-store.ts";
import { readSettings } from "./settings/settings-store.ts";
import { limitLeft } from "./transactions/month.ts";
import { readTransfer, readUsed } from "./transactions/quote-store.ts";

/** The reply of a request that creates no order. */
export function done(fields: JsonObject, requestId?: string): Answer {
  const reference: JsonObject = requestId === undefined ? {} : { request_id: requestId, urid: requestId };
  return { kind: "record", fields: { ok: true, status: "SUCCESS", code: 0, ...reference, ...fields } };
}

export async function senderFields(ctx: TransfersContext, accountId: string, sender: Sender): Promise<JsonObject> {
  const [{ monthLimit }, used, registrations] = await Promise.all([
    readSettings(ctx.sql),
    readUsed(ctx.sql, accountId, sender.mobile, indiaMonth(ctx.clock.now())),
    readSenderRegistrations(ctx.sql, { accountId, mobile: sender.mobile }),
  ]);
  // A verified sender whom another provider wants to verify again must act before that provider sends.
  const isWaiting = sender.status === "VERIFIED" && [...registrations.values()].includes("OTP_PENDING");
  return {
    mobile: sender.mobile,
    name: nameOf(sender),
    status: isWaiting ? "OTP_PENDING" : sender.status,
    limit_month: formatMoney(monthLimit),
    used_month: formatMoney(used),
    available_month: formatMoney(limitLeft(monthLimit, used)),
  };
}

export function beneficiaryFields(one: Beneficiary): JsonObject {
  return {
    beneficiary_id: one.beneficiaryId,
    name: one.name,
    bank_name: one.bankName,
    account_masked: one.accountMasked,
    ifsc: one.ifsc,
    verified: one.verifiedName !== null,
    verified_name: one.verifiedName ?? "",
    status: one.isWaiting && one.status === "ACTIVE" ? "OTP_PENDING" : one.status,
  };
}

/** The transfer's own part of its reply. */
export async function transferBlock(ctx: TransfersContext, order: Order): Promise<JsonObject> {
  const saved = await readTransfer(ctx.sql, order);
  if (!saved) throw new Error(`The transfer ${order.orderId} has no quote.`);
  return {
    transfer: {
      mode: saved.mode,
      beneficiary_id: saved.beneficiaryId,
      beneficiary_name: saved.beneficiaryName,
      account_masked: saved.accountMasked,
      ifsc: saved.ifsc,
      utr: order.operatorRef ?? "",
      sender: saved.sender,
      refund_status: saved.refunded ? "refunded" : "none",
    },
  };
}

const ACCOUNT_STATUSES = { SUCCESS: "ACTIVE", FAILED: "INVALID", pending: "UNKNOWN" } as const;

/** The penny drop's own part of its reply. */
export async function pennyDropBlock(ctx: TransfersContext, order: Order): Promise<JsonObject> {
  const saved = await readPennyDrop(ctx.sql, order);
  const verifiedName = order.state === "SUCCESS" ? (saved?.verifiedName ?? "") : "";
  return {
    verified_name: verifiedName,
    account_status: ACCOUNT_STATUSES[order.state],
    name_match_score: String(nameMatchScore(saved?.givenName ?? "", verifiedName)),
    utr: order.operatorRef ?? "",
  };
}

/** Similarity of two names from 0 to 100: the share of common letter pairs, ignoring word order. */
export function nameMatchScore(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  if (first.length === 0 || second.length === 0) return 0;
  const left = [...second];
  let common = 0;
  for (const pair of first) {
    const place = left.indexOf(pair);
    if (place < 0) continue;
    left.splice(place, 1);
    common++;
  }
  return Math.round((200 * common) / (first.length + second.length));
}

// A pair marks the beginning of each word, so that single letters count too.
function pairsOf(name: string): readonly string[] {
  const words =
    name
      .normalize("NFKC")
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => [...word].map((letter, place, letters) => `${letters[place - 1] ?? " "}${letter}`));
}
