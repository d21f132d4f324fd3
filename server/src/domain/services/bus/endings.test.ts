import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import { settleManually } from "../../orders/change-manually.ts";
import { pollOrders } from "../../orders/recovery/order-polls.ts";
import { CODES, ENDINGS } from "../testing/endings.ts";
import type { Answer, Client } from "../testing/service-fixture.ts";
import {
  type BusFixture,
  balanceOf,
  block,
  book,
  cancel,
  createBusFixture,
  freeSeats,
  type Held,
  hold,
  ticketOf,
} from "./testing/travel.ts";

let fixture: BusFixture;
let other: Client;
const first = new Map<string, { readonly own: Client; readonly held: Held; readonly reply: Answer }>();

beforeAll(async () => {
  // Later results are far away until the clock is moved, which no test does before every first reply is there.
  fixture = await createBusFixture({ timeoutMilliseconds: 2_500, delayMilliseconds: 60_000 });
  other = await fixture.newClient();
  const replies = ENDINGS.map(async ({ digits }) => {
    const own = await fixture.newClient(2_000);
    const held = await hold(fixture, own, { mobile: `9876543${digits}` });
    first.set(digits, { own, held, reply: await book(own, held.blocked, { request_id: `ends-${digits}` }) });
  });
  await Promise.all(replies);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const SEATS_KEPT = { SUCCESS: true, FAILED: false, pending: true } as const;

test.concurrent.each(ENDINGS)("a mobile that ends in $digits: first $first, in the end $last", async (ending) => {
  const { digits, last } = ending;
  const { own, held, reply } = first.get(digits) as { own: Client; held: Held; reply: Answer };
  expect(reply).toMatchObject({
    status: 200,
    body: { ok: true, status: ending.first, code: CODES[ending.first], account: `9876543${digits}` },
  });
  if (ending.first === "pending") {
    expect(ticketOf(reply)).toMatchObject({ ticket_no: "", pnr: "", seats: held.seats });
    expect((await block(other, held.tripId, held.seats)).status).toBe(409);
  }
  await vi.waitFor(
    async () => {
      fixture.orders.clock.advance(1_000);
      await pollOrders(fixture.ctx);
      expect((await own.signed.get("/bus/book", { request_id: `ends-${digits}` })).body["status"]).toBe(last);
    },
    { timeout: WAIT_MILLISECONDS, interval: 20 },
  );
  const byOrder = await own.signed.get("/bus/ticket", { order_id: String(reply.body["order_id"]) });
  const issued = last === "SUCCESS" || digits === "120";
  expect(ticketOf(byOrder).ticket_no).toMatch(issued ? /^TKT/ : /^$/);
  expect(await balanceOf(own)).toBeCloseTo(last === "FAILED" ? 2_000 : 2_000 - Number(held.blocked.body["total"]), 4);
  const free = await freeSeats(other, held.tripId);
  expect(held.seats.some((seat) => free.includes(seat))).toBe(!SEATS_KEPT[last]);
  // A retry is answered with how it stands by then.
  expect((await book(own, held.blocked, { request_id: `ends-${digits}` })).body).toMatchObject({
    status: last,
    order_id: reply.body["order_id"],
  });
});

test("a booking that stays pending is settled manually; only then there is a ticket, and it can be cancelled", async () => {
  const own = await fixture.newClient(2_000);
  const held = await hold(fixture, own, { mobile: "9876543110" });
  const reply = await book(own, held.blocked);
  const orderId = String(reply.body["order_id"]);
  const row = await fixture.orders.owner<{ ticket_no: string }[]>`select ticket_no from bus_blocks where order_id = ${orderId}`;
  const ticketNo = row[0]?.ticket_no ?? "";
  expect((await own.signed.get("/bus/ticket", { ticket_no: ticketNo })).status).toBe(404);
  expect((await cancel(own, ticketNo, held.seats)).body["error"]).toBe("ticket_not_found");
  await settleManually(fixture.ctx, "test", { orderId, to: "SUCCESS", operatorRef: null, reason: "seen" });
  expect(ticketOf(await own.signed.get("/bus/ticket", { ticket_no: ticketNo }))).toMatchObject({ ticket_no: ticketNo, pnr: "" });
  expect((await cancel(own, ticketNo, held.seats)).status).toBe(200);
});
