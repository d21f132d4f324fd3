import { afterAll, beforeAll, expect, test } from "vitest";
import { switchService } from "../../catalog/switch-service.ts";
import type { Client, Json } from "../testing/service-fixture.ts";
import {
  type BusFixture,
  balanceOf,
  block,
  book,
  buy,
  createBusFixture,
  freeSeats,
  hold,
  newReference,
  refusal,
  refusedWith,
  ticketOf,
} from "./testing/travel.ts";

let fixture: BusFixture;
let client: Client;
let other: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  [client, other] = [await fixture.newClient(50_000), await fixture.newClient(50_000)];
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

test("a booking answers a ticket, takes its amount and keeps its seats", async () => {
  const { blocked, seats, tripId } = await hold(fixture, client, {});
  const before = await balanceOf(client);
  const { total } = blocked.body;
  const { status, body } = await book(client, blocked, { request_id: "a-booking" });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ok: true,
      status: "SUCCESS",
      code: 0,
      order_id: expect.stringMatching(/^[0-9A-Z]{12,32}$/),
      request_id: "a-booking",
      urid: "a-booking",
      operator_ref: expect.stringMatching(/^PNR[0-9]{8}$/),
      amount: total,
      account: "9876543000",
      balance: expect.any(String),
      message: "The bus booking succeeded.",
      error: "",
      service: "bus",
      fee: "0.0000",
      created_at: expect.any(String),
      updated_at: expect.any(String),
      ticket: {
        ticket_no: expect.stringMatching(/^TKT[0-9A-Z]{12}$/),
        pnr: body["operator_ref"],
        seats,
        departure_at: expect.stringMatching(/ 06:15:00$/),
        boarding: expect.any(String),
        boarding_at: expect.stringMatching(/ 06:15:00$/),
        operator_name: "Kaveri Travels",
        block_ref: blocked.body["block_ref"],
        trip_id: tripId,
        cancelled_seats: [],
        refund_amount: "0.0000",
      },
    },
  });
  expect(await balanceOf(client)).toBeCloseTo(before - Number(total), 4);
  fixture.orders.clock.advance(60 * 60 * 1000);
  expect(refusal(await block(other, tripId, seats))).toEqual(refusedWith(409, "seat_unavailable", 4302));
});

test("a booking is found by its request_id and its block, a ticket by its number and its order", async () => {
  const { blocked } = await hold(fixture, client, {});
  const booked = await book(client, blocked, { request_id: "to-be-found" });
  const ways: readonly (readonly [string, Record<string, string>])[] = [
    ["/bus/book", { request_id: "to-be-found" }],
    ["/bus/book", { block_ref: String(blocked.body["block_ref"]) }],
    ["/bus/ticket", { ticket_no: ticketOf(booked).ticket_no }],
    ["/bus/ticket", { order_id: String(booked.body["order_id"]) }],
  ];
  for (const [path, query] of ways) {
    expect(await client.signed.get(path, query)).toEqual(booked);
    // Another account's is as good as none.
    expect((await other.signed.get(path, query)).status).toBe(404);
  }
});

test.each([
  ["/bus/book", { request_id: "nobody" }, 404, "not_found", 125],
  ["/bus/book", { block_ref: "nobody" }, 404, "block_not_found", 4306],
  ["/bus/ticket", { ticket_no: "TKTNOBODY" }, 404, "ticket_not_found", 4310],
  ["/bus/ticket", { order_id: "NOBODY" }, 404, "ticket_not_found", 4310],
  ["/bus/book", {}, 400, "invalid_request", 120],
  ["/bus/book", { request_id: "one", block_ref: "two" }, 400, "invalid_request", 120],
  ["/bus/book", { request_id: "a/b" }, 400, "invalid_request", 120],
  ["/bus/book", { block_ref: "x".repeat(65) }, 400, "invalid_request", 120],
  ["/bus/ticket", {}, 400, "invalid_request", 120],
  ["/bus/ticket", { ticket_no: "one", order_id: "two" }, 400, "invalid_request", 120],
  ["/bus/ticket", { order_id: "" }, 400, "invalid_request", 120],
  ["/bus/ticket", { ticket_no: "" }, 400, "invalid_request", 120],
] as const)("GET %s of %o is %i %s", async (path, query, http, error, code) => {
  expect(refusal(await client.signed.get(path, query))).toEqual(refusedWith(http, error, code));
});

test("a block that was not booked has no booking, and a recharge is no ticket", async () => {
  const { blocked } = await hold(fixture, client, {});
  const answer = await client.signed.get("/bus/book", { block_ref: String(blocked.body["block_ref"]) });
  expect(refusal(answer)).toEqual(refusedWith(404, "not_found", 125));
  const recharge = await client.recharge("no-ticket");
  const found = await client.signed.get("/bus/ticket", { order_id: String(recharge.body["order_id"]) });
  expect(refusal(found)).toEqual(refusedWith(404, "ticket_not_found", 4310));
});

