import { afterAll, beforeAll, expect, test } from "vitest";
import { deferred } from "../../orders/testing/scripted-connector.ts";
import { providersNamed } from "../signed/provider-services.ts";
import type { Client } from "../testing/service-fixture.ts";
import { finishAbandonedCancellations } from "./cancellations/finish-cancellation.ts";
import { settleCancellation } from "./cancellations/settle-cancellation.ts";
import type { BusContext } from "./context.ts";
import type { Cancelled } from "./provider-service.ts";
import { cancelWith, contextWith, silent } from "./testing/half-done.ts";
import { type Booked, type BusFixture, balanceOf, buy, createBusFixture, newReference, quote } from "./testing/travel.ts";

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

const ALREADY_CANCELLED: Cancelled = { kind: "refused", why: "already cancelled" };

type Unanswered = {
  readonly ticket: Booked;
  readonly request: { readonly request_id: string; readonly quote_ref: unknown };
  readonly refund: number;
};

/** A cancellation whose first call to the provider had no answer. */
async function unanswered(): Promise<Unanswered> {
  const ticket = await buy(fixture, client, { seats: 2 });
  const { body } = await quote(client, ticket.ticketNo, ticket.seats);
  const request = { request_id: newReference(), quote_ref: body["quote_ref"] };
  expect(await cancelWith(contextWith(fixture, { cancel: silent }), client, ticket, request)).toMatchObject({ error: "busy" });
  fixture.orders.clock.advance(60_000);
  return { ticket, request, refund: Number(body["refund_amount"]) };
}

async function refundsOf(ticket: Booked): Promise<number> {
  const [row] = await fixture.orders.owner<{ times: number }[]>`
    select count(*)::int as times from transfers where order_id = ${ticket.orderId} and kind = 'refund'`;
  return row?.times ?? 0;
}

async function doubtOf(ticket: Booked): Promise<string | null | undefined> {
  const [row] = await fixture.orders.owner<{ doubt: string | null }[]>`
    select doubt from bus_cancellations where order_id = ${ticket.orderId}`;
  return row?.doubt;
}

test("a client that cancels while the background job asks the provider gets one refund, whatever a second call would be answered", async () => {
  const { ticket, request, refund } = await unanswered();
  const before = await balanceOf(client);
  const started = deferred<void>();
  const answer = deferred<Cancelled>();
  let calls = 0;
  const cancelOnce = async () => {
    if (++calls > 1) return ALREADY_CANCELLED;
    started.resolve();
    return await answer.promise;
  };
  const ctx = { ...contextWith(fixture, { cancel: cancelOnce }), replyWaitMilliseconds: 20 };
  const background = finishAbandonedCancellations(ctx);
  await started.promise;
  expect(await cancelWith(ctx, client, ticket, request)).toMatchObject({ kind: "refused", error: "busy" });
  const waiting = cancelWith({ ...ctx, replyWaitMilliseconds: 5_000 }, client, ticket, request);
  answer.resolve({ kind: "cancelled" });
  await background;
  expect(await waiting).toMatchObject({ kind: "record", fields: { cancelled_seats: ticket.seats } });
  expect([calls, await refundsOf(ticket)]).toEqual([1, 1]);
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
});

test("a first call that had no answer but was carried out is refunded when the second is refused", async () => {
  const { ticket, request, refund } = await unanswered();
  const before = await balanceOf(client);
  const ctx = contextWith(fixture, { cancel: async () => ALREADY_CANCELLED, readTicketState: async () => "cancelled" });
  expect(await cancelWith(ctx, client, ticket, request)).toMatchObject({ kind: "record", fields: { cancelled_seats: ticket.seats } });
  expect(await refundsOf(ticket)).toBe(1);
  expect(await balanceOf(client)).toBeCloseTo(before + refund, 4);
});

test("a refusal after a call without an answer ends the cancellation only if the provider says that the ticket still has its seats", async () => {
  const { ticket, request } = await unanswered();
  const refusing = (state: "booked" | "unknown") =>
    contextWith(fixture, { cancel: async () => ({ kind: "refused", why: "too late" }), readTicketState: async () => state });
  expect(await cancelWith(refusing("unknown"), client, ticket, request)).toMatchObject({ kind: "refused", error: "busy" });
  expect(await doubtOf(ticket)).toMatch(/too late/);
  expect(await cancelWith(refusing("booked"), client, ticket, request)).toMatchObject({ kind: "refused", error: "not_cancellable" });
  expect([await doubtOf(ticket), await refundsOf(ticket)]).toEqual([undefined, 0]);
});

