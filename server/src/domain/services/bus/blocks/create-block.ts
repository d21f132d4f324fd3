import { z } from "zod";
import { formatMoney } from "../../../../platform/core/money.ts";
import type { Transaction } from "../../../../platform/db/connection.ts";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import { FAILURE_SENTENCES } from "../../../shared/failure.ts";
import { invalidFields, type Refusal, refused } from "../../../shared/refusals.ts";
import { replyAmount } from "../../fields.ts";
import { fingerprintOf, fingerprintWithIdentities } from "../../signed/fingerprint.ts";
import { findRecorded, freeReference, type OperationReference, oncePerReference, type Recorded } from "../../signed/once-per-reference.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { arrangedProvider, askBusProvider, type FoundTrip, findTrip } from "../ask-provider.ts";
import { readSeats, type TicketSeat } from "../bookings/tickets-store.ts";
import { type BusContext, SERVICE } from "../context.ts";
import { type BlockInput, blockInput, DONE, donePart } from "../fields.ts";
import { type Passenger, type Seat, type Trip, totalOfSeat } from "../provider-service.ts";
import {
  type Block,
  type BlockKey,
  confirmBlock,
  deleteUnconfirmed,
  findBlock,
  insertBlock,
  type NewBlock,
  type SeatFare,
} from "./blocks-store.ts";
import { claimSeats, releaseSeats } from "./seats-store.ts";

// Contract, section 6.
const HOLD_MILLISECONDS = 8 * 60 * 1000;
const CALL = "/bus/block";

export function createBlock(ctx: BusContext): Route {
  return route({
    method: "POST",
    path: CALL,
    service: SERVICE,
    kind: "plain",
    summary: "Reserves seats of a trip for eight minutes",
    input: blockInput,
    reply: z.object({
      ...donePart,
      request_id: z.string(),
      urid: z.string(),
      block_ref: z.string(),
      total: replyAmount,
      fare_changed: z.boolean(),
      valid_until: z.int(),
    }),
    refusals: ["trip_not_found", "seat_unavailable", "seat_gender_restricted", "id_proof_required", "max_seats_exceeded"],
    handle: async ({ account, input: asked }) => {
      const { accountId } = account;
      const reference = { accountId, operation: CALL, requestId: asked.request_id, fingerprint: fingerprintOfBlock(ctx, accountId, asked) };
      const recorded = (await findRecorded(ctx, reference)) ?? (await hold(ctx, account, asked, reference));
      if (recorded.kind === "refused") return recorded;
      const confirmed = await confirm(ctx, { accountId, blockRef: recorded.record }, asked);
      return confirmed.kind === "refused" ? confirmed : blockAnswer(asked.request_id, confirmed.block);
    },
  });
}

function fingerprintOfBlock(ctx: BusContext, accountId: string, asked: BlockInput): string {
  const numbers = asked.passengers.map((one) => one.id_number ?? null);
  const details = { ...asked, passengers: asked.passengers.map(({ id_number: _, ...open }) => open) };
  if (numbers.every((number) => number === null)) return fingerprintOf(details);
  return fingerprintWithIdentities(ctx, { accountId, requestId: asked.request_id, details, identities: numbers });
}

function blockAnswer(requestId: string, block: Block): Answer {
  return {
    kind: "record",
    fields: {
      ...DONE,
      request_id: requestId,
      urid: requestId,
      block_ref: block.blockRef,
      total: formatMoney(block.total ?? totalUnknown(block)),
      fare_changed: block.fareChanged,
      valid_until: Math.floor(block.expiresAt / 1000),
    },
  };
}

function totalUnknown(block: BlockKey): never {
  throw new Error(`The block ${block.blockRef} is not confirmed.`);
}

/** Claims the seats here first, so that the second of two concurrent requests never reaches the provider. */
async function hold(ctx: BusContext, account: Account, asked: BlockInput, reference: OperationReference): Promise<Recorded | Refusal> {
  const found = refuseClosedService(ctx, account, SERVICE) ?? (await findTrip(ctx, account, asked.trip_id));
  if (found.kind === "refused") return found;
  const against = refuseBlock(found.trip, asked);
  if (against) return against;
  return await oncePerReference(ctx, reference, (tx) => holdIn(ctx, tx, found, asked, reference));
}

async function holdIn(
  ctx: BusContext,
  tx: Transaction,
  found: FoundTrip,
  asked: BlockInput,
  reference: OperationReference,
): Promise<string | Refusal> {
  const now = ctx.clock.now();
  const block = newBlock(ctx, found, asked, reference.accountId, now);
  const seats = asked.passengers.map((one) => one.seat);
  const wanted = { provider: found.provider, tripId: block.tripId, seats };
  const register = ctx.seats;
  const lost = register ? await register.claim(wanted, block, now) : await claimSeats(tx, wanted, block, now);
  if (lost.length > 0) return seatUnavailable(lost);
  const listed = found.trip.seats.filter((one) => seats.includes(one.seat)).map((one) => ({ seat: one.seat, total: totalOfSeat(one) }));
  await insertBlock(tx, block, listed);
  return block.blockRef;
}

