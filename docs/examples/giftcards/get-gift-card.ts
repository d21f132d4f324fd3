import { z } from "zod";
import { type Route, route } from "../../../server/src/domain/client-api/route.ts";
import { findByReference } from "../../../server/src/domain/orders/store.ts";
import type { SignedContext } from "../../../server/src/domain/services/signed/context.ts";
import { exactlyOne, exactlyOneError, recordField, requestIdField } from "../../../server/src/domain/services/signed/fields.ts";
import { findOrderById } from "../../../server/src/domain/services/signed/find-order.ts";
import { answerFound } from "../../../server/src/domain/services/signed/transaction.ts";
import { refused } from "../../../server/src/domain/shared/refusals.ts";
import { giftCardBlock, giftCardReply, SERVICE } from "./gift-card.ts";

const REFERENCES = ["request_id", "order_id"] as const;
const input = z
  .object({ request_id: requestIdField.optional(), order_id: recordField.optional() })
  .refine(exactlyOne(REFERENCES), exactlyOneError(REFERENCES));

export function getGiftCard(ctx: SignedContext): Route {
  return route({
    method: "GET",
    path: "/giftcards",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a gift card, by request_id",
    input,
    reply: giftCardReply,
    handle: async ({ account: { accountId }, input: asked }) => {
      const order =
        asked.request_id === undefined
          ? await findOrderById(ctx, SERVICE, accountId, asked.order_id ?? "")
          : await findByReference(ctx.sql, { accountId, service: SERVICE, reference: asked.request_id, operation: "" });
      if (!order) return refused("not_found", "There is no gift card with this reference.");
      return await answerFound(ctx, order, await giftCardBlock(ctx, order));
    },
  });
}
