import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Order } from "../../../orders/order.ts";
import { findById } from "../../../orders/store.ts";
import { type Block, findBlockOfTicket } from "../blocks/blocks-store.ts";
import { wasIssued } from "./tickets-store.ts";

export type TicketKey = { readonly accountId: string; readonly ticketNo: string };
export type Ticket = { readonly order: Order; readonly block: Block };

/** Finds a ticket by its number, which clients learn only after the booking has succeeded. */
export async function findTicket(sql: Queryable, key: TicketKey): Promise<Ticket | null> {
  const block = await findBlockOfTicket(sql, key);
  const order = block?.orderId == null ? null : await findById(sql, block.orderId, key.accountId);
  if (!block || !order || !(await wasIssued(sql, order))) return null;
  return { order, block };
}
