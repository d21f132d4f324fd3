import { type Route, withExamples } from "../../../server/src/domain/client-api/route.ts";
import type { SignedContext } from "../../../server/src/domain/services/signed/context.ts";
import { buyGiftCard } from "./buy-gift-card.ts";
import { getGiftCard } from "./get-gift-card.ts";

// What the reference shows where the common examples say nothing.
const EXAMPLE = { brand: "CINEMA", message: "Enjoy", voucher: "SIM123456789012" };

export function giftCardRoutes(ctx: SignedContext): readonly Route[] {
  return withExamples([buyGiftCard(ctx), getGiftCard(ctx)], { "/giftcards": EXAMPLE });
}
