import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OrdersContext } from "../context.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newOrder, type OrdersFixture } from "../testing/fixture.ts";
import { accept, settle } from "../testing/operations.ts";
import { SUCCEEDED, scripted } from "../testing/scripted-connector.ts";
import { beat, deregisterProcess, recoverOrders } from "./heartbeat.ts";
import { pollOrders } from "./order-polls.ts";
import { searchAgain } from "./search-again.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  await fixture.owner`delete from processes`;
  await fixture.owner`delete from orphan_searches`;
  await fixture.owner`update pending_polls set needs_human = true`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const processIds = async () =>
  (await fixture.owner<{ process_id: string }[]>`select process_id from processes`).map((one) => one.process_id);
const searchedFor = async () =>
  (await fixture.owner<{ process_id: string }[]>`select process_id from orphan_searches`).map((one) => one.process_id);

/** A process with an accept that the database has not executed yet. */
async function withAccept() {
  const started = fixture.startProcess();
  const accountId = await fixture.newAccount(started, 100);
  await beat(started.ctx);
  const order = newOrder(accountId, { createdAt: fixture.clock.now() });
  return { ...started, accountId, order, execute: () => started.ctx.writer.write(accept(order)) };
}

/** A process that takes over what others leave. */
function survivor(): OrdersContext {
  return fixture.startProcess({ providers: { first: scripted({ ask: SUCCEEDED }) } }).ctx;
}

const isPolled = async (orderId: string) => {
  const [row] = await fixture.owner<{ n: number }[]>`select count(*)::int as n from pending_polls where order_id = ${orderId}`;
  return row?.n === 1;
};

describe("an accept that is committed after its process was found dead", () => {
  test("is found a minute later, ends as its provider says, and is marked as unanswered", async () => {
    const dead = await withAccept();
    const other = survivor();
    fixture.clock.advance(16 * SECOND);
    expect(await recoverOrders(other)).toBe(0);
    await dead.execute();
    expect(await searchAgain(other)).toBe(0);
    fixture.clock.advance(MINUTE);
    expect(await searchAgain(other)).toBe(1);
    await pollOrders(other);
    expect(await findById(fixture.database.sql, dead.order.orderId)).toMatchObject({ state: "SUCCESS" });
    const [row] = await fixture.owner<{ unanswered: boolean }[]>`select unanswered from orders where order_id = ${dead.order.orderId}`;
    expect(row?.unanswered).toBe(true);
  });

  test("is found ten minutes later if it was not committed before, and then the search ends", async () => {
    const dead = await withAccept();
    const other = survivor();
    fixture.clock.advance(16 * SECOND);
    await recoverOrders(other);
    fixture.clock.advance(2 * MINUTE);
    expect(await searchAgain(other)).toBe(0);
    await dead.execute();
    fixture.clock.advance(6 * MINUTE);
    expect(await searchAgain(other)).toBe(0);
    fixture.clock.advance(2 * MINUTE);
    expect(await searchAgain(other)).toBe(1);
    expect(await searchedFor()).toEqual([]);
    await pollOrders(other);
  });

  test("is found by one process only, also when several search", async () => {
    const dead = await withAccept();
    const others = [survivor(), survivor()];
    fixture.clock.advance(16 * SECOND);
    await Promise.all(others.map(recoverOrders));
    await dead.execute();
    fixture.clock.advance(MINUTE);
    const found = await Promise.all(others.map(searchAgain));
    expect(found.toSorted()).toEqual([0, 1]);
    for (const one of others) await pollOrders(one);
  });

  test("is found at once after the clock was set back, instead of when the time comes again", async () => {
    const dead = await withAccept();
    const other = survivor();
    fixture.clock.advance(16 * SECOND);
    await recoverOrders(other);
    await dead.execute();
    fixture.clock.advance(-60 * MINUTE);
    expect(await searchAgain(other)).toBe(1);
    fixture.clock.advance(60 * MINUTE);
    await pollOrders(other);
  });

  test("is found ten minutes after the clock was set back if it was not committed before", async () => {
    const dead = await withAccept();
    const other = survivor();
    fixture.clock.advance(16 * SECOND);
    await recoverOrders(other);
    fixture.clock.advance(-60 * MINUTE);
    for (let times = 0; times < 3; times++) expect(await searchAgain(other)).toBe(0);
    await dead.execute();
    fixture.clock.advance(10 * MINUTE);
    expect(await searchAgain(other)).toBe(1);
    expect(await searchedFor()).toEqual([]);
    fixture.clock.advance(50 * MINUTE);
    await pollOrders(other);
  });

  test.each([
    ["before the first search", 0],
    ["between the searches", 2],
  ])("is found ten minutes after the clock was set forward %s", async (_when, minutesBefore) => {
    const dead = await withAccept();
    const other = survivor();
    fixture.clock.advance(16 * SECOND);
    await recoverOrders(other);
    fixture.clock.advance(minutesBefore * MINUTE);
    expect(await searchAgain(other)).toBe(0);
    fixture.clock.advance(120 * MINUTE);
    for (let times = 0; times < 3; times++) expect(await searchAgain(other)).toBe(0);
    await dead.execute();
    fixture.clock.advance(10 * MINUTE);
    expect(await searchAgain(other)).toBe(1);
    expect(await searchedFor()).toEqual([]);
    await pollOrders(other);
  });
});

test("a process that was only silent is not searched for again", async () => {
  const silent = await withAccept();
  const other = survivor();
  fixture.clock.advance(16 * SECOND);
  await recoverOrders(other);
  expect(await searchedFor()).toEqual([silent.ctx.processId]);
  await silent.execute();
  await beat(silent.ctx);
  fixture.clock.advance(MINUTE);
  await beat(silent.ctx);
  expect(await searchAgain(other)).toBe(0);
  expect(await searchedFor()).toEqual([]);
  expect(await isPolled(silent.order.orderId)).toBe(false);
  await silent.ctx.writer.write(settle(silent.order, "SUCCESS", { hasPoll: false }));
});

describe("a process that stops", () => {
  test("is removed from the list, and nothing is searched for", async () => {
    const { ctx } = fixture.startProcess();
    await beat(ctx);
    await deregisterProcess(ctx);
    expect(await processIds()).toEqual([]);
    expect(await searchedFor()).toEqual([]);
  });

  test.each([
    ["an order in progress", (ctx: OrdersContext) => ctx.inProgress.add("key", ctx.ids.order(ctx.clock.now()), ctx.clock.now())],
    ["a reply that is owed", (ctx: OrdersContext) => ctx.inProgress.awaitReply(ctx.ids.order(ctx.clock.now()), ctx.clock.now())],
  ])("with %s stays on the list, so that another process takes over", async (_what, leave) => {
    const { ctx } = fixture.startProcess();
    await beat(ctx);
    leave(ctx);
    await deregisterProcess(ctx);
    expect(await processIds()).toEqual([ctx.processId]);
  });

  test("soon after the reply to an accept was lost leaves its search to another process", async () => {
    const stopping = await withAccept();
    await stopping.execute();
    stopping.ctx.inProgress.search.lastFailureAt = fixture.clock.now();
    await deregisterProcess(stopping.ctx);
    expect(await processIds()).toEqual([]);
    const other = survivor();
    expect(await recoverOrders(other)).toBe(0);
    fixture.clock.advance(5 * SECOND);
    expect(await searchAgain(other)).toBe(1);
    await pollOrders(other);
    expect(await findById(fixture.database.sql, stopping.order.orderId)).toMatchObject({ state: "SUCCESS" });
  });
});
