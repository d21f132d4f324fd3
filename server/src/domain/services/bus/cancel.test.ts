import { afterAll, beforeAll, expect, test } from "vitest";
import { reverseManually } from "../../orders/change-manually.ts";
import type { Client, Json } from "../testing/service-fixture.ts";
import { commonFields } from "../testing/service-fixture.ts";
import {
  type BusFixture,
  balanceOf,
  block,
  buy,
  cancel,
  createBusFixture,
  freeSeats,
  newReference,
  quote,
  refusal,
  refusedWith,
  ticketOf,
} from "./testing/travel.ts";

let fixture: BusFixture;
let client: Client;
let other: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  [client, other] = [await fixture.newClient(100_000), await fixture.newClient(100_000)];
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const MINUTE = 60_000;
const paise = (rupees: number | string) => Math.round(Number(rupees) * 100);
/** Reckoned apart from the code: a share of so many paise, half up. */
const share = (amount: number, percent: number) => Math.floor((amount * percent + 50) / 100);

test("a quote says what comes back now, takes nothing and lasts ten minutes", async () => {
  const ticket = await buy(fixture, client);
  const before = await balanceOf(client);
  const { status, body } = await quote(client, ticket.ticketNo, ticket.seats);
  const charges = share(paise(ticket.total), 10);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...commonFields("bus"),
      ticket_no: ticket.ticketNo,
      seats: ticket.seats,
      quote_ref: expect.stringMatching(/^QUO[0-9A-Z]{18}$/),
      refund_amount: ((paise(ticket.total) - charges) / 100).toFixed(4),
      charges: (charges / 100).toFixed(4),
      valid_until: expect.any(Number),
    },
  });
  const left = Number(body["valid_until"]) - fixture.orders.clock.now() / 1000;
  expect(left > 590 && left <= 600).toBe(true);
  expect(await balanceOf(client)).toBe(before);
});

test("cancelling the whole ticket returns the quote's refund and turns the order FAILED", async () => {
  const ticket = await buy(fixture, client);
  const before = await balanceOf(client);
  const refund = (paise(ticket.total) - share(paise(ticket.total), 10)) / 100;
  const { status, body } = await cancel(client, ticket.ticketNo, ticket.seats, { request_id: "whole" });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...commonFields("bus"),
      request_id: "whole",
      urid: "whole",
      cancel_id: expect.stringMatching(/^CAN[0-9A-Z]{18}$/),
      refund_amount: refund.toFixed(4),
      cancelled_seats: ticket.seats,
      order_id: ticket.orderId,
    },
  });
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
  const found = await client.signed.get("/bus/ticket", { ticket_no: ticket.ticketNo });
  expect(found.body).toMatchObject({
    ok: true,
    status: "FAILED",
    code: 1,
    message: "The ticket was cancelled.",
    refund_amount: refund.toFixed(4),
    ticket: { ticket_no: ticket.ticketNo, seats: [], cancelled_seats: ticket.seats, refund_amount: refund.toFixed(4) },
  });
  expect((await block(other, ticket.tripId, ticket.seats)).status).toBe(200);
});

test("cancelling a part leaves the order SUCCESS, and only that part's seats are free", async () => {
  const ticket = await buy(fixture, client, { seats: 3 });
  const [first = "", ...rest] = ticket.seats;
  const before = await balanceOf(client);
  const { body } = await cancel(client, ticket.ticketNo, [first]);
  expect(await balanceOf(client)).toBeCloseTo(before + Number(body["refund_amount"]), 4);
  const found = await client.signed.get("/bus/book", { block_ref: String(ticket.blocked.body["block_ref"]) });
  expect(found.body).toMatchObject({ status: "SUCCESS", amount: ticket.blocked.body["total"] });
  expect(ticketOf(found)).toMatchObject({ seats: rest, cancelled_seats: [first], refund_amount: body["refund_amount"] });
  const free = await freeSeats(other, ticket.tripId);
  expect([free.includes(first), rest.some((seat) => free.includes(seat))]).toEqual([true, false]);
  // The rest of it later: then it is FAILED, and never more than its amount has come back.
  const last = await cancel(client, ticket.ticketNo, rest);
  expect(last.status).toBe(200);
  expect((await client.signed.get("/bus/ticket", { order_id: ticket.orderId })).body).toMatchObject({ status: "FAILED" });
  expect(Number(body["refund_amount"]) + Number(last.body["refund_amount"])).toBeLessThan(ticket.total);
});

