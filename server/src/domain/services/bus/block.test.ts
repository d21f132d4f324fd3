import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client, Json } from "../testing/service-fixture.ts";
import { commonFields } from "../testing/service-fixture.ts";
import {
  type BusFixture,
  balanceOf,
  block,
  blockBody,
  book,
  createBusFixture,
  freeSeats,
  hold,
  passenger,
  refusal,
  refusedWith,
  seatsOf,
} from "./testing/travel.ts";

let fixture: BusFixture;
let client: Client;
let other: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  [client, other] = [await fixture.newClient(), await fixture.newClient()];
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const EIGHT_MINUTES = 8 * 60 * 1000;

test("a block holds its seats for eight minutes, for its total, and takes no money", async () => {
  const tripId = fixture.trip(1);
  const seats = (await freeSeats(client, tripId)).slice(0, 2);
  const fares = (await seatsOf(client, tripId)).filter((one) => seats.includes(one.seat)).map((one) => Number(one.fare.total));
  const startedAt = Math.floor((fixture.orders.clock.now() + EIGHT_MINUTES) / 1000);
  const { status, body } = await block(client, tripId, seats, { request_id: "first-block", dropping_id: "D2" });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...commonFields("bus"),
      request_id: "first-block",
      urid: "first-block",
      block_ref: expect.stringMatching(/^BLK[0-9A-Z]{18}$/),
      total: fares.reduce((sum, one) => sum + one, 0).toFixed(4),
      fare_changed: false,
      valid_until: expect.any(Number),
    },
  });
  expect(Number(body["valid_until"]) - startedAt).toBeLessThanOrEqual(5);
  expect(await balanceOf(client)).toBe(1000);
  expect((await freeSeats(other, tripId)).some((seat) => seats.includes(seat))).toBe(false);
});

test("reserved seats cannot be blocked again, neither by another account nor by the same one", async () => {
  const { tripId, seats } = await hold(fixture, client, {});
  const free = (await freeSeats(other, tripId))[0] ?? "";
  for (const who of [client, other]) {
    expect(refusal(await block(who, tripId, [seats[1] ?? "", free]))).toEqual(refusedWith(409, "seat_unavailable", 4302));
  }
  // Nothing of the refused ones is left behind.
  expect((await block(other, tripId, [free])).status).toBe(200);
});

test("expired seats are free again, to the millisecond", async () => {
  const own = await createBusFixture();
  const [one, two] = [await own.newClient(), await own.newClient()];
  const { tripId, seats, blocked } = await hold(own, one, {});
  own.orders.clock.advance(EIGHT_MINUTES - 5_000);
  expect((await block(two, tripId, seats)).status).toBe(409);
  own.orders.clock.advance(5_000);
  expect(await freeSeats(two, tripId)).toEqual(expect.arrayContaining([...seats]));
  expect((await block(two, tripId, seats)).status).toBe(200);
  expect(refusal(await book(one, blocked))).toEqual(refusedWith(410, "block_expired", 4307));
  await own.close();
});

test("a repeat answers the same block, also when it has expired; other details are 409", async () => {
  const tripId = fixture.trip(1);
  const seats = (await freeSeats(client, tripId)).slice(0, 2);
  const body = blockBody(tripId, seats);
  const first = await client.signed.post("/bus/block", body);
  expect(first.status).toBe(200);
  expect(await client.signed.post("/bus/block", body)).toEqual(first);
  const changed = { ...body, boarding_id: "B2" };
  const duplicate = await client.signed.post("/bus/block", changed);
  expect(refusal(duplicate)).toEqual(refusedWith(409, "duplicate_reference", 124));
  expect(duplicate.body).toMatchObject({ request_id: body["request_id"], urid: body["request_id"], order_id: "" });
  fixture.orders.clock.advance(EIGHT_MINUTES);
  expect(await client.signed.post("/bus/block", body)).toEqual(first);
  // Another account's reference is its own affair.
  expect((await other.signed.post("/bus/block", body)).body["block_ref"]).not.toBe(first.body["block_ref"]);
});

test("a refused block leaves its reference free", async () => {
  const { tripId, seats } = await hold(fixture, other, {});
  const body = blockBody(tripId, seats);
  expect((await client.signed.post("/bus/block", body)).status).toBe(409);
  fixture.orders.clock.advance(EIGHT_MINUTES);
  expect((await client.signed.post("/bus/block", body)).status).toBe(200);
});

