import { add, type Money, NO_MONEY, percentOf, subtract } from "../../../../platform/core/money.ts";
import type { Block } from "../blocks/blocks-store.ts";
import type { TicketSeat } from "../bookings/tickets-store.ts";
import type { Policy } from "../provider-service.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const EVERYTHING = 10_000;

export type Charged = { readonly refund: Money; readonly charges: Money };

/** The charges of cancelling seats at a time, and the refund. */
export function chargeFor(fares: readonly Money[], policy: Policy, departureAt: number, now: number): Charged {
  const paid = fares.reduce((sum, fare) => add(sum, fare), NO_MONEY);
  const share = percentOf(paid, BigInt(stepAt(policy, departureAt, now)));
  // Rounding up could exceed the amount paid.
  if (share >= paid) return { charges: paid, refund: NO_MONEY };
  return { charges: share, refund: subtract(paid, share) };
}

/** In hundredths of a percent. Where the policy has no step, nothing is refunded. */
function stepAt(policy: Policy, departureAt: number, now: number): number {
  const fitting = policy.filter((step) => departureAt - now >= step.hoursBefore * HOUR_MILLISECONDS);
  const [latest] = fitting.toSorted((a, b) => b.hoursBefore - a.hoursBefore);
  return latest?.basisPoints ?? EVERYTHING;
}

/** The same for seats of a ticket, from the fares that were paid. */
export function chargeForSeats(block: Block, seats: readonly TicketSeat[], wanted: readonly string[], now: number): Charged {
  const fares = seats.filter((one) => wanted.includes(one.seat)).map((one) => one.fare);
  return chargeFor(fares, block.trip.cancellation, block.departureAt, now);
}

/** A provider's quote, of which a client gets no more than was paid for the seats. */
export function atMostPaid(quoted: Charged, seats: readonly TicketSeat[], wanted: readonly string[]): Charged {
  const paid = seats.filter((one) => wanted.includes(one.seat)).reduce((sum, { fare }) => add(sum, fare), NO_MONEY);
  return quoted.refund > paid ? { refund: paid, charges: NO_MONEY } : quoted;
}
