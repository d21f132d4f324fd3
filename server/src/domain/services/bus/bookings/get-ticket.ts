import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import type { Order } from "../../../orders/order.ts";
import { refused } from "../../../shared/refusals.ts";
import { exactlyOne, exactlyOneError, recordField, signedReply } from "../../signed/fields.ts";
import { findOrderById } from "../../signed/find-order.ts";
import { answerFound } from "../../signed/transaction.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { ticketBlock as ticketReply } from "../fields.ts";
import { findTicket } from "./find-ticket.ts";
import { ticketBlock } from "./ticket.ts";

const NAMES = ["ticket_no", "order_id"] as const;

const input = z
  .object({ ticket_no: recordField.optional(), order_id: recordField.optional() })
  .refine(exactlyOne(NAMES), exactlyOneError(NAMES));

export function getTicket(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/ticket",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a ticket, by ticket_no or order_id",
    input,
    reply: signedReply(ticketReply),
    refusals: ["ticket_not_found"],
    handle: async ({ account, input: asked }) => {
      const order = await find(ctx, account.accountId, asked);
      if (!order) return refused("ticket_not_found", "There is no such ticket.");
      return await answerFound(ctx, order, await ticketBlock(ctx, order));
    },
  });
}

async function find(ctx: BusContext, accountId: string, asked: z.infer<typeof input>): Promise<Order | null> {
  if (asked.ticket_no === undefined) return await findOrderById(ctx, SERVICE, accountId, asked.order_id ?? "");
  const ticket = await findTicket(ctx.sql, { accountId, ticketNo: asked.ticket_no });
  return ticket?.order ?? null;
}
