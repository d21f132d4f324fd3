import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountWith } from "../../../api/client/gate/testing/account.ts";
import { requireMoney } from "../../../platform/core/money.ts";
import { reverseManually } from "../../orders/change-manually.ts";
import { providersNamed } from "../signed/provider-services.ts";
import type { Client, Json } from "../testing/service-fixture.ts";
import { createBlock } from "./blocks/create-block.ts";
import { cancelManually } from "./cancellations/cancel-manually.ts";
import { finishAbandonedCancellations } from "./cancellations/finish-cancellation.ts";
import type { BusContext, CancelContext } from "./context.ts";
import { cancelWith, contextWith, silent } from "./testing/half-done.ts";
import {
  type Booked,
  type BusFixture,
  balanceOf,
  block,
  blockBody,
  buy,
  cancel,
  createBusFixture,
  freeSeats,
  newReference,
  quote,
  ticketOf,
} from "./testing/travel.ts";

let fixture: BusFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createBusFixture();
  client = await fixture.newClient(1_000_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

test("of many cancellations of a ticket at once one is done, and its money comes back once", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(client, ticket.ticketNo, ticket.seats)));
  const done = answers.filter((one) => one.status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter((one) => one.status !== 200).every((one) => one.body["error"] === "not_cancellable")).toBe(true);
  expect(await balanceOf(client)).toBeCloseTo(before + Number(done[0]?.body["refund_amount"]), 4);
});

test("twenty identical cancellations are one", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const { body } = await quote(client, ticket.ticketNo, ticket.seats);
  const sent = { request_id: newReference(), ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: body["quote_ref"] };
  const before = await balanceOf(client);
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.signed.post("/bus/cancel", sent)));
  expect(new Set(answers.map((one) => one.body["cancel_id"])).size).toBe(1);
  expect(await balanceOf(client)).toBeCloseTo(before + Number(body["refund_amount"]), 4);
});

test("parts that are cancelled at the same time, by clients and by staff, end in one FAILED and never too much money", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("one", "two", "both", "by staff", "reverse"), { minLength: 2, maxLength: 6 }),
      async (wishes) => {
        const ticket = await buy(fixture, client, { seats: 2 });
        const before = await balanceOf(client);
        const parts: Record<string, readonly string[]> = { one: ticket.seats.slice(0, 1), two: ticket.seats.slice(1), both: ticket.seats };
        await Promise.all(
          wishes.map((wish) => {
            if (wish === "by staff") return cancelManually(fixture.cancelContext, "test", { orderId: ticket.orderId, reason: "asked for" });
            if (wish === "reverse") return reverseManually(fixture.ctx, "test", { orderId: ticket.orderId, reason: "no bus" });
            return cancel(client, ticket.ticketNo, parts[wish] ?? []);
          }),
        );
        const found = await client.signed.get("/bus/ticket", { order_id: ticket.orderId });
        const back = (await balanceOf(client)) - before;
        expect(back).toBeGreaterThan(0);
        expect(back).toBeLessThanOrEqual(ticket.total + 0.00001);
        // Nothing left of it: FAILED; and the other way round unless it was reversed.
        const left = ticketOf(found).seats.length;
        if (left === 0) expect(found.body["status"]).toBe("FAILED");
        if (found.body["status"] === "FAILED" && left > 0) expect(back).toBeCloseTo(ticket.total, 4);
        expect(await fixture.orders.violations()).toEqual([]);
      },
    ),
    { numRuns: 15 },
  );
});

test("a provider that does not answer leaves the cancellation on record; a repeat, or the housekeeping, ends it", async () => {
  const finishers: readonly ((ticket: Booked, requestId: string) => Promise<unknown>)[] = [
    (ticket, request_id) => cancelWith(fixture.cancelContext as BusContext, client, ticket, { request_id, quote_ref: kept }),
    () => {
      fixture.orders.clock.advance(31_000);
      return finishAbandonedCancellations(fixture.cancelContext);
    },
    // Another request for the ticket ends it first, then finds nothing to cancel.
    (ticket) => cancel(client, ticket.ticketNo, ticket.seats),
  ];
  let kept = "";
  for (const finish of finishers) {
    const ticket = await buy(fixture, client, { seats: 2 });
    const before = await balanceOf(client);
    const { body } = await quote(client, ticket.ticketNo, ticket.seats);
    kept = String(body["quote_ref"]);
    const requestId = newReference();
    const ctx = contextWith(fixture, { cancel: silent });
    expect(await cancelWith(ctx, client, ticket, { request_id: requestId, quote_ref: kept })).toMatchObject({
      kind: "refused",
      error: "busy",
    });
    expect(await balanceOf(client)).toBe(before);
    expect((await freeSeats(client, ticket.tripId)).some((seat) => ticket.seats.includes(seat))).toBe(false);
    await finish(ticket, requestId);
    expect(await balanceOf(client)).toBeCloseTo(before + Number(body["refund_amount"]), 4);
    expect((await client.signed.get("/bus/ticket", { order_id: ticket.orderId })).body["status"]).toBe("FAILED");
    // The client's own repeat finds it done.
    const repeat = { request_id: requestId, ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: kept };
    expect((await client.signed.post("/bus/cancel", repeat)).body).toMatchObject({ ok: true, refund_amount: body["refund_amount"] });
  }
});

