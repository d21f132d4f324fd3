import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { type Client, itemsOf } from "../testing/service-fixture.ts";
import { CITIES } from "./simulator/cities.ts";
import { tripOfId, tripsOn } from "./simulator/trips.ts";
import { type BusFixture, createBusFixture, refusal, refusedWith, seatsOf } from "./testing/travel.ts";

// A day that has buses, whenever the tests run.
const SOON = indiaDate(Date.now() + 30 * 24 * 60 * 60 * 1000);

let fixture: BusFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  client = await fixture.newClient();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const dayAhead = (days: number) => indiaDate(fixture.orders.clock.now() + days * DAY_MILLISECONDS);
const trips = (more: Record<string, string> = {}) =>
  client.signed.get("/bus/trips", { from: "BLR", to: "CHN", date: dayAhead(3), ...more });

test("there are twenty cities, found by a part of their name", async () => {
  expect(itemsOf(await client.signed.get("/bus/cities"))).toHaveLength(20);
  expect(itemsOf(await client.signed.get("/bus/cities", { search: "mumb" }))).toEqual([
    { city_id: "MUM", name: "Mumbai", state: "Maharashtra" },
  ]);
  expect(itemsOf(await client.signed.get("/bus/cities", { search: "nowhere" }))).toEqual([]);
});

test("cities are shown page by page, each once", async () => {
  const seen: unknown[] = [];
  let after: string | null = null;
  do {
    const query: Record<string, string> = { limit: "7", ...(after === null ? {} : { after }) };
    const { body } = await client.signed.get("/bus/cities", query);
    seen.push(...(body["items"] as { city_id: string }[]).map((one) => one.city_id));
    after = body["next"] as string | null;
  } while (after !== null);
  expect(seen).toEqual(CITIES.map((one) => one.cityId));
});

test("every pair of cities has trips every day, each found again by its id alone", () => {
  const pairs = CITIES.flatMap((from) => CITIES.filter((to) => to !== from).map((to) => [from, to] as const));
  expect(pairs).toHaveLength(380);
  pairs.forEach(([from, to], place) => {
    const found = tripsOn(from, to, "2028-02-29");
    expect(found).toHaveLength(6);
    const one = found[place % found.length];
    expect(isDeepStrictEqual(tripOfId(one?.tripId ?? "")?.trip, one)).toBe(true);
    expect(found.every((trip) => trip.seats.filter((seat) => seat.available && seat.gender === "any").length > 6)).toBe(true);
  });
});

test("a trip says all that the contract lists", async () => {
  const items = itemsOf(await trips());
  expect(items).toHaveLength(6);
  expect(items[0]).toEqual({
    trip_id: expect.stringMatching(/^BLR-CHN-[0-9]{8}-1$/),
    operator_name: "Kaveri Travels",
    bus_type: "Non-AC Seater (2+2)",
    departure_at: `${dayAhead(3)} 06:15:00`,
    arrival_at: expect.stringMatching(/^[0-9-]{10} [0-9:]{8}$/),
    available_seats: expect.any(Number),
    fares: expect.arrayContaining([expect.stringMatching(/^[0-9]+\.[0-9]{4}$/)]),
    boarding: [
      { id: "B1", name: "Majestic", at: `${dayAhead(3)} 06:15:00` },
      { id: "B2", name: "Madiwala", at: `${dayAhead(3)} 06:45:00` },
    ],
    dropping: [expect.objectContaining({ id: "D1", name: "Koyambedu" }), expect.objectContaining({ id: "D2" })],
    id_proof_required: false,
    max_seats: 6,
    partial_cancel: true,
    cancellation: [
      { hours_before: 24, charge_percent: "10.00" },
      { hours_before: 12, charge_percent: "25.00" },
      { hours_before: 4, charge_percent: "50.00" },
      { hours_before: 0, charge_percent: "100.00" },
    ],
  });
  const distinct = (name: string) => new Set(items.map((one) => one[name])).size;
  expect([distinct("bus_type"), distinct("operator_name"), distinct("departure_at")].every((count) => count > 2)).toBe(true);
  expect(items.some((one) => one["id_proof_required"]) && items.some((one) => !one["partial_cancel"])).toBe(true);
});