function newBlock(ctx: BusContext, found: FoundTrip, asked: BlockInput, accountId: string, now: number): NewBlock {
  const { trip } = found;
  const boarding = trip.boarding.find((one) => one.id === asked.boarding_id);
  return {
    accountId,
    blockRef: `BLK${ctx.ids.entry(now)}`,
    requestId: asked.request_id,
    provider: found.provider,
    tripId: trip.tripId,
    operator: trip.operator,
    mobile: asked.contact.mobile,
    trip: {
      operatorName: trip.operatorName,
      boarding: boarding?.name ?? "",
      boardingAt: boarding?.at ?? trip.departureAt,
      cancellation: trip.cancellation,
    },
    departureAt: trip.departureAt,
    partialCancel: trip.partialCancel,
    createdAt: now,
    expiresAt: now + HOLD_MILLISECONDS,
  };
}

type Confirmed = { readonly kind: "confirmed"; readonly block: Block } | Refusal;

/** Blocks the seats at the provider. A retry after a missing answer does it again with the same reference. */
async function confirm(ctx: BusContext, key: BlockKey, asked: BlockInput): Promise<Confirmed> {
  const block = await findBlock(ctx.sql, key);
  if (!block) return gone();
  if (block.total !== null) return { kind: "confirmed", block };
  const providerService = arrangedProvider(ctx, block);
  if (providerService.kind === "refused") return providerService;
  const listed = await readSeats(ctx.sql, block);
  const blocked = await askBusProvider(ctx, () =>
    providerService.providerService.block({
      reference: block.blockRef,
      tripId: block.tripId,
      boardingId: asked.boarding_id,
      droppingId: asked.dropping_id ?? null,
      passengers: asked.passengers,
      fares: listed.map(({ seat, fare }) => ({ seat, total: formatMoney(fare) })),
      contact: asked.contact,
    }),
  );
  if (blocked.kind === "refused") return blocked;
  const { value } = blocked;
  if (value.kind === "unavailable") {
    await ctx.sql.begin((tx) => undo(ctx, tx, block, asked));
    ctx.log.info({ block: block.blockRef, why: value.why }, "bus provider refused to block the seats");
    return refused("seat_unavailable", FAILURE_SENTENCES.seat_gone);
  }
  if (!isForSeats(value.fares, listed)) {
    ctx.log.error({ block: block.blockRef, provider: block.provider }, "bus provider named other seats than were blocked");
    return refused("busy", "The provider is not responding. Try again with the same details.");
  }
  await ctx.sql.begin((tx) => confirmBlock(tx, key, value));
  const confirmed = await findBlock(ctx.sql, key);
  return confirmed?.total == null ? gone() : { kind: "confirmed", block: confirmed };
}

/** Whether each blocked seat has exactly one fare. Refunds are computed from the fares, and must not exceed the block's total. */
function isForSeats(fares: readonly SeatFare[], blocked: readonly TicketSeat[]): boolean {
  const named = new Set(fares.map((one) => one.seat));
  return fares.length === blocked.length && blocked.every(({ seat }) => named.has(seat));
}

async function undo(ctx: BusContext, tx: Transaction, block: Block, asked: BlockInput): Promise<void> {
  const { provider, tripId, accountId, requestId } = block;
  const seats = asked.passengers.map((one) => one.seat);
  const wanted = { provider, tripId, seats };
  await (ctx.seats?.release(wanted, block) ?? releaseSeats(tx, wanted, block));
  if (await deleteUnconfirmed(tx, block)) await freeReference(tx, { accountId, operation: CALL, requestId });
}

// A concurrent request with the same reference has just been refused by the provider.
function gone(): Refusal {
  return refused("seat_unavailable", "A seat was sold in the meantime.");
}

const SUITS: Record<Seat["gender"], readonly Passenger["gender"][]> = { any: ["M", "F", "O"], male: ["M"], female: ["F"] };

/** Checks a block against the trip. Whether the seats are taken is decided when they are claimed. */
function refuseBlock(trip: Trip, asked: BlockInput): Refusal | null {
  const wrong = wrongPoints(trip, asked);
  if (Object.keys(wrong).length > 0) return invalidFields(wrong);
  if (asked.passengers.length > trip.maxSeats)
    return refused("max_seats_exceeded", `At most ${trip.maxSeats} seats of this trip can be taken at once.`);
  for (const passenger of asked.passengers) {
    const seat = trip.seats.find((one) => one.seat === passenger.seat);
    if (!seat?.available) return seatUnavailable([passenger.seat]);
    if (!SUITS[seat.gender].includes(passenger.gender))
      return refused("seat_gender_restricted", `Seat ${seat.seat} is for ${seat.gender} passengers only.`);
  }
  const unproved = asked.passengers.find((one) => one.id_type === undefined || one.id_number === undefined);
  if (trip.idProofRequired && unproved)
    return refused("id_proof_required", `This trip needs id_type and id_number of every passenger; seat ${unproved.seat} has none.`);
  return null;
}

function seatUnavailable(seats: readonly string[]): Refusal {
  const what = seats.length === 1 ? `Seat ${seats[0]} is` : `Seats ${seats.join(", ")} are`;
  return refused("seat_unavailable", `${what} not available.`);
}

function wrongPoints(trip: Trip, asked: BlockInput): Readonly<Record<string, string>> {
  const boards = trip.boarding.some((one) => one.id === asked.boarding_id);
  const drops = asked.dropping_id === undefined || trip.dropping.some((one) => one.id === asked.dropping_id);
  return {
    ...(boards ? {} : { boarding_id: "is not a boarding point of this trip" }),
    ...(drops ? {} : { dropping_id: "is not a dropping point of this trip" }),
  };
}