test("what a reversal returns after a part was cancelled is the rest", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  await cancel(client, ticket.ticketNo, ticket.seats.slice(0, 1));
  await reverseManually(fixture.ctx, "test", { orderId: ticket.orderId, reason: "no bus came" });
  expect(await balanceOf(client)).toBeCloseTo(before + ticket.total, 4);
  expect(refusal(await quote(client, ticket.ticketNo, ticket.seats.slice(1)))).toEqual(refusedWith(422, "not_cancellable", 4311));
});

test("a repeat answers the same cancellation, other details 409, and the money comes once", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const { body: quoted } = await quote(client, ticket.ticketNo, ticket.seats);
  const body = { request_id: newReference(), ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: quoted["quote_ref"] };
  const first = await client.signed.post("/bus/cancel", body);
  const before = await balanceOf(client);
  expect(await client.signed.post("/bus/cancel", { ...body, seats: ticket.seats.toReversed() })).toEqual(first);
  fixture.orders.clock.advance(30 * MINUTE);
  expect(await client.signed.post("/bus/cancel", body)).toEqual(first);
  const changed = await client.signed.post("/bus/cancel", { ...body, seats: ticket.seats.slice(1) });
  expect(refusal(changed)).toEqual(refusedWith(409, "duplicate_reference", 124));
  expect(changed.body["order_id"]).toBe(ticket.orderId);
  expect(await balanceOf(client)).toBe(before);
});

test("no cancellation returns more than what is left of the payment, whatever the seats are said to cost", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const [first = "", second = ""] = ticket.seats;
  await fixture.orders.owner`update bus_block_seats set fare = fare * 2 where block_ref = ${String(ticket.blocked.body["block_ref"])}`;
  const before = await balanceOf(client);
  const one = await cancel(client, ticket.ticketNo, [first]);
  const other = await cancel(client, ticket.ticketNo, [second]);
  expect([one.status, other.status]).toEqual([200, 200]);
  const [firstRefund, secondRefund] = [Number(one.body["refund_amount"]), Number(other.body["refund_amount"])];
  expect(firstRefund + secondRefund).toBeCloseTo(ticket.total, 4);
  expect(await balanceOf(client)).toBeCloseTo(before + ticket.total, 4);
});

test("a quote must be this ticket's, for these seats, and still hold", async () => {
  const [one, two] = [await buy(fixture, client, { seats: 2 }), await buy(fixture, client, { seats: 2 })];
  const { body: quoted } = await quote(client, one.ticketNo, one.seats);
  const post = (more: Json) =>
    client.signed.post("/bus/cancel", {
      request_id: newReference(),
      ticket_no: one.ticketNo,
      seats: one.seats,
      quote_ref: quoted["quote_ref"],
      ...more,
    });
  const no = refusedWith(409, "cancel_quote_changed", 4313);
  expect(refusal(await post({ quote_ref: "nothing" }))).toEqual(no);
  expect(refusal(await post({ seats: one.seats.slice(1) }))).toEqual(no);
  expect(refusal(await post({ ticket_no: two.ticketNo, seats: two.seats }))).toEqual(no);
  const before = await balanceOf(client);
  fixture.orders.clock.advance(10 * MINUTE);
  const reference = { request_id: "late-quote" };
  expect(refusal(await post(reference))).toEqual(no);
  expect(await balanceOf(client)).toBe(before);
  // The reference is free: with a new quote it goes through.
  const again = await quote(client, one.ticketNo, one.seats);
  expect((await post({ ...reference, quote_ref: again.body["quote_ref"] })).status).toBe(200);
});

test("a refund that became smaller since the quote is not paid", async () => {
  const own = await createBusFixture();
  const traveller = await own.newClient(5_000);
  const ticket = await buy(own, traveller, { days: 3 });
  const [{ departure_at: departure = new Date(0) } = {}] = await own.orders.owner<{ departure_at: Date }[]>`
    select departure_at from bus_blocks where order_id = ${ticket.orderId}`;
  const at = (hoursBefore: number, minutes = 0) =>
    own.orders.clock.advance(departure.getTime() - hoursBefore * 60 * MINUTE + minutes * MINUTE - own.orders.clock.now());
  const total = paise(ticket.total);
  for (const [hours, percent] of [
    [24, 10],
    [12, 25],
    [4, 50],
  ] as const) {
    at(hours, -2);
    const { body } = await quote(traveller, ticket.ticketNo, ticket.seats);
    expect(paise(String(body["charges"]))).toBe(share(total, percent));
    at(hours, 2);
    const sent = { request_id: newReference(), ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: body["quote_ref"] };
    expect(refusal(await traveller.signed.post("/bus/cancel", sent))).toEqual(refusedWith(409, "cancel_quote_changed", 4313));
  }
  at(1);
  const [one = "", ...others] = ticket.seats;
  expect((await quote(traveller, ticket.ticketNo, [one])).body).toMatchObject({ refund_amount: "0.0000" });
  // Nothing comes back, but the seat is somebody else's again.
  expect((await cancel(traveller, ticket.ticketNo, [one])).body).toMatchObject({ refund_amount: "0.0000", cancelled_seats: [one] });
  at(0);
  expect(refusal(await quote(traveller, ticket.ticketNo, others))).toEqual(refusedWith(422, "not_cancellable", 4311));
  expect(await own.orders.violations()).toEqual([]);
  await own.close();
});

