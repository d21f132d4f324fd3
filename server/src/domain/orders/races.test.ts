import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation, Written } from "./operations.ts";
import type { Order } from "./order.ts";
import { createOrdersFixture, newOrder, type OrdersFixture, type OrdersProcess } from "./testing/fixture.ts";
import { accept, failOver, reverse, settle, watch } from "./testing/operations.ts";

let fixture: OrdersFixture;
let one: OrdersProcess;
let other: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  one = fixture.startProcess();
  other = fixture.startProcess();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

/** Half of them through one process, half through another, all at once. */
const race = (operations: readonly Operation[]): Promise<readonly Written[]> =>
  Promise.all(operations.map((operation, place) => (place % 2 === 0 ? one : other).ctx.writer.write(operation)));

async function newPending(): Promise<Order> {
  const order = newOrder(await fixture.newAccount(one, 10));
  await one.ctx.writer.write(accept(order));
  return order;
}

function ended(written: readonly Written[]): { readonly done: number; readonly found: readonly string[] } {
  return {
    done: written.filter((answer) => answer.kind === "done").length,
    found: [...new Set(written.flatMap((answer) => (answer.kind === "found" ? [answer.order.state] : [])))],
  };
}

test.each(Array.from({ length: 10 }, (_, round) => round))(
  "of many that end one order, one does; the others find how (round %i)",
  async () => {
    const order = await newPending();
    const written = await race([
      settle(order, "SUCCESS"),
      settle(order, "FAILED"),
      settle(order, "FAILED"),
      settle(order, "SUCCESS"),
      settle(order, "FAILED"),
      settle(order, "SUCCESS"),
    ]);
    const { done, found } = ended(written);
    expect(done).toBe(1);
    expect(found).toHaveLength(1);
    expect(await fixture.balance(order.accountId)).toBe(found[0] === "FAILED" ? 10 : 0);
  },
);

test("two ends of one order in one batch: the first counts, the second finds it", async () => {
  const order = await newPending();
  const written = await Promise.all([settle(order, "SUCCESS"), settle(order, "FAILED")].map(one.ctx.writer.write));
  expect(written).toMatchObject([{ kind: "done" }, { kind: "found", order: { state: "SUCCESS", operatorRef: "OP1" } }]);
});

test("an order that ends while a reply says pending is answered with its end, and nobody asks about it any more", async () => {
  const order = await newPending();
  const [settled, watched] = await Promise.all([one.ctx.writer.write(settle(order, "SUCCESS")), one.ctx.writer.write(watch(order))]);
  expect(settled).toMatchObject({ kind: "done" });
  expect(watched).toMatchObject({ kind: "found", order: { state: "SUCCESS" } });
  expect(await fixture.database.sql`select from order_watch where account_id = ${order.accountId}`).toHaveLength(0);
});

test("a success is taken back once, however many ask for it", async () => {
  const order = await newPending();
  await one.ctx.writer.write(settle(order, "SUCCESS"));
  expect(ended(await race(Array.from({ length: 8 }, () => reverse(order))))).toEqual({ done: 1, found: ["FAILED"] });
  expect(await fixture.balance(order.accountId)).toBe(10);
});

test("taking back races with settling: never more money than was there, never a reversal of what did not succeed", async () => {
  const order = await newPending();
  const written = await race([settle(order, "SUCCESS"), reverse(order), reverse(order), settle(order, "FAILED"), reverse(order)]);
  expect(written.every((answer) => answer.kind === "done" || answer.kind === "found")).toBe(true);
  const [row] = await fixture.database.sql<{ state: number }[]>`select state from orders where order_id = ${order.orderId}`;
  expect(await fixture.balance(order.accountId)).toBe(row?.state === 2 ? 10 : 0);
});

test("what a provider says of one attempt ends nothing once the order has gone on to the next", async () => {
  const order = await newPending();
  await one.ctx.writer.write(failOver(order, "second"));
  const late = await other.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 1 }));
  expect(late).toMatchObject({ kind: "found", order: { state: "pending", provider: "second", attempt: 2 } });
  expect(await fixture.balance(order.accountId)).toBe(0);
  expect(await other.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 2 }))).toMatchObject({ kind: "done" });
});

test("a fail-over races with an end: whichever comes second finds the other", async () => {
  for (let round = 0; round < 10; round++) {
    const order = await newPending();
    const [settled, moved] = await Promise.all([
      one.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 1 })),
      other.ctx.writer.write(failOver(order, "second")),
    ]);
    expect([settled?.kind, moved?.kind].sort()).toEqual(["done", "found"]);
  }
});

test("an order that does not exist cannot be ended, and that stops nobody else", async () => {
  const [order, missing] = [await newPending(), newOrder("A-NOBODY")];
  const [bad, good] = await Promise.allSettled([
    one.ctx.writer.write(settle(missing, "FAILED")),
    one.ctx.writer.write(settle(order, "FAILED")),
  ]);
  expect(bad).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("is gone") } });
  expect(good).toMatchObject({ status: "fulfilled", value: { kind: "done" } });
});
