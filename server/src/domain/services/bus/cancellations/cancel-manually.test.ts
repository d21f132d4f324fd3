import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../testing/service-fixture.ts";
import { type BusFixture, balanceOf, book, buy, cancel, createBusFixture, freeSeats, hold, ticketOf } from "../testing/travel.ts";
import { cancelManually } from "./cancel-manually.ts";

let fixture: BusFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  client = await fixture.newClient(100_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const manualChanges = (orderId: string) =>
  cancelManually(fixture.cancelContext, "key:K1", { orderId, reason: "the client asked by telephone" });
const paise = (rupees: number) => Math.round(rupees * 100);

test("what is left of a ticket is cancelled by its policy, and audited with who did it and why", async () => {
  const ticket = await buy(fixture, client, { seats: 3 });
  await cancel(client, ticket.ticketNo, ticket.seats.slice(0, 1));
  const fares = await fixture.orders.owner<{ fare: bigint }[]>`
    select fare from bus_block_seats where block_ref = ${String(ticket.blocked.body["block_ref"])} and seat = any(${ticket.seats.slice(1)})`;
  const left = fares.reduce((sum, one) => sum + Number(one.fare) / 100, 0);
  const before = await balanceOf(client);
  expect(await manualChanges(ticket.orderId)).toEqual({ kind: "done" });
  const refund = (left - Math.floor((left * 10 + 50) / 100)) / 100;
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
  const found = await client.signed.get("/bus/ticket", { ticket_no: ticket.ticketNo });
  expect(found.body).toMatchObject({ status: "FAILED", message: "The ticket was cancelled." });
  expect(ticketOf(found)).toMatchObject({ seats: [], cancelled_seats: ticket.seats });
  const audit = await fixture.orders.owner<{ actor: string; action: string; details: string }[]>`
    select actor, action, details from audit_log where subject_id = ${ticket.orderId}`;
  expect(audit.map((one) => ({ ...one, details: JSON.parse(one.details) }))).toEqual([
    {
      actor: "key:K1",
      action: "order.cancelled",
      details: {
        reason: "the client asked by telephone",
        cancel_id: expect.stringMatching(/^CAN/),
        seats: ticket.seats.slice(1),
        refund_amount: refund.toFixed(4),
      },
    },
  ]);
  expect(await freeSeats(client, ticket.tripId)).toEqual(expect.arrayContaining([...ticket.seats]));
});

test("a trip without partial cancellation is cancelled as a whole", async () => {
  const ticket = await buy(fixture, client, { trip: 3, seats: 2 });
  const before = await balanceOf(client);
  expect(await manualChanges(ticket.orderId)).toEqual({ kind: "done" });
  expect(paise((await balanceOf(client)) - before)).toBe(paise(ticket.total) - Math.floor((paise(ticket.total) * 12.5 + 50) / 100));
});

test("an order that is no ticket, is not SUCCESS, or has departed is refused as a conflict with the reason", async () => {
  expect(await manualChanges("NOBODY")).toEqual({ kind: "not_found" });
  const recharge = await client.recharge("by-hand");
  expect(await manualChanges(String(recharge.body["order_id"]))).toEqual({ kind: "conflict", reason: "The order is not a bus ticket." });
  const { blocked } = await hold(fixture, client, { mobile: "9876543110" });
  const pending = await book(client, blocked);
  expect(await manualChanges(String(pending.body["order_id"]))).toEqual({ kind: "conflict", reason: "The order is pending." });
  const ticket = await buy(fixture, client);
  await manualChanges(ticket.orderId);
  expect(await manualChanges(ticket.orderId)).toEqual({ kind: "conflict", reason: "The order is FAILED." });
  const kept = await buy(fixture, client, { trip: 5, seats: 1 });
  expect(await manualChanges(kept.orderId)).toMatchObject({
    kind: "conflict",
    reason: expect.stringMatching(/does not take this ticket back/),
  });
  const departed = await buy(fixture, client, { days: 1 });
  fixture.orders.clock.advance(2 * 24 * 60 * 60 * 1000);
  expect(await manualChanges(departed.orderId)).toMatchObject({
    kind: "conflict",
    reason: expect.stringMatching(/departed.*Reverse the order/),
  });
});