test("a whole ticket may be cancelled for nothing", async () => {
  const own = await createBusFixture();
  const traveller = await own.newClient(5_000);
  const ticket = await buy(own, traveller, { days: 1, trip: 6 });
  const [{ departure_at: departure = new Date(0) } = {}] = await own.orders.owner<{ departure_at: Date }[]>`
    select departure_at from bus_blocks where order_id = ${ticket.orderId}`;
  own.orders.clock.advance(departure.getTime() - 60 * MINUTE - own.orders.clock.now());
  const before = await balanceOf(traveller);
  expect((await cancel(traveller, ticket.ticketNo, ticket.seats)).body).toMatchObject({ ok: true, refund_amount: "0.0000" });
  expect((await traveller.signed.get("/bus/ticket", { order_id: ticket.orderId })).body).toMatchObject({ status: "FAILED" });
  expect(await balanceOf(traveller)).toBe(before);
  expect(await own.orders.violations()).toEqual([]);
  await own.close();
});

test("seats of another ticket, and those that were cancelled, are not cancellable", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const [first = "", second = ""] = ticket.seats;
  const no = refusedWith(422, "not_cancellable", 4311);
  expect(refusal(await quote(client, ticket.ticketNo, ["Z9"]))).toEqual(no);
  await cancel(client, ticket.ticketNo, [first]);
  expect(refusal(await quote(client, ticket.ticketNo, [first, second]))).toEqual(no);
  expect(refusal(await cancel(client, ticket.ticketNo, [first]))).toEqual(no);
  await cancel(client, ticket.ticketNo, [second]);
  expect(refusal(await cancel(client, ticket.ticketNo, [second]))).toEqual(no);
});

test("a trip whose tickets are cancelled as a whole refuses a part", async () => {
  const ticket = await buy(fixture, client, { trip: 3, seats: 2 });
  const no = refusedWith(422, "partial_cancel_not_allowed", 4312);
  expect(refusal(await quote(client, ticket.ticketNo, ticket.seats.slice(1)))).toEqual(no);
  expect(refusal(await cancel(client, ticket.ticketNo, ticket.seats.slice(1)))).toEqual(no);
  const { body } = await cancel(client, ticket.ticketNo, ticket.seats);
  expect(paise(String(body["refund_amount"]))).toBe(paise(ticket.total) - Math.floor((paise(ticket.total) * 12.5 + 50) / 100));
});

test("a provider that takes nothing back leaves the ticket as it was", async () => {
  const ticket = await buy(fixture, client, { trip: 5, seats: 1 });
  const before = await balanceOf(client);
  const { body: quoted } = await quote(client, ticket.ticketNo, ticket.seats);
  const sent = { request_id: "refused-there", ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: quoted["quote_ref"] };
  for (let tried = 0; tried < 2; tried++)
    expect(refusal(await client.signed.post("/bus/cancel", sent))).toEqual(refusedWith(422, "not_cancellable", 4311));
  expect(await balanceOf(client)).toBe(before);
  const found = await client.signed.get("/bus/ticket", { ticket_no: ticket.ticketNo });
  expect(found.body).toMatchObject({ status: "SUCCESS", ticket: { seats: ticket.seats, cancelled_seats: [] } });
});

test("an account that is moving to another cell cancels nothing here, neither at the provider nor in the ledger", async () => {
  const mover = await fixture.newClient(10_000);
  const ticket = await buy(fixture, mover);
  const { sql } = fixture.orders.database;
  const moveTo = (cell: number | null) => sql`update wallets set moved_to = ${cell} where account_id = ${mover.accountId}`;
  await moveTo(1);
  const refused = await cancel(mover, ticket.ticketNo, ticket.seats);
  await moveTo(null);
  expect([refused.status, refused.body["error"]]).toEqual([503, "busy"]);
  expect((await cancel(mover, ticket.ticketNo, ticket.seats)).status).toBe(200);
});

