import { z } from "zod";
import { formatMoney, type Money, NO_MONEY, requireMoney } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import { type Route, route } from "../../../client-api/route.ts";
import type { Order } from "../../../orders/order.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { amountField } from "../../fields.ts";
import { recordField, requestIdField, signedReply } from "../../signed/fields.ts";
import { knowsReference } from "../../signed/find-order.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { answerTransaction, type Prepared } from "../../signed/transaction.ts";
import { type Block, type BlockKey, findBlock, lockBlock, markBooked } from "../blocks/blocks-store.ts";
import { lockSeats, type SeatsOfTrip } from "../blocks/seats-store.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { ticketBlock as ticketReply } from "../fields.ts";
import { providerTripId } from "../trips/trip-store.ts";
import { ticketBlock } from "./ticket.ts";
import { readSeats } from "./tickets-store.ts";

const input = z.object({ request_id: requestIdField, block_ref: recordField, amount: amountField });

export function createBooking(ctx: BusContext): Route {
  return route({
    method: "POST",
    path: "/bus/book",
    service: SERVICE,
    kind: "transaction",
    summary: "Books the seats of a block for its total; a retry with the same request_id returns the first result",
    input,
    reply: signedReply(ticketReply),
    refusals: ["fare_changed", "block_not_found", "block_expired", "block_already_booked"],
    knows: async (accountId, reference, body) =>
      (await knowsReference(ctx, SERVICE)(accountId, reference)) || (await used(ctx, accountId, body["block_ref"])) !== null,
    handle: ({ account, input: asked }) => {
      const key = { accountId: account.accountId, blockRef: asked.block_ref };
      return answerTransaction(ctx, {
        service: SERVICE,
        account,
        requestId: asked.request_id,
        fingerprint: fingerprintOf(asked),
        sent: { amount: asked.amount },
        used: () => used(ctx, account.accountId, asked.block_ref),
        prepare: () => prepare(ctx, key, asked.amount),
        block: (order) => ticketBlock(ctx, order),
      });
    },
  });
}

async function used(ctx: BusContext, accountId: string, blockRef: unknown): Promise<Refusal | null> {
  const block = typeof blockRef === "string" ? await findBlock(ctx.sql, { accountId, blockRef }) : null;
  return block ? refuseBooked(block) : null;
}

async function prepare(ctx: BusContext, key: BlockKey, amountText: string): Promise<Prepared | Refusal> {
  const block = await findBlock(ctx.sql, key);
  const refusal = refuseBooking(block, ctx.clock.now());
  if (refusal || !block) return refusal ?? noBlock();
  const amount = requireMoney(amountText);
  if (amount !== block.total) return fareChanged(block.total ?? NO_MONEY);
  const seats = (await readSeats(ctx.sql, key)).map((one) => one.seat);
  return {
    kind: "prepared",
    amount,
    amountText,
    fee: NO_MONEY,
    target: block.mobile,
    operator: block.operator,
    provider: block.provider,
    details: { block_ref: block.blockRef, block_provider_ref: block.providerRef, trip_id: await providerTripId(ctx.sql, block), seats },
    guard: (tx, order) => bookIn(ctx, tx, { block, seats }, order),
  };
}

/** Makes the order the block's only booking. Requests for the seats of an expired block wait for this lock. */
async function bookIn(
  ctx: BusContext,
  tx: Transaction,
  held: { readonly block: Block; readonly seats: readonly string[] },
  order: Order,
): Promise<Refusal | null> {
  const { provider, tripId } = held.block;
  const wanted = { provider, tripId, seats: held.seats };
  const register = ctx.seats;
  const isKept = register ? await register.keep(wanted, held.block, ctx.clock.now()) : await isHolder(tx, wanted, held.block);
  const refusal = refuseBooking(await lockBlock(tx, held.block), ctx.clock.now());
  if (refusal) return refusal;
  if (!isKept) return expired();
  await markBooked(tx, held.block, order.orderId, `TKT${ctx.ids.request().slice(0, 12)}`);
  return null;
}

async function isHolder(tx: Transaction, wanted: SeatsOfTrip, { accountId, blockRef }: BlockKey): Promise<boolean> {
  const holders = await lockSeats(tx, wanted);
  return holders.every((one) => one.accountId === accountId && one.blockRef === blockRef);
}

function refuseBooking(block: Block | null, now: number): Refusal | null {
  if (!block || block.total === null) return noBlock();
  const booked = refuseBooked(block);
  return booked ?? (now >= block.expiresAt || now >= block.departureAt ? expired() : null);
}

function refuseBooked(block: Block): Refusal | null {
  if (block.orderId === null) return null;
  return refused("block_already_booked", "This block was already booked with another request_id.");
}

function noBlock(): Refusal {
  return refused("block_not_found", "There is no such block.");
}

function expired(): Refusal {
  return refused("block_expired", "The block has expired. Its seats are available again.");
}

function fareChanged(total: Money): Refusal {
  return refused("fare_changed", `The seats cost ${formatMoney(total)}. The block is still valid. Book it with that amount.`);
}
