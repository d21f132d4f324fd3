import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, Client } from "../testing/service-fixture.ts";
import { type BusFixture, balanceOf, block, blockBody, book, createBusFixture, freeSeats, hold } from "./testing/travel.ts";

let fixture: BusFixture;
let clients: readonly Client[];
beforeAll(async () => {
  fixture = await createBusFixture();
  clients = await Promise.all(Array.from({ length: 5 }, () => fixture.newClient(100_000)));
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const client = (at: number) => clients[at % clients.length] as Client;
const won = (answers: readonly Answer[]) => answers.filter((one) => one.status === 200);

/** What the table of seats says about a trip; no seat may have two holders, and no block less than it asked for. */
async function heldSeats(tripId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await fixture.orders.owner<{ block_ref: string; seats: number }[]>`
    select s.block_ref, count(*)::int as seats from bus_seat_holders s join bus_blocks b using (account_id, block_ref)
    where s.trip_id = ${tripId} group by s.block_ref`;
  return new Map(rows.map((row) => [row.block_ref, row.seats]));
}

test("of fifty blocks of one seat by five accounts exactly one wins", async () => {
  const tripId = fixture.trip(1);
  const [seat = ""] = await freeSeats(client(0), tripId);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => block(client(at), tripId, [seat])));
  expect(won(answers)).toHaveLength(1);
  expect(answers.filter((one) => one.status !== 200).every((one) => one.body["error"] === "seat_unavailable")).toBe(true);
});

test("overlapping blocks, named in any order, neither lock each other up nor get a part", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 20 }),
      async (wishes) => {
        const tripId = fixture.trip(1);
        const seats = (await freeSeats(client(0), tripId)).slice(0, 8);
        const wanted = wishes.map((places) => places.map((place) => seats[place] ?? ""));
        const answers = await Promise.all(wanted.map((one, at) => block(client(at), tripId, one)));
        expect(answers.every((one) => one.status === 200 || one.body["error"] === "seat_unavailable")).toBe(true);
        const given = wanted.filter((_, at) => answers[at]?.status === 200);
        // Nobody got a seat that another got, and somebody got something.
        expect(new Set(given.flat()).size).toBe(given.flat().length);
        expect(given.length).toBeGreaterThan(0);
        // Whoever got nothing wanted a seat that another got: held seats are exactly those of the winners.
        const held = await heldSeats(tripId);
        expect([...held.values()].reduce((sum, one) => sum + one, 0)).toBe(given.flat().length);
        fixture.orders.clock.advance(9 * 60 * 1000);
      },
    ),
    { numRuns: 25 },
  );
});

test("of fifty who want an expired block's seats exactly one gets them all", async () => {
  const { tripId, seats } = await hold(fixture, client(0), { seats: 4 });
  for (let round = 0; round < 3; round++) {
    fixture.orders.clock.advance(9 * 60 * 1000);
    const wanted = (at: number) => (at % 2 === 0 ? seats : seats.toReversed());
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => block(client(at), tripId, wanted(at))));
    expect(won(answers)).toHaveLength(1);
    expect(await heldSeats(tripId)).toEqual(new Map([[won(answers)[0]?.body["block_ref"], 4]]));
  }
});

test("a hundred blocks with one reference make one block", async () => {
  const tripId = fixture.trip(1);
  const body = blockBody(tripId, (await freeSeats(client(0), tripId)).slice(0, 3));
  const answers = await Promise.all(Array.from({ length: 100 }, () => client(0).signed.post("/bus/block", body)));
  expect(new Set(answers.map((one) => one.body["block_ref"])).size).toBe(1);
  expect(won(answers)).toHaveLength(100);
});

test("a block that is booked with many references at once becomes one order", async () => {
  const { blocked } = await hold(fixture, client(1), { seats: 1 });
  const before = await balanceOf(client(1));
  const answers = await Promise.all(Array.from({ length: 30 }, () => book(client(1), blocked)));
  expect(won(answers)).toHaveLength(1);
  expect(answers.filter((one) => one.status !== 200).map((one) => one.body["error"])).toEqual(Array(29).fill("block_already_booked"));
  expect(before - (await balanceOf(client(1)))).toBeCloseTo(Number(blocked.body["total"]), 4);
});

test("a hundred identical bookings make one order, and each gets its result", async () => {
  const { blocked } = await hold(fixture, client(2), { seats: 1 });
  const before = await balanceOf(client(2));
  const answers = await Promise.all(Array.from({ length: 100 }, () => book(client(2), blocked, { request_id: "hundred" })));
  expect(new Set(answers.map((one) => one.body["order_id"])).size).toBe(1);
  expect(answers.every((one) => one.body["status"] === "SUCCESS")).toBe(true);
  expect(before - (await balanceOf(client(2)))).toBeCloseTo(Number(blocked.body["total"]), 4);
});

test("at the end of a hold, the one who books and the one who takes the seat are never both served", async () => {
  for (let round = 0; round < 8; round++) {
    const { blocked, tripId, seats } = await hold(fixture, client(0), { seats: 1 });
    fixture.orders.clock.advance(Number(blocked.body["valid_until"]) * 1000 - fixture.orders.clock.now() - 3);
    const [booked, taken] = await Promise.all([book(client(0), blocked), block(client(1), tripId, seats)]);
    expect(won([booked, taken]).length).toBeLessThanOrEqual(1);
  }
});