test("the amount must be the block's total, as money; else the block stands", async () => {
  const { blocked } = await hold(fixture, client, { trip: 4, seats: 1 });
  const before = await balanceOf(client);
  const total = Number(blocked.body["total"]);
  for (const amount of [String(total - 0.01), String(total + 1), "1"]) {
    expect(refusal(await book(client, blocked, { amount }))).toEqual(refusedWith(409, "fare_changed", 4305));
  }
  expect(await balanceOf(client)).toBe(before);
  const amount = String(total);
  expect(await book(client, blocked, { amount })).toMatchObject({ status: 200, body: { status: "SUCCESS", amount } });
});

test("no such block, another account's, one that was booked, one that has expired", async () => {
  const held = await hold(fixture, client, {});
  expect(refusal(await book(client, held.blocked, { block_ref: "nothing" }))).toEqual(refusedWith(404, "block_not_found", 4306));
  expect(refusal(await book(other, held.blocked))).toEqual(refusedWith(404, "block_not_found", 4306));
  expect((await book(client, held.blocked)).status).toBe(200);
  expect(refusal(await book(client, held.blocked))).toEqual(refusedWith(409, "block_already_booked", 4308));
  const late = await hold(fixture, client, {});
  fixture.orders.clock.advance(8 * 60 * 1000);
  expect(refusal(await book(client, late.blocked))).toEqual(refusedWith(410, "block_expired", 4307));
  expect(refusal(await book(client, held.blocked))).toEqual(refusedWith(409, "block_already_booked", 4308));
});

test("too little money is 402: no order, no money moved, the block stands and the reference is free", async () => {
  const poor = await fixture.newClient(1);
  const { blocked } = await hold(fixture, poor, {});
  const refused = await book(poor, blocked, { request_id: "insufficient-funds" });
  expect(refusal(refused)).toEqual(refusedWith(402, "insufficient_balance", 126));
  expect(await balanceOf(poor)).toBe(1);
  expect((await poor.signed.get("/bus/book", { request_id: "insufficient-funds" })).status).toBe(404);
  await fixture.ctx.writer.write({
    kind: "topup",
    accountId: poor.accountId,
    amount: 50_000_000n as never,
    reference: "more",
    note: "",
  });
  expect((await book(poor, blocked, { request_id: "insufficient-funds" })).body["status"]).toBe("SUCCESS");
});

test("a retry gets the first one's result, other details 409 with its order", async () => {
  const { blocked } = await hold(fixture, client, {});
  const { blocked: another } = await hold(fixture, client, {});
  const first = await book(client, blocked, { request_id: "again" });
  const [whole = "", fraction = ""] = String(blocked.body["total"]).split(".");
  const shorter = `${whole}.${fraction.slice(0, 2)}`;
  expect(await book(client, blocked, { request_id: "again", amount: shorter })).toEqual(first);
  for (const more of [{ amount: "5" }, { block_ref: another.body["block_ref"] }]) {
    const answer = await book(client, blocked, { request_id: "again", ...more });
    expect(refusal(answer)).toEqual(refusedWith(409, "duplicate_reference", 124));
    expect(answer.body["order_id"]).toBe(first.body["order_id"]);
  }
});

test("a new booking is failed, a known one 403, while the account is refused", async () => {
  const own = await fixture.newClient(5_000);
  const held = await hold(fixture, own, { seats: 1 });
  const known = await book(own, held.blocked, { request_id: "known" });
  const { blocked } = await hold(fixture, own, { seats: 1 });
  for (const [change, error] of [
    [{ standing: "paused" }, "account_paused"],
    [{ standing: "inactive" }, "account_inactive"],
    [{ kyc: "pending" }, "kyc_not_verified"],
    [{ agreement: "pending" }, "agreement_not_signed"],
  ] as const) {
    own.set({ standing: "active", kyc: "verified", agreement: "signed", ...change });
    const answer = await book(own, blocked, { request_id: "new", account: "9876543000" });
    expect(answer).toEqual({ status: 200, body: failed("new", error, String(blocked.body["total"])) });
    expect(await book(own, held.blocked, { request_id: "known" })).toMatchObject({
      status: 403,
      body: { status: "rejected", error, code: 331 },
    });
    expect(await own.signed.get("/bus/book", { request_id: "known" })).toMatchObject({ status: 403, body: { error } });
    expect(await own.signed.get("/bus/trips", { from: "BLR", to: "CHN", date: "2027-01-01" })).toMatchObject({
      status: 403,
      body: { error },
    });
  }
  own.set({ standing: "active", kyc: "verified", agreement: "signed", wallet: "suspended" });
  expect((await book(own, blocked, { request_id: "new" })).body).toMatchObject({ ok: false, status: "failed", error: "wallet_suspended" });
  expect(await book(own, held.blocked, { request_id: "known" })).toMatchObject({ status: 200, body: { order_id: known.body["order_id"] } });
  // Spec, Endpoints, rule 2: a block that was booked is a reference that has a transaction.
  expect(refusal(await book(own, held.blocked, { request_id: "another" }))).toEqual(refusedWith(409, "block_already_booked", 4308));
  own.set({ standing: "paused" });
  expect(await book(own, held.blocked, { request_id: "another" })).toMatchObject({ status: 403, body: { error: "account_paused" } });
  own.set({ standing: "active", wallet: "active" });
  expect((await book(own, blocked, { request_id: "new" })).body["status"]).toBe("SUCCESS");
});