test("a ticket that is reversed while its provider is asked returns everything, once", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const reversing = contextWith(fixture, {
    cancel: async () => {
      await reverseManually(fixture.ctx, "test", { orderId: ticket.orderId, reason: "no bus" });
      return { kind: "cancelled" };
    },
  });
  expect(await cancelWith(reversing, client, ticket)).toMatchObject({ kind: "refused", error: "not_cancellable" });
  expect(await balanceOf(client)).toBeCloseTo(before + ticket.total, 4);
});

const blockWith = async (ctx: BusContext, input: Json) =>
  (await createBlock(ctx).handle({ account: accountWith({ accountId: client.accountId }), input, requestId: "R" })) as Json;

test("a provider that sold a seat meanwhile undoes the block, and leaves reference and seats free", async () => {
  const tripId = fixture.trip(1);
  const seats = (await freeSeats(client, tripId)).slice(0, 2);
  const body = blockBody(tripId, seats);
  const sold = contextWith(fixture, { block: async () => ({ kind: "unavailable", why: "Sold meanwhile." }) });
  expect(await blockWith(sold, body)).toMatchObject({ kind: "refused", error: "seat_unavailable" });
  expect(await freeSeats(client, tripId)).toEqual(expect.arrayContaining(seats));
  expect((await client.signed.post("/bus/block", body)).status).toBe(200);
});

test("a provider that does not answer leaves the seats held; a repeat confirms the same block", async () => {
  const tripId = fixture.trip(1);
  const seats = (await freeSeats(client, tripId)).slice(0, 2);
  const body = blockBody(tripId, seats);
  const references: string[] = [];
  const mute = contextWith(fixture, {
    block: async ({ reference }) => {
      references.push(reference);
      throw new Error("no answer");
    },
  });
  for (let tried = 0; tried < 2; tried++) expect(await blockWith(mute, body)).toMatchObject({ kind: "refused", error: "busy" });
  expect(new Set(references).size).toBe(1);
  const unknown = await client.signed.get("/bus/book", { block_ref: references[0] ?? "" });
  expect(unknown.body["error"]).toBe("block_not_found");
  expect((await block(client, tripId, seats)).status).toBe(409);
  expect((await client.signed.post("/bus/block", body)).body["block_ref"]).toBe(references[0]);
});

test.each([
  ["names a seat twice", (seats: readonly string[]) => [seats[0], seats[0]]],
  ["omits a seat", (seats: readonly string[]) => seats.slice(0, 1)],
  ["adds a seat", (seats: readonly string[]) => [...seats, "Z9"]],
  ["names another seat", (seats: readonly string[]) => [seats[0], "Z9"]],
])("a provider whose answer %s confirms no block; a correct answer to a repeat does", async (_, named) => {
  const tripId = fixture.trip(1);
  const seats = (await freeSeats(client, tripId)).slice(0, 2);
  const body = blockBody(tripId, seats);
  const fares = named(seats).map((seat = "") => ({ seat, total: requireMoney("500") }));
  const wrong = contextWith(fixture, { block: async () => ({ kind: "blocked", providerRef: "P1", fares }) });
  expect(await blockWith(wrong, body)).toMatchObject({ kind: "refused", error: "busy" });
  expect((await block(client, tripId, seats)).status).toBe(409);
  expect((await client.signed.post("/bus/block", body)).status).toBe(200);
});

test("with no provider that can do it, a new block is refused, and a cancellation waits", async () => {
  const nobody = { ...contextWith(fixture, {}), providerServices: { bus: providersNamed({}) } } as BusContext;
  expect(await blockWith(nobody, blockBody(fixture.trip(1), ["A1"]))).toMatchObject({ kind: "refused", error: "service_off" });
  const ticket = await buy(fixture, client);
  expect(await cancelWith(nobody, client, ticket)).toMatchObject({ kind: "refused", error: "busy" });
  fixture.orders.clock.advance(31_000);
  await finishAbandonedCancellations(nobody as CancelContext);
  fixture.orders.clock.advance(31_000);
  await finishAbandonedCancellations(fixture.cancelContext);
  expect((await client.signed.get("/bus/ticket", { order_id: ticket.orderId })).body["status"]).toBe("FAILED");
});
