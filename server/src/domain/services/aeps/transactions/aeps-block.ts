import { TRANSACTIONS } from "@corprail/connector";
import { z } from "zod";
import { formatMoney, requireMoney } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Order } from "../../../orders/order.ts";
import { replyAmount } from "../../fields.ts";
import { readResult } from "../../signed/find-order.ts";
import { maskedAadhaar } from "../authentication/aadhaar.ts";
import type { AepsContext } from "../context.ts";
import { findTransaction } from "./transaction-store.ts";

const entry = z.object({ date: z.string(), type: z.enum(["DR", "CR"]), amount: replyAmount, narration: z.string() });

export const aepsReply = z.object({
  type: z.enum(["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"]),
  rrn: z.string().nullable().describe("12 digits, once there is one"),
  bank_name: z.string(),
  aadhaar_masked: z.string(),
  customer_balance: replyAmount.nullable().describe("The balance of the customer's bank account, if the bank reported it"),
  entries: z.array(entry).describe("Of a mini statement"),
  outlet_id: z.string(),
});

/** Contract, section 6: the service's own part of a transaction's reply. */
export async function aepsBlock(ctx: AepsContext, order: Order): Promise<JsonObject> {
  const [transaction, reported] = await Promise.all([findTransaction(ctx.sql, order), readResult(ctx, order)]);
  const { data: result } = TRANSACTIONS["aeps.mini_statement"].result.safeParse(reported);
  const { customer_balance: balance, entries = [] } = result ?? {};
  return {
    aeps: {
      type: order.operation,
      rrn: order.operatorRef,
      bank_name: transaction?.bankName ?? "",
      aadhaar_masked: transaction ? maskedAadhaar(transaction.customerLast4) : "",
      customer_balance: balance === undefined ? null : writtenAmount(balance),
      entries: entries.map((one) => ({ ...one, amount: writtenAmount(one.amount) })),
      outlet_id: transaction?.outletId ?? "",
    },
  };
}

/** Providers write amounts with as many places as they like. */
function writtenAmount(text: string): string {
  return formatMoney(requireMoney(text));
}
