import { z } from "zod";
import type { Order } from "../../../server/src/domain/orders/order.ts";
import type { SignedContext } from "../../../server/src/domain/services/signed/context.ts";
import { signedReply } from "../../../server/src/domain/services/signed/fields.ts";
import type { JsonObject } from "../../../server/src/platform/core/strict-json.ts";
import { readGiftCard } from "./store.ts";

export const SERVICE = "giftcards";

export const giftCardReply = signedReply({
  gift_card: z.object({ brand: z.string(), message: z.string(), voucher: z.string().nullable() }),
});

/** The service's own part of every reply about an order. */
export async function giftCardBlock(ctx: SignedContext, order: Order): Promise<JsonObject> {
  const { brand, message } = await readGiftCard(ctx.sql, order);
  return { gift_card: { brand, message, voucher: order.operatorRef } };
}
