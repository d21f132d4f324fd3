import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { OrdersContext } from "../context.ts";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { deferred, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { beat, recoverOrders } from "./heartbeat.ts";
import { redatePolls } from "./order-jobs.ts";
import { pollOrders } from "./order-polls.ts";
import { repairPollTimes } from "./pending-poll-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  await fixture.owner`delete from processes`;
  await fixture.owner`update pending_polls set needs_human = true`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

async function inDoubt(ask: Parameters<typeof scripted>[0]) {
  const provider = scripted({ send: UNKNOWN, ...ask });
  const { ctx } = fixture.startProcess({ providers: { first: provider } });
  const process = { ctx };
  const accountId = await fixture.newAccount(fixture.startProcess(), 100);
  const placed = await placeOrder(process.ctx, newRequest(accountId));
  if (placed.kind !== "order") throw new Error("No order.");
  return { ctx, provider, orderId: placed.order.orderId };
}

const stateOf = async (orderId: string) => (await findById(fixture.database.sql, orderId))?.state;

test("an order in doubt is polled soon after the clock was set back by hours", async () => {
  const { ctx, orderId } = await inDoubt({ ask: SUCCEEDED });
  fixture.clock.advance(-3 * HOUR);
  await repairPollTimes(ctx.sql, ctx.clock.now());
  expect(await pollOrders(ctx)).toBe(1);
  expect(await stateOf(orderId)).toBe("SUCCESS");
});

test("an order in doubt is polled at once after the clock was set back by less than the longest poll interval", async () => {
  const { ctx, orderId } = await inDoubt({ ask: SUCCEEDED });
  fixture.clock.advance(-4 * MINUTE);
  await redatePolls(ctx, true, 5 * MINUTE);
  expect(await pollOrders(ctx)).toBe(1);
  expect(await stateOf(orderId)).toBe("SUCCESS");
});

test("later corrections after a clock step leave polls with a normal delay alone", async () => {
  const { ctx } = await inDoubt({ ask: SUCCEEDED });
  fixture.clock.advance(-4 * MINUTE);
  await redatePolls(ctx, false, 5 * MINUTE);
  expect(await pollOrders(ctx)).toBe(0);
});

test("a poll with a normal delay is left alone when poll times are repaired", async () => {
  const { ctx } = await inDoubt({ ask: SUCCEEDED });
  expect(await repairPollTimes(ctx.sql, ctx.clock.now())).toBe(0);
  expect(await pollOrders(ctx)).toBe(0);
});

test("an order unknown to the provider fails after the quiet time, which restarts when the clock was set back", async () => {
  const { ctx, orderId } = await inDoubt({ ask: { kind: "not_found" } });
  fixture.clock.advance(-3 * HOUR);
  await repairPollTimes(ctx.sql, ctx.clock.now());
  await pollOrders(ctx);
  expect(await stateOf(orderId)).toBe("pending");
  for (const seconds of [20, 40, 70, 70, 70]) {
    fixture.clock.advance(seconds * SECOND);
    await pollOrders(ctx);
  }
  expect(await stateOf(orderId)).toBe("FAILED");
});

test("a clock set forward does not fail an order before the provider's quiet time", async () => {
  const { ctx, orderId } = await inDoubt({ ask: { kind: "not_found" } });
  let steady = 0;
  const clock = { now: ctx.clock.now, steady: () => steady, steppedAt: () => 0 };
  const jumped: OrdersContext = { ...ctx, clock };
  fixture.clock.advance(HOUR);
  await pollOrders(jumped);
  fixture.clock.advance(HOUR);
  await pollOrders(jumped);
  expect(await stateOf(orderId)).toBe("pending");
  steady = HOUR;
  fixture.clock.advance(HOUR);
  await pollOrders(jumped);
  expect(await stateOf(orderId)).toBe("FAILED");
});

/** A process whose provider never answers; `sent` is the reference of the order that it sent. */
function processThatHangs() {
  const sent = deferred<string>();
  const provider = scripted({
    send: (request) => {
      sent.resolve(request.reference);
      return new Promise(() => {});
    },
  });
  return { process: fixture.startProcess({ providers: { first: provider } }), sent: sent.promise };
}

test("orders of a process that died before the clock was set back are found by the others", async () => {
  const { process: dead, sent } = processThatHangs();
  const accountId = await fixture.newAccount(dead, 100);
  void placeOrder(dead.ctx, newRequest(accountId)).catch(() => {});
  const orderId = await sent;
  await beat(dead.ctx);
  fixture.clock.advance(-3 * HOUR);
  const survivor = fixture.startProcess({ providers: { first: scripted({ ask: SUCCEEDED }) } }).ctx;
  await beat(survivor);
  expect(await recoverOrders(survivor)).toBe(1);
  expect(await pollOrders(survivor)).toBe(1);
  expect(await stateOf(orderId)).toBe("SUCCESS");
});

test("an order accepted right after the clock was set back is found although its process died before its next heartbeat", async () => {
  const { process: dead, sent } = processThatHangs();
  const accountId = await fixture.newAccount(dead, 100);
  await beat(dead.ctx);
  // As the clock watch does before it follows the database.
  await beat(dead.ctx, dead.ctx.clock.now() - 3 * HOUR);
  fixture.clock.advance(-3 * HOUR);
  void placeOrder(dead.ctx, newRequest(accountId)).catch(() => {});
  const orderId = await sent;
  fixture.clock.advance(MINUTE);
  const survivor = fixture.startProcess({ providers: { first: scripted({ ask: SUCCEEDED }) } }).ctx;
  await beat(survivor);
  expect(await recoverOrders(survivor)).toBe(1);
  await pollOrders(survivor);
  expect(await stateOf(orderId)).toBe("SUCCESS");
});
