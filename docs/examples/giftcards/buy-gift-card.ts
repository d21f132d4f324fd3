import { z } from "zod";
import { type Route, route } from "../../../server/src/domain/client-api/route.ts";
import { amountField } from "../../../server/src/domain/services/fields.ts";
import type { SignedContext } from "../../../server/src/domain/services/signed/context.ts";
import { mobileField, requestIdField } from "../../../server/src/domain/services/signed/fields.ts";
import { knowsReference } from "../../../server/src/domain/services/signed/find-order.ts";
import { fingerprintOf } from "../../../server/src/domain/services/signed/fingerprint.ts";
import { answerTransaction, type Prepared } from "../../../server/src/domain/services/signed/transaction.ts";
import { type Refusal, refused } from "../../../server/src/domain/shared/refusals.ts";
import { type Money, NO_MONEY, parseMoney } from "../../../server/src/platform/core/money.ts";
import { giftCardBlock, giftCardReply, SERVICE } from "./gift-card.ts";
import { insertGiftCard } from "./store.ts";

const BRANDS = ["BOOKSHOP", "CINEMA"] as const;
const MOST = parseMoney("5000") as Money;

const input = z.object({
  request_id: requestIdField,
  brand: z.enum(BRANDS, `must be one of ${BRANDS.join(", ")}`),
  mobile: mobileField,
  message: z.string().max(200, "is too long").default(""),
  amount: amountField,
});
type Input = z.infer<typeof input>;

export function buyGiftCard(ctx: SignedContext): Route {
  return route({
    method: "POST",
    path: "/giftcards",
    service: SERVICE,
    kind: "transaction",
    summary: "Buys a gift card and sends it to a mobile",
    input,
    reply: giftCardReply,
    knows: (accountId, reference) => knowsReference(ctx, SERVICE)(accountId, reference),
    handle: ({ account, input: asked }) =>
      answerTransaction(ctx, {
        service: SERVICE,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOf(asked),
        sent: { amount: asked.amount, account: asked.mobile },
        prepare: async () => prepare(asked),
        block: (order) => giftCardBlock(ctx, order),
      }),
  });
}

function prepare(asked: Input): Prepared | Refusal {
  const amount = parseMoney(asked.amount) ?? NO_MONEY;
  if (amount > MOST) return refused("amount_out_of_range", "A gift card is worth at most 5000.");
  return {
    kind: "prepared",
    amount,
    amountText: asked.amount,
    fee: NO_MONEY,
    target: asked.mobile,
    operator: asked.brand,
    guard: async (tx, order) => {
      await insertGiftCard(tx, order, { brand: asked.brand, message: asked.message });
      return null;
    },
  };
}