test("a fare that rises says so, and the total is the new one", async () => {
  const tripId = fixture.trip(4);
  const [seat] = (await seatsOf(client, tripId)).filter((one) => one.available && one.gender === "any");
  const { body } = await block(client, tripId, [seat?.seat ?? ""]);
  const listed = Math.round(Number(seat?.fare.total) * 100);
  expect(body).toMatchObject({ fare_changed: true, total: ((listed + Math.round(listed * 0.05)) / 100).toFixed(4) });
});

test("an unknown trip, an unknown seat, a sold one", async () => {
  const tripId = fixture.trip(1);
  const sold = (await seatsOf(client, tripId)).find((one) => !one.available);
  expect(refusal(await block(client, "BLR-CHN-20200101-1", ["A1"]))).toEqual(refusedWith(404, "trip_not_found", 4301));
  expect(refusal(await block(client, tripId, ["Z9"]))).toEqual(refusedWith(409, "seat_unavailable", 4302));
  expect(refusal(await block(client, tripId, [sold?.seat ?? ""]))).toEqual(refusedWith(409, "seat_unavailable", 4302));
});

test("seats for women are for women, seats for men for men, the others for everybody", async () => {
  // Trips differ in what they have: one with all three kinds.
  for (let tried = 0; ; tried++) {
    const tripId = fixture.trip(1, 6 + tried);
    const kinds = await Promise.all(["female", "male", "any"].map((gender) => freeSeats(client, tripId, gender)));
    if (kinds.some((seats) => seats.length < 1)) continue;
    const [forWomen = "", forMen = "", forAll = ""] = kinds.map((seats) => seats[0] ?? "");
    const held = (seat: string, gender: string) => block(client, tripId, [seat], { passengers: [passenger(seat, { gender })] });
    const no = refusedWith(422, "seat_gender_restricted", 4303);
    for (const gender of ["M", "O"]) expect(refusal(await held(forWomen, gender))).toEqual(no);
    for (const gender of ["F", "O"]) expect(refusal(await held(forMen, gender))).toEqual(no);
    expect([await held(forWomen, "F"), await held(forMen, "M"), await held(forAll, "O")].map((one) => one.status)).toEqual([200, 200, 200]);
    return;
  }
});

test("a trip that wants a proof of identity wants it of every passenger", async () => {
  const tripId = fixture.trip(2);
  const [one = "", two = ""] = await freeSeats(client, tripId);
  const proof = { id_type: "PAN", id_number: "ABCPE1234F" };
  const held = (first: Json, second: Json) =>
    block(client, tripId, [one, two], { passengers: [passenger(one, first), passenger(two, second)] });
  for (const [first, second] of [
    [{}, {}],
    [proof, {}],
    [proof, { id_type: "PAN" }],
    [proof, { id_number: "ABCPE1234F" }],
  ] as const)
    expect(refusal(await held(first, second))).toEqual(refusedWith(422, "id_proof_required", 4304));
  expect((await held(proof, proof)).status).toBe(200);
});

test("more seats than the trip allows at once are refused", async () => {
  const tripId = fixture.trip(3);
  const seats = (await freeSeats(client, tripId)).slice(0, 5);
  expect(refusal(await block(client, tripId, seats))).toEqual(refusedWith(422, "max_seats_exceeded", 4309));
  expect((await block(client, tripId, seats.slice(0, 4))).status).toBe(200);
});

