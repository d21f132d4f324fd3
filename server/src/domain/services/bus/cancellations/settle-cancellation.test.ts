import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../testing/service-fixture.ts";
import { cancelWith, contextWith, silent } from "../testing/half-done.ts";
import { type Booked, type BusFixture, balanceOf, buy, cancel, createBusFixture, ticketOf } from "../testing/travel.ts";
import { finishAbandonedCancellations } from "./finish-cancellation.ts";
import { type CancellationSettlement, settleCancellation } from "./settle-cancellation.ts";

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

async function buyAndCancelInVain(): Promise<Booked & { readonly cancelId: string; readonly refund: number }> {
  const ticket = await buy(fixture, client, { seats: 2 });
  await cancelWith(contextWith(fixture, { cancel: silent }), client, ticket);
  const [row] = await fixture.orders.owner<{ cancel_id: string; refund: bigint }[]>`
    select cancel_id, refund from bus_cancellations where order_id = ${ticket.orderId}`;
  return { ...ticket, cancelId: row?.cancel_id ?? "", refund: Number(row?.refund) / 10_000 };
}

const settle = ({ orderId }: Booked, cancelId: string, outcome: CancellationSettlement["outcome"]) =>
  settleCancellation(fixture.cancelContext, "staff:S1", { orderId, cancelId, outcome, reason: "the provider said so by email" });

async function auditOf({ orderId }: Booked) {
  const rows = await fixture.orders.owner<{ actor: string; action: string; details: string }[]>`
    select actor, action, details from audit_log where subject_id = ${orderId}`;
  return rows.map(({ actor, action, details }) => ({ actor, action, details: JSON.parse(details) }));
}

test("staff who learn that the seats are cancelled have the quoted refund posted, once", async () => {
  const ticket = await buyAndCancelInVain();
  const before = await balanceOf(client);
  const results = await Promise.all([settle(ticket, ticket.cancelId, "cancelled"), settle(ticket, ticket.cancelId, "cancelled")]);
  expect(results).toContainEqual({ kind: "done" });
  expect(results).toContainEqual({ kind: "conflict", reason: "The cancellation is complete, and its refund is posted." });
  expect(await balanceOf(client)).toBeCloseTo(before + ticket.refund, 4);
  expect(await auditOf(ticket)).toMatchObject([
    {
      actor: "staff:S1",
      action: "order.cancelled",
      details: { reason: "the provider said so by email", outcome: "cancelled", cancel_id: ticket.cancelId },
    },
  ]);
});

test("staff who learn that the seats are not cancelled give them back to the ticket", async () => {
  const ticket = await buyAndCancelInVain();
  const before = await balanceOf(client);
  expect(await settle(ticket, ticket.cancelId, "not_cancelled")).toEqual({ kind: "done" });
  expect(await auditOf(ticket)).toMatchObject([{ action: "order.cancellation_ended", details: { outcome: "not_cancelled" } }]);
  const found = await client.signed.get("/bus/ticket", { order_id: ticket.orderId });
  expect([found.body["status"], ticketOf(found).seats, await balanceOf(client)]).toEqual(["SUCCESS", ticket.seats, before]);
  expect((await cancel(client, ticket.ticketNo, ticket.seats)).status).toBe(200);
});

test("a cancellation of another order, or one whose provider is being asked, is not decided", async () => {
  const [ticket, other] = [await buyAndCancelInVain(), await buyAndCancelInVain()];
  expect(await settle(other, ticket.cancelId, "not_cancelled")).toMatchObject({ kind: "conflict" });
  fixture.orders.clock.advance(60_000);
  const results: unknown[] = [];
  const askedMeanwhile = contextWith(fixture, {
    cancel: async ({ orderId }) => {
      if (orderId === ticket.orderId) results.push(await settle(ticket, ticket.cancelId, "not_cancelled"));
      return { kind: "cancelled" };
    },
  });
  await finishAbandonedCancellations(askedMeanwhile);
  expect(results).toMatchObject([{ kind: "conflict", reason: expect.stringContaining("being asked") }]);
  expect((await client.signed.get("/bus/ticket", { order_id: ticket.orderId })).body["status"]).toBe("FAILED");
});
