import type { Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { OrdersContext } from "../context.ts";
import { lockOrders } from "../store.ts";
import { isRecentlySent } from "./quiet-time.ts";

export const IN_PROGRESS = "The provider is working on the order at this moment.";
export const RECENTLY_SENT = "The order was sent so recently that its provider may still be answering.";

type OrderKey = { readonly accountId: string; readonly orderId: string };

/**
 * Why a pending order may be with its provider at this moment; null when it is not. The locks keep a poll from sending
 * the order again meanwhile. The caller has locked the wallet, which all writers lock first, then the order, then its poll.
 */
export async function sendingConflict(
  orders: OrdersContext,
  tx: Transaction,
  { accountId, orderId }: OrderKey,
): Promise<{ readonly kind: "conflict"; readonly reason: string } | null> {
  const [order] = await lockOrders(tx, [{ accountId, orderId }]);
  const [poll] = await tx<Pick<Row<"pending_polls">, "since" | "resent_at">[]>`
    select since, resent_at from pending_polls where account_id = ${accountId} and order_id = ${orderId} for update`;
  if (order?.state !== "pending") return null;
  if (!poll) return { kind: "conflict", reason: IN_PROGRESS };
  const sendings = { since: poll.since.getTime(), resentAt: poll.resent_at?.getTime() ?? null };
  return isRecentlySent(orders, order, sendings) ? { kind: "conflict", reason: RECENTLY_SENT } : null;
}
