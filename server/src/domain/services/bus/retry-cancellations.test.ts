import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../testing/service-fixture.ts";
import { finishAbandonedCancellations } from "./cancellations/finish-cancellation.ts";
import type { CancelRequest } from "./provider-service.ts";
import { cancelWith, contextWith, silent } from "./testing/half-done.ts";
import { type Booked, type BusFixture, buy, createBusFixture } from "./testing/travel.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

async function buyAndCancelInVain(): Promise<Booked> {
  const ticket = await buy(fixture, client, { seats: 1 });
  await cancelWith(contextWith(fixture, { cancel: silent }), client, ticket);
  return ticket;
}

async function statusOf(ticket: Booked): Promise<unknown> {
  return (await client.signed.get("/bus/ticket", { order_id: ticket.orderId })).body["status"];
}

test("cancellations that fail, and more of them than one round takes, do not hold up the others", async () => {
  const stuck = await buyAndCancelInVain();
  await fixture.orders.owner`
    insert into bus_cancellations (account_id, cancel_id, block_ref, order_id, reason, seats, refund, state, created_at, next_at)
    select account_id, 'CANSTUCK' || n, case when n = 1 then 'GONE' else block_ref end, order_id, reason, seats, refund, state, created_at,
      next_at - interval '1 hour'
    from bus_cancellations, generate_series(1, 60) n where order_id = ${stuck.orderId}`;
  const ticket = await buyAndCancelInVain();
  fixture.orders.clock.advance(31_000);
  const answersOthers = async ({ orderId }: CancelRequest) =>
    orderId === stuck.orderId ? await silent() : ({ kind: "cancelled" } as const);
  const ctx = contextWith(fixture, { cancel: answersOthers });
  await finishAbandonedCancellations(ctx);
  await finishAbandonedCancellations(ctx);
  expect([await statusOf(stuck), await statusOf(ticket)]).toEqual(["SUCCESS", "FAILED"]);
  await fixture.orders.owner`delete from bus_cancellations where order_id = ${stuck.orderId}`;
});

test("a provider that does not answer is asked every minute, after a day every hour, and then still believed", async () => {
  const ticket = await buyAndCancelInVain();
  let calls = 0;
  const counting = contextWith(fixture, {
    cancel: async () => {
      calls++;
      return await silent();
    },
  });
  const callsWithin = async (milliseconds: number, steps: number) => {
    calls = 0;
    for (let step = 0; step < steps; step++) {
      fixture.orders.clock.advance(milliseconds / steps);
      await finishAbandonedCancellations(counting);
    }
    return calls;
  };
  await callsWithin(5 * MINUTE, 5);
  expect(await callsWithin(4 * MINUTE, 12)).toBe(4);
  await callsWithin(25 * HOUR, 1);
  expect(await callsWithin(4 * HOUR, 12)).toBe(4);
  fixture.orders.clock.advance(HOUR);
  await finishAbandonedCancellations(contextWith(fixture, {}));
  expect(await statusOf(ticket)).toBe("FAILED");
});
