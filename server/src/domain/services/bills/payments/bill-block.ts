import { z } from "zod";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Order } from "../../../orders/order.ts";
import { signedReply } from "../../signed/fields.ts";
import type { BillsContext } from "../context.ts";
import { readPayment } from "./payment-store.ts";

export const paymentReply = signedReply({
  bill: z.object({
    biller_id: z.string(),
    biller_name: z.string(),
    category: z.string(),
    bill_number: z.string().describe("Empty where nothing was fetched"),
    bbps_ref: z.string().describe("Empty until the payment succeeds"),
    customer_name: z.string(),
    due_date: z.string(),
    payment_mode: z.string(),
  }),
});

/** The service's own part of a payment's reply. */
export async function billBlock(ctx: BillsContext, order: Order): Promise<JsonObject> {
  const payment = await readPayment(ctx.sql, order);
  return {
    bill: {
      biller_id: payment.billerId,
      biller_name: payment.billerName,
      category: payment.category,
      bill_number: payment.billNumber,
      bbps_ref: order.operatorRef ?? "",
      customer_name: payment.customerName,
      due_date: payment.dueDate,
      payment_mode: payment.paymentMode,
    },
  };
}
