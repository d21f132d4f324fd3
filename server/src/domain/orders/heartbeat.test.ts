import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { beat, deregisterProcess, recoverOrders } from "./heartbeat.ts";
import { placeOrder } from "./place-order.ts";
import { pollOrders } from "./poll-orders.ts";
import { findById } from "./store.ts";
import { createOrdersFixture, newOrder, newRequest, type OrdersFixture } from "./testing/fixture.ts";
import { accept } from "./testing/operations.ts";
import { deferred, SUCCEEDED, scripted } from "./testing/scripted-connector.ts";

const SECOND = 1_000;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  await fixture.owner`delete from processes`;
  await fixture.owner`update order_watch set needs_human = true`;
});
afterAll(() => fixture.close());

const never = () => new Promise<typeof SUCCEEDED>(() => {});

/** A process that dies while its provider works on an order: accepted and sent, then silence. */
async function deadProcess(send = never) {
  const provider = scripted({ send, ask: SUCCEEDED });
  const { ctx } = fixture.startProcess({ providers: { first: provider }, replyWaitMilliseconds: 3_600_000 });
  const accountId = await fixture.newAccount({ ctx, connection: fixture.owner }, 100);
  await beat(ctx);
  const sent = deferred<string>();
  provider.change({
    send: (request) => {
      sent.resolve(request.reference);
      return send();
    },
  });
  void placeOrder(ctx, newRequest(accountId)).catch(() => {});
  const orderId = await sent.promise;
  await beat(ctx);
  return { ctx, provider, accountId, orderId };
}

describe("after a crash", () => {
  test("the orders of the dead process are asked about, never sent again", async () => {
    const dead = await deadProcess();
    const survivor = fixture.startProcess({ providers: { first: dead.provider } }).ctx;
    fixture.clock.advance(16 * SECOND);
    await beat(survivor);
    expect(await recoverOrders(survivor)).toBe(1);
    expect(await pollOrders(survivor)).toBe(1);
    expect(await findById(fixture.database.sql, dead.orderId)).toMatchObject({ state: "SUCCESS" });
    expect(dead.provider.sent).toHaveLength(1);
    expect(dead.provider.asked).toHaveLength(1);
    expect(await fixture.violations()).toEqual([]);
  });

  test("they are found once, by whichever process comes first", async () => {
    await deadProcess();
    const survivors = [fixture.startProcess().ctx, fixture.startProcess().ctx];
    fixture.clock.advance(16 * SECOND);
    await Promise.all(survivors.map(beat));
    const found = await Promise.all(survivors.map(recoverOrders));
    expect(found.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await recoverOrders(survivors[0] as (typeof survivors)[0])).toBe(0);
  });

  test("an order that was accepted but never sent fails by the provider's word that it has none", async () => {
    const dead = fixture.startProcess();
    const accountId = await fixture.newAccount(dead, 100);
    await beat(dead.ctx);
    const order = newOrder(accountId, { createdAt: fixture.clock.now() });
    await dead.ctx.writer.write(accept(order));
    const provider = scripted({ ask: { kind: "not_found" } });
    const survivor = fixture.startProcess({ providers: { first: provider } }).ctx;
    fixture.clock.advance(16 * SECOND);
    await recoverOrders(survivor);
    await pollOrders(survivor);
    expect((await findById(fixture.database.sql, order.orderId))?.state).toBe("pending");
    fixture.clock.advance(30 * SECOND);
    await pollOrders(survivor);
    expect((await findById(fixture.database.sql, order.orderId))?.state).toBe("FAILED");
    expect(provider.sent).toEqual([]);
    expect(await fixture.balance(accountId)).toBe(100);
  });
});

