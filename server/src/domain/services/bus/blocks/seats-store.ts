import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";

// The holder of each seat over all accounts. Writers lock the seats' rows, always in the same order.

export type SeatsOfTrip = { readonly provider: string; readonly tripId: string; readonly seats: readonly string[] };
export type Holder = { readonly accountId: string; readonly blockRef: string };
type NewHolder = Holder & { readonly departureAt: number };

/** Claims the seats for a block whose row is written later in the same transaction. Returns the seats that are taken. */
export async function claimSeats(tx: Transaction, wanted: SeatsOfTrip, holder: NewHolder, now: number): Promise<readonly string[]> {
  const { provider, tripId } = wanted;
  const departureAt = new Date(holder.departureAt);
  await insertSeats(tx, wanted, holder);
  await lockSeats(tx, wanted);
  const taken = await findTaken(tx, provider, [tripId], now);
  const lost = wanted.seats.filter((seat) => taken.get(tripId)?.has(seat));
  if (lost.length > 0) return lost;
  await tx`
    update bus_seat_holders set account_id = ${holder.accountId}, block_ref = ${holder.blockRef}, departure_at = ${departureAt}
    where provider = ${provider} and trip_id = ${tripId} and seat = any(${wanted.seats as string[]})`;
  return [];
}

/** Makes the rows of seats that nobody has claimed before. Waits for concurrent claims of the same seats. */
export async function insertSeats(tx: Transaction, { provider, tripId, seats }: SeatsOfTrip, holder: NewHolder): Promise<void> {
  await tx`
    insert into bus_seat_holders (provider, trip_id, seat, account_id, block_ref, departure_at)
    select ${provider}, ${tripId}, seat, ${holder.accountId}, ${holder.blockRef}, ${new Date(holder.departureAt)}
    from unnest(${seats as string[]}::text[]) as n (seat)
    order by seat on conflict do nothing`;
}

/** The block that holds each of the seats, locked until the transaction ends. */
export async function lockSeats(tx: Transaction, wanted: SeatsOfTrip): Promise<readonly Holder[]> {
  const rows = await tx<{ account_id: string; block_ref: string }[]>`
    select account_id, block_ref from bus_seat_holders
    where provider = ${wanted.provider} and trip_id = ${wanted.tripId} and seat = any(${wanted.seats as string[]})
    order by seat for update`;
  return rows.map((row) => ({ accountId: row.account_id, blockRef: row.block_ref }));
}

/** Releases the seats that the block still holds. */
export async function releaseSeats(tx: Transaction, wanted: SeatsOfTrip, holder: Holder): Promise<void> {
  await lockSeats(tx, wanted);
  await tx`
    update bus_seat_holders set account_id = '', block_ref = ''
    where provider = ${wanted.provider} and trip_id = ${wanted.tripId} and seat = any(${wanted.seats as string[]})
      and account_id = ${holder.accountId} and block_ref = ${holder.blockRef}`;
}

/** The taken seats of these trips: held and not expired, or booked by an order that has not failed. */
export async function findTaken(
  sql: Queryable,
  provider: string,
  tripIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql<{ trip_id: string; seat: string }[]>`
    select s.trip_id, s.seat from bus_seat_holders s
    join bus_blocks b on b.account_id = s.account_id and b.block_ref = s.block_ref
    left join orders o on o.account_id = b.account_id and o.order_id = b.order_id
    where s.provider = ${provider} and s.trip_id = any(${tripIds as string[]})
      and case when b.order_id is null then b.expires_at > ${new Date(now)} else o.state is distinct from 2 end`;
  const taken = new Map<string, Set<string>>(tripIds.map((tripId) => [tripId, new Set()]));
  for (const row of rows) taken.get(row.trip_id)?.add(row.seat);
  return taken;
}