function failed(reference: string, error: string, amount: string): Json {
  return {
    ok: false,
    status: "failed",
    code: 331,
    order_id: "",
    urid: reference,
    request_id: reference,
    operator_ref: null,
    amount,
    account: "",
    balance: null,
    message: expect.any(String),
    error,
  };
}

test("a service that is not switched on: new failed, known 403, lookups of what exists answered when signed", async () => {
  const own = await fixture.newClient(5_000);
  const ticket = await buy(fixture, own);
  const known = { request_id: "before-off" };
  const held = await hold(fixture, own, { seats: 1 });
  const booked = await book(own, held.blocked, known);
  own.set({ services: new Set(["recharge"]) });
  expect(await own.post("/bus/book", { request_id: "off", block_ref: "x", amount: "7.5" })).toMatchObject({
    status: 200,
    body: failed("off", "service_not_enabled", "7.5"),
  });
  expect(await own.signed.post("/bus/book", { ...known, block_ref: "x", amount: "1" })).toMatchObject({
    status: 403,
    body: { error: "service_not_enabled", code: 331, status: "rejected" },
  });
  const { block_ref } = held.blocked.body;
  expect(await own.signed.post("/bus/book", { request_id: "off-again", block_ref, amount: "1" })).toMatchObject({ status: 403 });
  expect(await own.signed.get("/bus/book", known)).toEqual(booked);
  expect((await own.signed.get("/bus/ticket", { ticket_no: ticket.ticketNo })).status).toBe(200);
  for (const [path, query] of [
    ["/bus/book", { request_id: "nothing" }],
    ["/bus/book", { block_ref: "nothing" }],
    ["/bus/ticket", { ticket_no: "nothing" }],
  ] as const) {
    expect(await own.signed.get(path, query)).toMatchObject({ status: 403, body: { error: "service_not_enabled" } });
  }
  expect(await own.get("/bus/book", known)).toMatchObject({ status: 403, body: { error: "service_not_enabled" } });
  const others = ["/bus/cities", "/bus/trips", "/bus/seats", "/bus/cancel"];
  for (const path of others) expect((await own.signed.get(path)).body).toMatchObject({ status: "rejected", error: "service_not_enabled" });
});

test("a service that is off everywhere: new failed, known 403, the block stands", async () => {
  const own = await createBusFixture();
  const traveller = await own.newClient(5_000);
  const held = await hold(own, traveller, { seats: 1 });
  await book(traveller, held.blocked, { request_id: "known" });
  const { blocked } = await hold(own, traveller, { seats: 1 });
  await switchService(own.switches, "test", { service: "bus", enabled: false });
  expect(await book(traveller, blocked, { request_id: "new" })).toMatchObject({
    status: 200,
    body: { ok: false, status: "failed", error: "service_off" },
  });
  expect(await book(traveller, held.blocked, { request_id: "known" })).toMatchObject({ status: 403, body: { error: "service_off" } });
  expect((await traveller.signed.get("/bus/book", { request_id: "known" })).status).toBe(200);
  await switchService(own.switches, "test", { service: "bus", enabled: true });
  expect((await book(traveller, blocked, { request_id: "new" })).body["status"]).toBe("SUCCESS");
  await own.close();
});

const WRONG: readonly (readonly [field: string, more: Json])[] = [
  ["request_id", { request_id: undefined }],
  ["request_id", { request_id: "" }],
  ["request_id", { request_id: "a/b" }],
  ["block_ref", { block_ref: undefined }],
  ["block_ref", { block_ref: 7 }],
  ["block_ref", { block_ref: "x".repeat(65) }],
  ["amount", { amount: undefined }],
  ["amount", { amount: 100 }],
  ["amount", { amount: "0" }],
  ["amount", { amount: "-1" }],
  ["amount", { amount: "1.00001" }],
];

test.each(WRONG)("POST /bus/book names a wrong %s: %o", async (field, more) => {
  const answer = await client.signed.post("/bus/book", { request_id: newReference(), block_ref: "BLK1", amount: "10", ...more });
  expect(refusal(answer)).toEqual(refusedWith(400, "invalid_request", 120));
  expect(Object.keys(answer.body["fields"] as object)).toEqual([field]);
});

test("a failed booking gives its seats back, and its block is spent", async () => {
  const held = await hold(fixture, client, { mobile: "9876543102" });
  const before = await balanceOf(client);
  const answer = await book(client, held.blocked);
  expect(answer.body).toMatchObject({ ok: true, status: "FAILED", code: 1, ticket: { ticket_no: "", pnr: "" } });
  expect(await balanceOf(client)).toBe(before);
  expect(await freeSeats(other, held.tripId)).toEqual(expect.arrayContaining([...held.seats]));
  expect(refusal(await book(client, held.blocked))).toEqual(refusedWith(409, "block_already_booked", 4308));
  expect((await block(other, held.tripId, held.seats)).status).toBe(200);
});
