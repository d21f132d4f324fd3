import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { missingOf, refuseMissing } from "../../../orders/find-known.ts";
import type { Order } from "../../../orders/order.ts";
import { findByReferenceInServices } from "../../../orders/store.ts";
import { exactlyOne, exactlyOneError, recordField, requestIdField, signedReply } from "../../signed/fields.ts";
import { findOrderById } from "../../signed/find-order.ts";
import { answerFound } from "../../signed/transaction.ts";
import { type AepsContext, SERVICE } from "../context.ts";
import { aepsBlock, aepsReply } from "./aeps-block.ts";

const REFERENCES = ["request_id", "order_id"] as const;
const input = z
  .object({ request_id: requestIdField.optional(), order_id: recordField.optional() })
  .refine(exactlyOne(REFERENCES), exactlyOneError(REFERENCES));

export function getTransaction(ctx: AepsContext): Route {
  return route({
    method: "GET",
    path: "/aeps/transactions",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a transaction, by order_id or by request_id (the newest where several calls have it)",
    input,
    reply: signedReply({ aeps: aepsReply }),
    handle: async ({ account: { accountId }, input: asked }) => {
      const order = await find(ctx, accountId, asked);
      if (!order)
        return await refuseMissing(ctx.sql, missingOf(accountId, SERVICE, asked), "There is no AEPS transaction with this reference.");
      return await answerFound(ctx, order, await aepsBlock(ctx, order));
    },
  });
}

async function find(ctx: AepsContext, accountId: string, asked: z.infer<typeof input>): Promise<Order | null> {
  if (asked.order_id !== undefined) return await findOrderById(ctx, SERVICE, accountId, asked.order_id);
  const [newest] = await findByReferenceInServices(ctx.sql, accountId, [SERVICE], asked.request_id ?? "");
  return newest ?? null;
}
