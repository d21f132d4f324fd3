import { z } from "zod";
import { formatMoney } from "../../../../platform/core/money.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { refused } from "../../../shared/refusals.ts";
import { replyAmount } from "../../fields.ts";
import { recordField } from "../../signed/fields.ts";
import { refuseBarred } from "../../signed/service-refusals.ts";
import { askCancelQuote } from "../ask-provider.ts";
import { findTicket } from "../bookings/find-ticket.ts";
import { readSeats } from "../bookings/tickets-store.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { DONE, donePart, seatsInQuery } from "../fields.ts";
import { insertQuote } from "./cancel-store.ts";
import { chargeForSeats } from "./charges.ts";
import { refuseCancel } from "./refuse-cancel.ts";

const QUOTE_MILLISECONDS = 10 * 60 * 1000;

export function getCancelQuote(ctx: BusContext): Route {
  return route({
    method: "GET",
    path: "/bus/cancel",
    service: SERVICE,
    kind: "plain",
    summary: "Quotes the refund for cancelling seats of a ticket now",
    input: z.object({ ticket_no: recordField, seats: seatsInQuery }),
    reply: z.object({
      ...donePart,
      ticket_no: z.string(),
      seats: z.array(z.string()),
      quote_ref: z.string(),
      refund_amount: replyAmount,
      charges: replyAmount,
      valid_until: z.int(),
    }),
    refusals: ["ticket_not_found", "not_cancellable", "partial_cancel_not_allowed"],
    handle: async ({ account, input: { ticket_no: ticketNo, seats: wanted } }) => {
      const now = ctx.clock.now();
      const key = { accountId: account.accountId, ticketNo };
      const ticket = await findTicket(ctx.sql, key);
      if (!ticket) return refused("ticket_not_found", "There is no such ticket.");
      const unserved = refuseBarred(ctx, ticket.block.accountId, ticket.block.provider, "Bus booking");
      if (unserved) return unserved;
      const seats = await readSeats(ctx.sql, ticket.block);
      const against = refuseCancel(ticket, seats, wanted, now);
      if (against) return against;
      const quoted = await askCancelQuote(ctx, ticket, wanted);
      if (quoted?.kind === "refused") return quoted;
      const charged = quoted ?? chargeForSeats(ticket.block, seats, wanted, now);
      const quoteRef = `QUO${ctx.ids.entry(now)}`;
      const validUntil = Math.floor((now + QUOTE_MILLISECONDS) / 1000);
      await insertQuote(
        ctx.sql,
        key,
        quoteRef,
        { refund: charged.refund, charges: charged.charges, byProvider: quoted !== null, seats: wanted, validUntil: validUntil * 1000 },
        now,
      );
      return {
        kind: "record",
        fields: {
          ...DONE,
          ticket_no: ticketNo,
          seats: wanted,
          quote_ref: quoteRef,
          refund_amount: formatMoney(charged.refund),
          charges: formatMoney(charged.charges),
          valid_until: validUntil,
        },
      };
    },
  });
}