test("a refusal of the first call does not undo what a later call achieved", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const { body } = await quote(client, ticket.ticketNo, ticket.seats);
  const request = { request_id: newReference(), quote_ref: body["quote_ref"] };
  const slow = contextWith(fixture, {
    cancel: async () => {
      // This call lasts longer than its lease, and another process cancels meanwhile.
      await fixture.orders.owner`update bus_cancellations set asked_until = now() - interval '1 second' where order_id = ${ticket.orderId}`;
      expect(await cancelWith(contextWith(fixture, {}), client, ticket, request)).toMatchObject({ kind: "record" });
      return ALREADY_CANCELLED;
    },
  });
  expect(await cancelWith(slow, client, ticket, request)).toMatchObject({ kind: "record", fields: { cancelled_seats: ticket.seats } });
  expect(await refundsOf(ticket)).toBe(1);
});

test("a provider that cancelled is followed by the refund even if the record of the cancellation is gone", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const before = await balanceOf(client);
  const { body } = await quote(client, ticket.ticketNo, ticket.seats);
  const forgetful = contextWith(fixture, {
    cancel: async () => {
      await fixture.orders.owner`delete from bus_cancellations where order_id = ${ticket.orderId}`;
      await fixture.orders.owner`update bus_block_seats set cancel_id = null where block_ref = ${String(ticket.blocked.body["block_ref"])}`;
      return { kind: "cancelled" };
    },
  });
  expect(await cancelWith(forgetful, client, ticket, { quote_ref: body["quote_ref"] })).toMatchObject({ kind: "record" });
  expect(await refundsOf(ticket)).toBe(1);
  expect(await balanceOf(client)).toBeCloseTo(before + Number(body["refund_amount"]), 4);
});

test("seats that another cancellation has got meanwhile are refunded once", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const seat = { ...ticket, seats: ticket.seats.slice(0, 1) };
  const slow = contextWith(fixture, {
    cancel: async ({ reference }) => {
      // This call lasts longer than its lease. Staff decide that nothing was cancelled, and the client cancels the seat again.
      await fixture.orders.owner`update bus_cancellations set asked_until = now() - interval '1 second' where cancel_id = ${reference}`;
      const decided = { orderId: ticket.orderId, cancelId: reference, outcome: "not_cancelled", reason: "the provider says so" } as const;
      expect(await settleCancellation(fixture.cancelContext, "test", decided)).toEqual({ kind: "done" });
      expect(await cancelWith(contextWith(fixture, {}), client, seat)).toMatchObject({ kind: "record" });
      return { kind: "cancelled" };
    },
  });
  expect(await cancelWith(slow, client, seat)).toMatchObject({ kind: "refused", error: "busy" });
  for (let times = 0; times < 2; times++) {
    fixture.orders.clock.advance(60_000);
    await finishAbandonedCancellations(fixture.cancelContext);
  }
  expect(await refundsOf(ticket)).toBe(1);
  const left = await fixture.orders.owner<{ doubt: string }[]>`
    select doubt from bus_cancellations where order_id = ${ticket.orderId} and state = 'asked'`;
  expect(left).toEqual([{ doubt: expect.stringContaining("another cancellation") }]);
});

test("a cell that an account is leaving asks no provider, because the next cell would not know of the call", async () => {
  const ticket = await buy(fixture, client, { seats: 2 });
  const nobody: BusContext = { ...contextWith(fixture, {}), providerServices: { bus: providersNamed({}) } } as never;
  expect(await cancelWith(nobody, client, ticket)).toMatchObject({ kind: "refused", error: "busy" });
  let calls = 0;
  const ctx = contextWith(fixture, {
    cancel: async ({ orderId }) => {
      if (orderId === ticket.orderId) calls++;
      return { kind: "cancelled" };
    },
  });
  const retry = async () => {
    fixture.orders.clock.advance(60_000);
    await finishAbandonedCancellations(ctx);
    return calls;
  };
  await fixture.orders.owner`update wallets set moved_to = 1 where account_id = ${client.accountId}`;
  expect(await retry()).toBe(0);
  await fixture.orders.owner`update wallets set moved_to = null where account_id = ${client.accountId}`;
  expect([await retry(), await refundsOf(ticket)]).toEqual([1, 1]);
});

test("a call that is reserved for longer than any call lasts, because the database's clock was set back, does not block others", async () => {
  const { ticket } = await unanswered();
  await fixture.orders.owner`update bus_cancellations set asked_until = now() + interval '1 day' where order_id = ${ticket.orderId}`;
  await finishAbandonedCancellations(fixture.cancelContext);
  expect(await refundsOf(ticket)).toBe(1);
});
