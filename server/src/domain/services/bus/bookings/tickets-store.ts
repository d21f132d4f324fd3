import type { Money } from "../../../../platform/core/money.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { BlockKey } from "../blocks/blocks-store.ts";

export type TicketSeat = {
  readonly seat: string;
  readonly fare: Money;
  /** Whether a cancellation of the seat was requested or is complete. */
  readonly cancelling: "asked" | "done" | null;
};

/** The seats of a block, sorted by name. */
export async function readSeats(sql: Queryable, key: BlockKey): Promise<readonly TicketSeat[]> {
  return await sql<TicketSeat[]>`
    select s.seat, s.fare, c.state as cancelling from bus_block_seats s
    left join bus_cancellations c on c.account_id = s.account_id and c.cancel_id = s.cancel_id
    where s.account_id = ${key.accountId} and s.block_ref = ${key.blockRef} order by s.seat collate "C"`;
}

/** Whether the booking has ever succeeded. Only then was a ticket issued. */
export async function wasIssued(sql: Queryable, key: { readonly accountId: string; readonly orderId: string }): Promise<boolean> {
  const [row] = await sql<{ issued: boolean }[]>`
    select exists (select from transfers where account_id = ${key.accountId} and order_id = ${key.orderId} and kind = 'capture') as issued`;
  return row?.issued ?? false;
}