const good = () => blockBody("BLR-CHN-20991231-1", ["A1"]);
const withPassenger = (more: Json) => ({ ...good(), passengers: [passenger("A1", more)] });
const without = (body: Json, name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
const contact = { mobile: "9876543000", email: "asha@example.com" };

const WRONG: readonly (readonly [field: string, body: () => Json])[] = [
  ["request_id", () => without(good(), "request_id")],
  ["request_id", () => ({ ...good(), request_id: "with space" })],
  ["request_id", () => ({ ...good(), request_id: "x".repeat(65) })],
  ["request_id", () => ({ ...good(), request_id: 7 })],
  ["trip_id", () => without(good(), "trip_id")],
  ["trip_id", () => ({ ...good(), trip_id: "" })],
  ["trip_id", () => ({ ...good(), trip_id: "x".repeat(65) })],
  ["trip_id", () => ({ ...good(), trip_id: 1 })],
  ["boarding_id", () => without(good(), "boarding_id")],
  ["boarding_id", () => ({ ...good(), boarding_id: 1 })],
  ["boarding_id", () => ({ ...good(), trip_id: fixture.trip(1), boarding_id: "B9" })],
  ["dropping_id", () => ({ ...good(), dropping_id: "" })],
  ["dropping_id", () => ({ ...good(), trip_id: fixture.trip(1), dropping_id: "B1" })],
  ["passengers", () => without(good(), "passengers")],
  ["passengers", () => ({ ...good(), passengers: [] })],
  ["passengers", () => ({ ...good(), passengers: "A1" })],
  ["passengers", () => ({ ...good(), passengers: ["A1", "A2", "A3", "A4", "B1", "B2", "B3"].map((seat) => passenger(seat)) })],
  ["passengers", () => ({ ...good(), passengers: [passenger("A1"), passenger("A1")] })],
  ["passengers.0.seat", () => withPassenger({ seat: "" })],
  ["passengers.0.seat", () => withPassenger({ seat: "A1,A2" })],
  ["passengers.0.seat", () => ({ ...good(), passengers: [without(passenger("A1"), "seat")] })],
  ["passengers.0.title", () => ({ ...good(), passengers: [without(passenger("A1"), "title")] })],
  ["passengers.0.title", () => withPassenger({ title: "M1" })],
  ["passengers.0.name", () => ({ ...good(), passengers: [without(passenger("A1"), "name")] })],
  ["passengers.0.name", () => withPassenger({ name: "" })],
  ["passengers.0.name", () => withPassenger({ name: "x".repeat(81) })],
  ["passengers.0.age", () => ({ ...good(), passengers: [without(passenger("A1"), "age")] })],
  ["passengers.0.age", () => withPassenger({ age: 0 })],
  ["passengers.0.age", () => withPassenger({ age: 121 })],
  ["passengers.0.age", () => withPassenger({ age: 30.5 })],
  ["passengers.0.age", () => withPassenger({ age: "30" })],
  ["passengers.0.gender", () => ({ ...good(), passengers: [without(passenger("A1"), "gender")] })],
  ["passengers.0.gender", () => withPassenger({ gender: "X" })],
  ["passengers.0.id_type", () => withPassenger({ id_type: "" })],
  ["passengers.0.id_type", () => withPassenger({ id_type: "x".repeat(31) })],
  ["passengers.0.id_number", () => withPassenger({ id_number: "x".repeat(41) })],
  ["passengers.0.id_number", () => withPassenger({ id_number: 12 })],
  ["contact", () => without(good(), "contact")],
  ["contact", () => ({ ...good(), contact: "9876543000" })],
  ["contact.mobile", () => ({ ...good(), contact: { email: contact.email } })],
  ["contact.mobile", () => ({ ...good(), contact: { ...contact, mobile: "5876543000" } })],
  ["contact.mobile", () => ({ ...good(), contact: { ...contact, mobile: "98765430001" } })],
  ["contact.email", () => ({ ...good(), contact: { mobile: contact.mobile } })],
  ["contact.email", () => ({ ...good(), contact: { ...contact, email: "asha" } })],
];

test.each(WRONG)("POST /bus/block names a wrong %s (%#)", async (field, body) => {
  const answer = await client.signed.post("/bus/block", body());
  expect(refusal(answer)).toEqual(refusedWith(400, "invalid_request", 120));
  expect(Object.keys(answer.body["fields"] as object)).toEqual([field]);
});

test("an account reason, a service that is not switched on and a missing signature refuse it", async () => {
  const own = await fixture.newClient();
  const body = good();
  expect(await own.post("/bus/block", body)).toMatchObject({ status: 401, body: { error: "invalid_signature", code: 113 } });
  own.set({ standing: "paused" });
  expect(await own.signed.post("/bus/block", body)).toMatchObject({ status: 403, body: { status: "rejected", error: "account_paused" } });
  own.set({ standing: "active", services: new Set(["recharge"]) });
  expect(await own.signed.post("/bus/block", body)).toMatchObject({ status: 403, body: { error: "service_not_enabled", code: 331 } });
});