describe("a process that lives", () => {
  test("keeps its orders to itself", async () => {
    const alive = await deadProcess();
    const other = fixture.startProcess().ctx;
    fixture.clock.advance(14 * SECOND);
    await beat(other);
    expect(await recoverOrders(other)).toBe(0);
    fixture.clock.advance(10 * SECOND);
    await beat(alive.ctx);
    await beat(other);
    expect(await recoverOrders(other)).toBe(0);
    fixture.clock.advance(60 * SECOND);
    await beat(alive.ctx);
    // Not even by itself, while it works on them.
    expect(await recoverOrders(alive.ctx)).toBe(0);
  });

  test("finds its own order whose acceptance it never heard of", async () => {
    const process = fixture.startProcess();
    const accountId = await fixture.newAccount(process, 100);
    const order = newOrder(accountId, { createdAt: fixture.clock.now() });
    await process.ctx.writer.write(accept(order));
    await beat(process.ctx);
    expect(await recoverOrders(process.ctx)).toBe(0);
    fixture.clock.advance(61 * SECOND);
    await beat(process.ctx);
    expect(await recoverOrders(process.ctx)).toBe(1);
  });

  /** What an earlier search has been past, and nobody works on. */
  async function strayOf(process: ReturnType<OrdersFixture["startProcess"]>) {
    const accountId = await fixture.newAccount(process, 100);
    await recoverOrders(process.ctx);
    const order = newOrder(accountId, { createdAt: fixture.clock.now() - 120 * SECOND });
    await process.ctx.writer.write(accept(order));
    // The batch's time is the order's; this one was written in time, and its reply was held up.
    await fixture.owner`update orders set created_at = ${new Date(order.createdAt)} where order_id = ${order.orderId}`;
    return order;
  }

  test("does not go through everything recent again and again, but does so once something went wrong", async () => {
    const process = fixture.startProcess();
    await strayOf(process);
    fixture.clock.advance(6 * SECOND);
    expect(await recoverOrders(process.ctx)).toBe(0);
    process.ctx.open.search.lastFailureAt = fixture.clock.now();
    expect(await recoverOrders(process.ctx)).toBe(1);
  });

  test("finds an order that was under way at the last search and has been given up since", async () => {
    const provider = scripted({ send: never, ask: SUCCEEDED });
    const process = fixture.startProcess({ providers: { first: provider }, replyWaitMilliseconds: 3_600_000 });
    const accountId = await fixture.newAccount(process, 100);
    const sent = deferred<string>();
    provider.change({
      send: (request) => {
        sent.resolve(request.reference);
        return never();
      },
    });
    const request = newRequest(accountId);
    void placeOrder(process.ctx, request).catch(() => {});
    const orderId = await sent.promise;
    for (const _search of [1, 2, 3]) {
      fixture.clock.advance(30 * SECOND);
      expect(await recoverOrders(process.ctx)).toBe(0);
    }
    const { service, reference, call } = request;
    process.ctx.open.close(`${accountId}/${service}/${reference}/${call}`);
    expect(await recoverOrders(process.ctx)).toBe(1);
    expect(await findById(fixture.database.sql, orderId)).toMatchObject({ state: "pending" });
  });

  test("says since when its oldest open order dates, so that a crash costs no search of the whole table", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const one = await deadProcess(() => answer.promise);
    const order = await findById(fixture.database.sql, one.orderId);
    fixture.clock.advance(5 * SECOND);
    await beat(one.ctx);
    const horizon = async () => {
      const [row] = await fixture.database.sql<{ at: Date }[]>`
        select oldest_open_at as at from processes where process_id = ${one.ctx.processId}`;
      return row?.at.getTime() ?? 0;
    };
    expect(await horizon()).toBeLessThanOrEqual(order?.createdAt ?? 0);
    answer.resolve(SUCCEEDED);
    await one.ctx.open.drained();
    one.ctx.open.replied(one.orderId);
    await beat(one.ctx);
    expect(await horizon()).toBeGreaterThan(order?.createdAt ?? 0);
  });

  test("that ends in order leaves no trace; one that ends with open orders does", async () => {
    const [tidy, busy] = [fixture.startProcess().ctx, await deadProcess()];
    await beat(tidy);
    await deregisterProcess(tidy);
    await deregisterProcess(busy.ctx);
    const left = await fixture.database.sql<{ process_id: string }[]>`select process_id from processes`;
    expect(left.map((row) => row.process_id)).toEqual([busy.ctx.processId]);
  });
});
