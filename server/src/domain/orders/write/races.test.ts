import { afterAll, beforeAll, expect, test } from "vitest";
import type { Order } from "../order.ts";
import { createOrdersFixture, newOrder, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, failOver, reverse, settle, watch } from "../testing/operations.ts";
import type { Operation, Written } from "./operations.ts";

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

/** Writes half of the operations in one process and half in another, concurrently. */
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

test("of two settlements of one order in one batch the first counts and the second finds it", async () => {
  const order = await newPending();
  const written = await Promise.all([settle(order, "SUCCESS"), settle(order, "FAILED")].map(one.ctx.writer.write));
  expect(written).toMatchObject([{ kind: "done" }, { kind: "found", order: { state: "SUCCESS", operatorRef: "OP1" } }]);
});

test("an order that ends while its pending reply is being prepared is answered with its final state and not polled", async () => {
  const order = await newPending();
  const [settled, watched] = await Promise.all([one.ctx.writer.write(settle(order, "SUCCESS")), one.ctx.writer.write(watch(order))]);
  expect(settled).toMatchObject({ kind: "done" });
  expect(watched).toMatchObject({ kind: "found", order: { state: "SUCCESS" } });
  expect(await fixture.database.sql`select from pending_polls where account_id = ${order.accountId}`).toHaveLength(0);
});

test("a success is reversed once, however many reversals are requested", async () => {
  const order = await newPending();
  await one.ctx.writer.write(settle(order, "SUCCESS"));
  expect(ended(await race(Array.from({ length: 8 }, () => reverse(order))))).toEqual({ done: 1, found: ["FAILED"] });
  expect(await fixture.balance(order.accountId)).toBe(10);
});

test("concurrent reversals and settlements create no money and reverse only successes", async () => {
  const order = await newPending();
  const written = await race([settle(order, "SUCCESS"), reverse(order), reverse(order), settle(order, "FAILED"), reverse(order)]);
  expect(written.every((answer) => answer.kind === "done" || answer.kind === "found")).toBe(true);
  const [row] = await fixture.database.sql<{ state: number }[]>`select state from orders where order_id = ${order.orderId}`;
  expect(await fixture.balance(order.accountId)).toBe(row?.state === 2 ? 10 : 0);
});

test("an answer about one attempt does not end an order that has moved to the next attempt", async () => {
  const order = await newPending();
  await one.ctx.writer.write(failOver(order, "second"));
  const late = await other.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 1 }));
  expect(late).toMatchObject({ kind: "found", order: { state: "pending", provider: "second", attempt: 2 } });
  expect(await fixture.balance(order.accountId)).toBe(0);
  expect(await other.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 2 }))).toMatchObject({ kind: "done" });
});

test("of a concurrent fail-over and settlement the second finds the first", async () => {
  for (let round = 0; round < 10; round++) {
    const order = await newPending();
    const [settled, moved] = await Promise.all([
      one.ctx.writer.write(settle(order, "FAILED", { ofAttempt: 1 })),
      other.ctx.writer.write(failOver(order, "second")),
    ]);
    expect([settled?.kind, moved?.kind].sort()).toEqual(["done", "found"]);
  }
});

test("a fail-over and an answer about the attempt before it exclude each other in one batch as well", async () => {
  const [first, second] = [await newPending(), await newPending()];
  const write = one.ctx.writer.write;
  const movedFirst = await Promise.all([write(failOver(first, "second")), write(settle(first, "FAILED", { ofAttempt: 1 }))]);
  expect(movedFirst).toMatchObject([{ kind: "done" }, { kind: "found", order: { state: "pending", provider: "second", attempt: 2 } }]);
  const endedFirst = await Promise.all([write(settle(second, "FAILED", { ofAttempt: 1 })), write(failOver(second, "second"))]);
  expect(endedFirst).toMatchObject([{ kind: "done" }, { kind: "found", order: { state: "FAILED" } }]);
});

test("settling an order that does not exist fails alone", async () => {
  const [order, missing] = [await newPending(), newOrder("A-NOBODY")];
  const [bad, good] = await Promise.allSettled([
    one.ctx.writer.write(settle(missing, "FAILED")),
    one.ctx.writer.write(settle(order, "FAILED")),
  ]);
  expect(bad).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("does not exist") } });
  expect(good).toMatchObject({ status: "fulfilled", value: { kind: "done" } });
});
