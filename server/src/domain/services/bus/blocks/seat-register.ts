import type { Queryable, Sql, Transaction } from "../../../../platform/db/connection.ts";
import { type Holder, insertSeats, releaseSeats, type SeatsOfTrip } from "./seats-store.ts";

type NewHolder = Holder & { readonly departureAt: number };
type HeldSeat = Holder & { readonly tripId: string; readonly seat: string; readonly claimedAt: number | null };

/**
 * Who holds which seat in an installation with several cells. It is decided at home, the only lock across accounts; whether
 * the holder's block is still valid is read in the holder's cell. A cell that does not answer keeps its seats.
 */
export type SeatRegister = {
  /** Claims the seats for a block that is written in the account's cell afterwards. Returns the seats that are taken. */
  readonly claim: (wanted: SeatsOfTrip, holder: NewHolder, now: number) => Promise<readonly string[]>;
  /** Before a block is booked: keeps its seats for the time of the booking. False if another block has them. */
  readonly keep: (wanted: SeatsOfTrip, holder: Holder, now: number) => Promise<boolean>;
  /** Releases the seats that the block still holds. */
  readonly release: (wanted: SeatsOfTrip, holder: Holder) => Promise<void>;
  readonly findTaken: (provider: string, tripIds: readonly string[], now: number) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
};

// Longer than any transaction of a request may take.
const CLAIM_MILLISECONDS = 60_000;

export function createSeatRegister(home: Sql, sqlOf: (accountId: string) => Sql): SeatRegister {
  return {
    claim: (wanted, holder, now) =>
      home.begin((tx) => {
        // Home's own blocks are read on the same connection: claims that each wait for a second one would wait for ever.
        const sqlInClaim = (accountId: string) => {
          const sql = sqlOf(accountId);
          return sql === home ? tx : sql;
        };
        return claimIn(tx, sqlInClaim, wanted, holder, now);
      }),
    keep: (wanted, holder, now) =>
      home.begin(async (tx) => {
        const seats = await readSeats(tx, wanted.provider, [wanted.tripId], wanted.seats);
        if (seats.length < wanted.seats.length || !seats.every((seat) => isSame(seat, holder))) return false;
        await updateSeats(tx, wanted, holder, now);
        return true;
      }),
    release: (wanted, holder) => home.begin((tx) => releaseSeats(tx, wanted, holder)),
    findTaken: async (provider, tripIds, now) => {
      const held = await readSeats(home, provider, tripIds, null);
      const taken = new Map<string, Set<string>>(tripIds.map((tripId) => [tripId, new Set()]));
      for (const { tripId, seat } of await activeSeats(sqlOf, held, now)) taken.get(tripId)?.add(seat);
      return taken;
    },
  };
}

async function claimIn(
  tx: Transaction,
  sqlOf: (accountId: string) => Queryable,
  wanted: SeatsOfTrip,
  holder: NewHolder,
  now: number,
): Promise<readonly string[]> {
  // A new row has no claim yet, so that it can be distinguished from one that another request holds.
  await insertSeats(tx, wanted, { accountId: "", blockRef: "", departureAt: holder.departureAt });
  const held = await readSeats(tx, wanted.provider, [wanted.tripId], wanted.seats);
  const active = await activeSeats(sqlOf, held, now);
  const lost = wanted.seats.filter((seat) => active.some((one) => one.seat === seat));
  if (lost.length > 0) return lost;
  await updateSeats(tx, wanted, holder, now);
  return [];
}

function isSame(one: Holder, other: Holder): boolean {
  return one.accountId === other.accountId && one.blockRef === other.blockRef;
}

/** Locks the named seats in key order; without names it only reads. */
async function readSeats(
  sql: Queryable,
  provider: string,
  tripIds: readonly string[],
  seats: readonly string[] | null,
): Promise<readonly HeldSeat[]> {
  const rows = await sql<{ trip_id: string; seat: string; account_id: string; block_ref: string; claimed_at: Date | null }[]>`
    select trip_id, seat, account_id, block_ref, claimed_at from bus_seat_holders
    where provider = ${provider} and trip_id = any(${tripIds as string[]})
    ${seats === null ? sql`` : sql`and seat = any(${seats as string[]}) order by trip_id, seat for update`}`;
  return rows.map((row) => ({
    ...{ tripId: row.trip_id, seat: row.seat, accountId: row.account_id, blockRef: row.block_ref },
    claimedAt: row.claimed_at?.getTime() ?? null,
  }));
}

async function updateSeats(
  tx: Transaction,
  wanted: SeatsOfTrip,
  holder: Holder & { readonly departureAt?: number },
  now: number,
): Promise<void> {
  const departure = holder.departureAt === undefined ? tx`` : tx`departure_at = ${new Date(holder.departureAt)},`;
  await tx`
    update bus_seat_holders set ${departure} account_id = ${holder.accountId}, block_ref = ${holder.blockRef}, claimed_at = ${new Date(now)}
    where provider = ${wanted.provider} and trip_id = ${wanted.tripId} and seat = any(${wanted.seats as string[]})`;
}

/** The seats that count as taken: claimed a moment ago, or by a block that its cell says is held or booked. */
async function activeSeats(sqlOf: (accountId: string) => Queryable, held: readonly HeldSeat[], now: number): Promise<readonly HeldSeat[]> {
  const owned = held.filter(({ accountId }) => accountId !== "");
  const isRecent = ({ claimedAt }: HeldSeat) => claimedAt !== null && claimedAt > now - CLAIM_MILLISECONDS;
  const older = owned.filter((seat) => !isRecent(seat));
  const byCell = new Map<Queryable | null, HeldSeat[]>();
  for (const seat of older) {
    const cell = cellOf(sqlOf, seat.accountId);
    byCell.set(cell, [...(byCell.get(cell) ?? []), seat]);
  }
  const checked = await Promise.all([...byCell].map(([cell, seats]) => (cell === null ? seats : stillActive(cell, seats, now))));
  return [...owned.filter(isRecent), ...checked.flat()];
}

function cellOf(sqlOf: (accountId: string) => Queryable, accountId: string): Queryable | null {
  try {
    return sqlOf(accountId);
  } catch {
    // The cell has not answered since the start, so that its seats stay taken.
    return null;
  }
}

async function stillActive(cell: Queryable, seats: readonly HeldSeat[], now: number): Promise<readonly HeldSeat[]> {
  const rows = await cell<{ account_id: string; block_ref: string; seat: string }[]>`
    select b.account_id, b.block_ref, s.seat
    from unnest(${seats.map((one) => one.accountId)}::text[], ${seats.map((one) => one.blockRef)}::text[], ${seats.map((one) => one.seat)}::text[])
      as w (account_id, block_ref, seat)
    join bus_blocks b on b.account_id = w.account_id and b.block_ref = w.block_ref
    join bus_block_seats s on s.account_id = b.account_id and s.block_ref = b.block_ref and s.seat = w.seat
    left join orders o on o.account_id = b.account_id and o.order_id = b.order_id
    left join bus_cancellations c on c.account_id = s.account_id and c.cancel_id = s.cancel_id
    where case when b.order_id is null then b.expires_at > ${new Date(now)} else o.state is distinct from 2 end and c.state is distinct from 'done'`.catch(
    () => null,
  );
  // A cell that does not answer keeps its seats.
  if (rows === null) return seats;
  return seats.filter((one) =>
    rows.some((row) => row.account_id === one.accountId && row.block_ref === one.blockRef && row.seat === one.seat),
  );
}
