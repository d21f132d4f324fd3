import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { missingOf, refuseMissing } from "../../../orders/find-known.ts";
import type { Order } from "../../../orders/order.ts";
import { findByReference } from "../../../orders/store.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { exactlyOne, exactlyOneError, recordField, requestIdField, signedReply } from "../../signed/fields.ts";
import { findOrderById } from "../../signed/find-order.ts";
import { answerFound } from "../../signed/transaction.ts";
import { findBlock } from "../blocks/blocks-store.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { ticketBlock as ticketReply } from "../fields.ts";
import { ticketBlock } from "./ticket.ts";

const NAMES = ["request_id", "block_ref"] as const;

const input = z
  .object({ request_id: requestIdField.optional(), block_ref: recordField.optional() })
  .refine(exactlyOne(NAMES), exactlyOneError(NAMES));

export function getBooking(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/book",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a booking, by request_id or block_ref",
    input,
    reply: signedReply(ticketReply),
    refusals: ["block_not_found"],
    handle: async ({ account, input: asked }) => {
      const order = await find(ctx, account.accountId, asked);
      return "kind" in order ? order : await answerFound(ctx, order, await ticketBlock(ctx, order));
    },
  });
}

async function find(ctx: BusContext, accountId: string, asked: z.infer<typeof input>): Promise<Order | Refusal> {
  if (asked.block_ref === undefined) {
    const order = await findByReference(ctx.sql, { accountId, service: SERVICE, reference: asked.request_id ?? "", operation: "" });
    return order ?? (await refuseMissing(ctx.sql, missingOf(accountId, SERVICE, asked), "There is no booking with this request_id."));
  }
  const block = await findBlock(ctx.sql, { accountId, blockRef: asked.block_ref });
  if (!block || block.total === null) return refused("block_not_found", "There is no such block.");
  const order = block.orderId === null ? null : await findOrderById(ctx, SERVICE, accountId, block.orderId);
  return order ?? refused("not_found", "This block was not booked.");
}
