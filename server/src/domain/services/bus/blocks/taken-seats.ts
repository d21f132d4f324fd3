import type { BusContext } from "../context.ts";
import { findTaken } from "./seats-store.ts";

/** The taken seats of these trips, over all accounts of the installation. */
export async function takenSeats(
  { sql, clock, seats }: BusContext,
  provider: string,
  tripIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const now = clock.now();
  return await (seats?.findTaken(provider, tripIds, now) ?? findTaken(sql, provider, tripIds, now));
}
