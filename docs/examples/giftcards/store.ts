import type { OrderKey } from "../../../server/src/domain/orders/store.ts";
import type { Queryable } from "../../../server/src/platform/db/connection.ts";

export type GiftCard = { readonly brand: string; readonly message: string };

export async function insertGiftCard(sql: Queryable, key: OrderKey, card: GiftCard): Promise<void> {
  await sql`
    insert into gift_cards (account_id, order_id, brand, message)
    values (${key.accountId}, ${key.orderId}, ${card.brand}, ${card.message})`;
}

export async function readGiftCard(sql: Queryable, key: OrderKey): Promise<GiftCard> {
  const [card] = await sql<GiftCard[]>`
    select brand, message from gift_cards where account_id = ${key.accountId} and order_id = ${key.orderId}`;
  if (!card) throw new Error(`Order ${key.orderId} has no gift card.`);
  return card;
}
