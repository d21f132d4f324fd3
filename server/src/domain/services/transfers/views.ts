import { indiaMonth } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Answer } from "../../client-api/route.ts";
import type { Order } from "../../orders/order.ts";
import type { Beneficiary } from "./beneficiary-store.ts";
import type { TransfersContext } from "./context.ts";
import { limitLeft } from "./month.ts";
import { nameMatchScore } from "./name-match.ts";
import { readPennyDrop } from "./penny-drop-store.ts";
import { readTransfer, readUsed } from "./quote-store.ts";
import { nameOf, type Sender } from "./sender-store.ts";
import { readSettings } from "./settings-store.ts";

/** The reply of a request that creates no order. */
export function done(fields: JsonObject, requestId?: string): Answer {
  const reference: JsonObject = requestId === undefined ? {} : { request_id: requestId, urid: requestId };
  return { kind: "record", fields: { ok: true, status: "SUCCESS", code: 0, ...reference, ...fields } };
}

export async function senderFields(ctx: TransfersContext, accountId: string, sender: Sender): Promise<JsonObject> {
  const [{ monthLimit }, used] = await Promise.all([
    readSettings(ctx.sql),
    readUsed(ctx.sql, accountId, sender.mobile, indiaMonth(ctx.clock.now())),
  ]);
  return {
    mobile: sender.mobile,
    name: nameOf(sender),
    status: sender.status,
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
    status: one.status,
  };
}

/** The transfer's own part of its reply. */
export async function transferBlock(ctx: TransfersContext, order: Order): Promise<JsonObject> {
  const told = await readTransfer(ctx.sql, order);
  if (!told) throw new Error(`The transfer ${order.orderId} has no quote.`);
  return {
    transfer: {
      mode: told.mode,
      beneficiary_id: told.beneficiaryId,
      beneficiary_name: told.beneficiaryName,
      account_masked: told.accountMasked,
      ifsc: told.ifsc,
      utr: order.operatorRef ?? "",
      sender: told.sender,
      refund_status: told.refunded ? "refunded" : "none",
    },
  };
}

const ACCOUNT_STATUSES = { SUCCESS: "ACTIVE", FAILED: "INVALID", pending: "UNKNOWN" } as const;

/** The penny drop's own part of its reply. */
export async function pennyDropBlock(ctx: TransfersContext, order: Order): Promise<JsonObject> {
  const told = await readPennyDrop(ctx.sql, order);
  const verifiedName = order.state === "SUCCESS" ? (told?.verifiedName ?? "") : "";
  return {
    verified_name: verifiedName,
    account_status: ACCOUNT_STATUSES[order.state],
    name_match_score: String(nameMatchScore(told?.givenName ?? "", verifiedName)),
    utr: order.operatorRef ?? "",
  };
}
