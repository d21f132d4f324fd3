import type { Route } from "../../../server/src/gate/route.ts";
import type { SignedContext } from "../../../server/src/services/signed/context.ts";
import { buyGiftCard } from "./buy-gift-card.ts";
import { getGiftCard } from "./get-gift-card.ts";

export function giftCardRoutes(ctx: SignedContext): readonly Route[] {
  return [buyGiftCard(ctx), getGiftCard(ctx)];
}