test("no such ticket, and another account's, are 404", async () => {
  const ticket = await buy(fixture, client);
  const no = refusedWith(404, "ticket_not_found", 4310);
  expect(refusal(await quote(client, "TKT000000000000", ["A1"]))).toEqual(no);
  expect(refusal(await quote(other, ticket.ticketNo, ticket.seats))).toEqual(no);
  expect(refusal(await cancel(other, ticket.ticketNo, ticket.seats))).toEqual(no);
});

const good = () => ({ request_id: newReference(), ticket_no: "TKT1", seats: ["A1"], quote_ref: "QUO1" });
const WRONG: readonly (readonly [field: string, more: Json])[] = [
  ["request_id", { request_id: undefined }],
  ["request_id", { request_id: "a b" }],
  ["ticket_no", { ticket_no: undefined }],
  ["ticket_no", { ticket_no: "" }],
  ["ticket_no", { ticket_no: "x".repeat(65) }],
  ["seats", { seats: undefined }],
  ["seats", { seats: "A1,A2" }],
  ["seats", { seats: [] }],
  ["seats", { seats: ["A1", "A1"] }],
  ["seats", { seats: ["A1", "A2", "A3", "A4", "B1", "B2", "B3"] }],
  ["seats.0", { seats: [1] }],
  ["seats.0", { seats: ["A 1"] }],
  ["quote_ref", { quote_ref: undefined }],
  ["quote_ref", { quote_ref: 5 }],
];

test.each(WRONG)("POST /bus/cancel names a wrong %s: %o", async (field, more) => {
  const answer = await client.signed.post("/bus/cancel", { ...good(), ...more });
  expect(refusal(answer)).toEqual(refusedWith(400, "invalid_request", 120));
  expect(Object.keys(answer.body["fields"] as object)).toEqual([field]);
});

test.each([
  ["ticket_no", { seats: "A1" }],
  ["seats", { ticket_no: "TKT1" }],
  ["seats", { ticket_no: "TKT1", seats: "A1,A1" }],
  ["seats.0", { ticket_no: "TKT1", seats: "" }],
  ["seats.1", { ticket_no: "TKT1", seats: "A1," }],
  ["seats", { ticket_no: "TKT1", seats: "A1,A2,A3,A4,B1,B2,B3" }],
] as const)("GET /bus/cancel names a wrong %s: %o", async (field, query) => {
  const answer = await client.signed.get("/bus/cancel", query);
  expect(refusal(answer)).toEqual(refusedWith(400, "invalid_request", 120));
  expect(Object.keys(answer.body["fields"] as object)).toEqual([field]);
});

test("an account reason and a service that is not switched on refuse quote and cancellation", async () => {
  const own = await fixture.newClient(5_000);
  const ticket = await buy(fixture, own);
  own.set({ standing: "paused" });
  expect(await quote(own, ticket.ticketNo, ticket.seats)).toMatchObject({ status: 403, body: { error: "account_paused" } });
  expect(await own.signed.post("/bus/cancel", good())).toMatchObject({ status: 403, body: { error: "account_paused" } });
  own.set({ standing: "active", services: new Set() });
  expect(await own.signed.post("/bus/cancel", good())).toMatchObject({ status: 403, body: { error: "service_not_enabled" } });
  own.set({ services: new Set(["bus"]), wallet: "suspended" });
  // Money comes back even to a suspended wallet.
  expect((await cancel(own, ticket.ticketNo, ticket.seats)).status).toBe(200);
});

async function callbacksOf(version: 2 | 3, seats: readonly [number, number]): Promise<readonly unknown[]> {
  const own = await fixture.newClient(5_000);
  const at = new Date(fixture.orders.clock.now());
  await fixture.orders.owner`
    insert into accounts (account_id, name, sandbox, callback_url, callback_version, created_at, updated_at)
    values (${own.accountId}, 'Asha', false, 'https://example.com/cb', ${version}, ${at}, ${at})`;
  const ticket = await buy(fixture, own, { seats: 3 });
  await cancel(own, ticket.ticketNo, ticket.seats.slice(...seats));
  return await fixture.orders.owner`
    select order_id = ${ticket.orderId} as own, status, kind, amount::text = ${String(paise(ticket.total) * 100)} as whole
    from callbacks where account_id = ${own.accountId}`;
}

test("a cancelled ticket sends FAILED in version 3 only, and a partial cancellation sends nothing", async () => {
  expect(await callbacksOf(3, [0, 3])).toEqual([{ own: true, status: "FAILED", kind: "status", whole: true }]);
  expect(await callbacksOf(2, [0, 3])).toEqual([]);
  expect(await callbacksOf(3, [0, 2])).toEqual([]);
});
