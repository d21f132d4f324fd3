import { z } from "zod";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { missingOf, refuseMissing } from "../../../orders/find-known.ts";
import type { Order } from "../../../orders/order.ts";
import { findByReference } from "../../../orders/store.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { exactlyOne, exactlyOneError, recordField, requestIdField } from "../../signed/fields.ts";
import { findOrderById } from "../../signed/find-order.ts";
import { answerFound } from "../../signed/transaction.ts";
import { PENNY_DROP } from "../beneficiaries/verify-beneficiary.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { pennyDropReply, transferReply } from "../fields.ts";
import { transferRefNotFound } from "../refusals.ts";
import { pennyDropBlock, transferBlock } from "../views.ts";
import { findQuote } from "./quote-store.ts";

const NAMES = ["request_id", "transfer_ref", "order_id"] as const;

const input = z
  .object({ request_id: requestIdField.optional(), transfer_ref: recordField.optional(), order_id: recordField.optional() })
  .refine(exactlyOne(NAMES), exactlyOneError(NAMES));
type Input = z.infer<typeof input>;

export function getTransfer(ctx: TransfersContext): Route {
  return route({
    method: "GET",
    path: "/transfers",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a transfer or a penny drop, by one of its references",
    input,
    reply: z.union([transferReply, pennyDropReply]),
    refusals: ["transfer_ref_not_found"],
    handle: async ({ account, input: asked }): Promise<Answer> => {
      const found = await find(ctx, account.accountId, asked);
      if ("kind" in found) return found;
      const block = found.operation === PENNY_DROP ? await pennyDropBlock(ctx, found) : await transferBlock(ctx, found);
      return await answerFound(ctx, found, block);
    },
  });
}

async function find(ctx: TransfersContext, accountId: string, asked: Input): Promise<Order | Refusal> {
  if (asked.request_id !== undefined) {
    const reference = { accountId, service: SERVICE, reference: asked.request_id };
    const transfer = await findByReference(ctx.sql, { ...reference, operation: "" });
    return transfer ?? (await findByReference(ctx.sql, { ...reference, operation: PENNY_DROP })) ?? (await notFound(ctx, accountId, asked));
  }
  if (asked.order_id !== undefined)
    return (await findOrderById(ctx, SERVICE, accountId, asked.order_id)) ?? (await notFound(ctx, accountId, asked));
  const quote = await findQuote(ctx.sql, accountId, asked.transfer_ref ?? "");
  if (!quote) return transferRefNotFound();
  const order = quote.orderId === null ? null : await findOrderById(ctx, SERVICE, accountId, quote.orderId);
  return order ?? refused("not_found", "This transfer_ref has no transfer.");
}

async function notFound(ctx: TransfersContext, accountId: string, asked: Input): Promise<Refusal> {
  return await refuseMissing(ctx.sql, missingOf(accountId, SERVICE, asked), "There is no transfer with this reference.");
}
