import { z } from "zod";
import { type Route, route } from "../../client-api/route.ts";
import { readWallet } from "../../ledger/store.ts";
import { refuseMissing } from "../../orders/find-known.ts";
import { findById, type OrderSummary } from "../../orders/store.ts";
import { orderReply, referenceField } from "../fields.ts";
import { orderAnswer } from "../order-answer.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

const input = z
  .object({
    urid: referenceField.optional(),
    order_id: z.string().min(1, "must not be empty").max(64, "must have at most 64 characters").optional(),
  })
  .refine((asked) => (asked.urid === undefined) !== (asked.order_id === undefined), {
    path: ["urid"],
    error: "give either urid or order_id",
  });

export function getRecharge(ctx: RechargeContext): Route {
  return route({
    method: "GET",
    path: "/recharge",
    service: SERVICE,
    kind: "lookup",
    readsAhead: true,
    summary: "Returns the current state of a recharge, by urid or order_id",
    input,
    reply: orderReply,
    handle: async ({ account, input: asked }) => {
      const found = await find(ctx, account.accountId, asked);
      if (found) return orderAnswer(found, SERVICE, found.available);
      const { urid: reference, order_id: orderId = "" } = asked;
      const missing = reference === undefined ? { orderId } : { accountId: account.accountId, service: SERVICE, reference };
      return await refuseMissing(ctx.sql, missing, "There is no recharge with this reference.");
    },
  });
}

async function find(ctx: RechargeContext, accountId: string, asked: z.infer<typeof input>): Promise<OrderSummary | null> {
  if (asked.urid !== undefined) return await ctx.lookUp({ accountId, service: SERVICE, reference: asked.urid });
  const order = await findById(ctx.sql, asked.order_id ?? "", accountId);
  if (order?.service !== SERVICE) return null;
  return { ...order, available: (await readWallet(ctx.sql, accountId)).available };
}
