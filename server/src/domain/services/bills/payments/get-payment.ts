import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { missingOf, refuseMissing } from "../../../orders/find-known.ts";
import type { Order } from "../../../orders/order.ts";
import { findByReference } from "../../../orders/store.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { exactlyOne, exactlyOneError, recordField, requestIdField } from "../../signed/fields.ts";
import { findOrderById } from "../../signed/find-order.ts";
import { answerFound } from "../../signed/transaction.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { findFetch } from "../fetches/store.ts";
import { fetchRefField } from "../fields.ts";
import { billBlock, paymentReply } from "./bill-block.ts";
import { findPayingOrderId } from "./payment-store.ts";

const NAMES = ["request_id", "fetch_ref", "order_id"] as const;
const input = z
  .object({ request_id: requestIdField.optional(), fetch_ref: fetchRefField.optional(), order_id: recordField.optional() })
  .refine(exactlyOne(NAMES), exactlyOneError(NAMES));
type Input = z.infer<typeof input>;

export function getPayment(ctx: BillsContext): Route {
  return route({
    method: "GET",
    path: "/bills/pay",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a payment, by request_id, fetch_ref or order_id",
    input,
    reply: paymentReply,
    refusals: ["fetch_not_found"],
    handle: async ({ account, input: asked }) => {
      const found = await find(ctx, account.accountId, asked);
      if (found && "kind" in found) return found;
      if (!found)
        return await refuseMissing(ctx.sql, missingOf(account.accountId, SERVICE, asked), "There is no bill payment with this reference.");
      return await answerFound(ctx, found, await billBlock(ctx, found));
    },
  });
}

async function find(ctx: BillsContext, accountId: string, asked: Input): Promise<Order | Refusal | null> {
  if (asked.request_id !== undefined)
    return await findByReference(ctx.sql, { accountId, service: SERVICE, reference: asked.request_id, operation: "" });
  if (asked.order_id !== undefined) return await findOrderById(ctx, SERVICE, accountId, asked.order_id);
  const { fetch_ref: fetchRef = "" } = asked;
  const orderId = await findPayingOrderId(ctx.sql, accountId, fetchRef);
  if (orderId !== null) return await findOrderById(ctx, SERVICE, accountId, orderId);
  const isKnown = (await findFetch(ctx.sql, accountId, fetchRef)) !== null;
  return isKnown ? null : refused("fetch_not_found", "There is no fetch with this reference.");
}