test("seats have a place, a fare that adds up, and as many are free as the trip says", async () => {
  for (const item of itemsOf(await trips())) {
    const seats = await seatsOf(client, String(item["trip_id"]));
    expect(seats.filter((seat) => seat.available)).toHaveLength(Number(item["available_seats"]));
    expect(seats.some((seat) => !seat.available)).toBe(true);
    for (const seat of seats) {
      expect(seat).toEqual({
        seat: expect.stringMatching(/^[A-Z][0-9]{1,2}$/),
        row: expect.any(Number),
        column: expect.any(Number),
        deck: expect.stringMatching(/^(?:lower|upper)$/),
        type: expect.stringMatching(/^(?:seater|sleeper)$/),
        available: expect.any(Boolean),
        gender: expect.stringMatching(/^(?:any|male|female)$/),
        fare: expect.any(Object),
      });
      const paisa = (text: string) => Math.round(Number(text) * 100);
      expect(paisa(seat.fare.base) + paisa(seat.fare.tax)).toBe(paisa(seat.fare.total));
    }
    const free = seats.filter((seat) => seat.available).map((seat) => seat.fare.total);
    expect(new Set(item["fares"] as string[])).toEqual(new Set(free));
  }
});

test("a bus that has left is neither listed nor found", async () => {
  const own = await createBusFixture();
  const traveller = await own.newClient();
  const today = indiaDate(own.orders.clock.now());
  const ofToday = async () => itemsOf(await traveller.signed.get("/bus/trips", { from: "GOA", to: "PUN", date: today }));
  // To the last minute of the day: all six have left.
  const midnight = Date.parse(`${today}T18:29:30.000Z`);
  own.orders.clock.advance(midnight - own.orders.clock.now());
  expect(await ofToday()).toEqual([]);
  const left = await traveller.signed.get("/bus/seats", { trip_id: `GOA-PUN-${today.replaceAll("-", "")}-6` });
  expect(refusal(left)).toEqual(refusedWith(404, "trip_not_found", 4301));
  await own.close();
});

const WRONG: readonly (readonly [path: string, field: string, query: Record<string, string>])[] = [
  ["/bus/cities", "limit", { limit: "0" }],
  ["/bus/cities", "after", { after: "nothing" }],
  ["/bus/cities", "search", { search: "x".repeat(61) }],
  ["/bus/trips", "from", { to: "CHN", date: SOON }],
  ["/bus/trips", "to", { from: "BLR", date: SOON }],
  ["/bus/trips", "date", { from: "BLR", to: "CHN" }],
  ["/bus/trips", "date", { from: "BLR", to: "CHN", date: "01-01-2027" }],
  ["/bus/trips", "date", { from: "BLR", to: "CHN", date: "2027-02-30" }],
  ["/bus/trips", "date", { from: "BLR", to: "CHN", date: "2020-01-01" }],
  ["/bus/trips", "date", { from: "BLR", to: "CHN", date: "2099-01-01" }],
  ["/bus/trips", "to", { from: "BLR", to: "BLR", date: SOON }],
  ["/bus/trips", "from", { from: "XXX", to: "BLR", date: SOON }],
  ["/bus/trips", "to", { from: "BLR", to: "XXX", date: SOON }],
  ["/bus/trips", "from", { from: "x".repeat(65), to: "BLR", date: SOON }],
  ["/bus/seats", "trip_id", {}],
  ["/bus/seats", "trip_id", { trip_id: "" }],
  ["/bus/seats", "trip_id", { trip_id: "x".repeat(65) }],
];

test.each(WRONG)("GET %s names a wrong %s: %o", async (path, field, query) => {
  const answer = await client.signed.get(path, query);
  expect(refusal(answer)).toEqual(refusedWith(400, "invalid_request", 120));
  expect(Object.keys(answer.body["fields"] as object)).toEqual([field]);
});

test.each(["nothing", "BLR-BLR-20270101-1", "BLR-CHN-20270230-1", "BLR-CHN-20270101-7", "XXX-CHN-20270101-1", "BLR-CHN-20200101-1"])(
  "%s is no trip",
  async (tripId) => {
    expect(refusal(await client.signed.get("/bus/seats", { trip_id: tripId }))).toEqual(refusedWith(404, "trip_not_found", 4301));
  },
);
