import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newOrder, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { accept } from "../testing/operations.ts";
import { deferred, SUCCEEDED, scripted } from "../testing/scripted-connector.ts";
import { beat, recoverOrders } from "./heartbeat.ts";
import { pollOrders } from "./order-polls.ts";

const SECOND = 1_000;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  await fixture.owner`delete from processes`;
  await fixture.owner`update pending_polls set needs_human = true`;
});
afterAll(() => fixture.close());

const never = () => new Promise<typeof SUCCEEDED>(() => {});

/** Creates a process that dies after it has sent an order and before its provider answers. */
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
  test("the orders of the dead process are polled and never sent again", async () => {
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

  test("they are found once, by the first process that searches", async () => {
    await deadProcess();
    const survivors = [fixture.startProcess().ctx, fixture.startProcess().ctx];
    fixture.clock.advance(16 * SECOND);
    await Promise.all(survivors.map(beat));
    const found = await Promise.all(survivors.map(recoverOrders));
    expect(found.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await recoverOrders(survivors[0] as (typeof survivors)[0])).toBe(0);
  });

  test("an order that was accepted but never sent fails when the provider reports it as not found", async () => {
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

describe("a live process", () => {
  test("keeps its orders from being polled by others", async () => {
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
    // Nor does it poll them itself while it works on them.
    expect(await recoverOrders(alive.ctx)).toBe(0);
  });

  test("finds its own order whose acceptance reply was lost", async () => {
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

  /** An order that an earlier search has passed and that no process works on. */
  async function strayOf(process: ReturnType<OrdersFixture["startProcess"]>) {
    const accountId = await fixture.newAccount(process, 100);
    await recoverOrders(process.ctx);
    const order = newOrder(accountId, { createdAt: fixture.clock.now() - 120 * SECOND });
    await process.ctx.writer.write(accept(order));
    // The order carries its batch's time: it was written in time, and only its reply was delayed.
    await fixture.owner`update orders set created_at = ${new Date(order.createdAt)} where order_id = ${order.orderId}`;
    return order;
  }

  test("searches everything recent only after a failure", async () => {
    const process = fixture.startProcess();
    await strayOf(process);
    fixture.clock.advance(6 * SECOND);
    expect(await recoverOrders(process.ctx)).toBe(0);
    process.ctx.inProgress.search.lastFailureAt = fixture.clock.now();
    expect(await recoverOrders(process.ctx)).toBe(1);
  });

  test("finds an order that was in progress at the last search and was abandoned since", async () => {
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
    const { service, reference, operation } = request;
    process.ctx.inProgress.remove(`${accountId}/${service}/${reference}/${operation}`);
    expect(await recoverOrders(process.ctx)).toBe(1);
    expect(await findById(fixture.database.sql, orderId)).toMatchObject({ state: "pending" });
  });

  test("records how old its oldest order in progress is, so that recovery need not search the whole table", async () => {
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
    await one.ctx.inProgress.drained();
    one.ctx.inProgress.replied(one.orderId);
    await beat(one.ctx);
    expect(await horizon()).toBeGreaterThan(order?.createdAt ?? 0);
  });
});
