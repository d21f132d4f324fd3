import { afterAll, beforeAll, expect, test } from "vitest";
import type { Outcome } from "../../providers/connector.ts";
import { placeOrder } from "../place-order.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { scripted } from "../testing/scripted-connector.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const DAY = 24 * 3_600_000;

async function placedWith(outcome: Outcome) {
  const process = fixture.startProcess({ providers: { first: scripted({ send: outcome, ask: outcome }) } });
  const placed = await placeOrder(process.ctx, newRequest(await fixture.newAccount(process, 100)));
  if (placed.kind !== "order") throw new Error("No order.");
  return placed.order;
}

test.each([
  ["microseconds", 1.7e15],
  ["no time at all", 9e15],
])("a success that names %s for its next query is a success, and is asked about within a month", async (_what, recheckAt) => {
  const order = await placedWith({ kind: "succeeded", operatorRef: "OP1", recheckAt });
  expect(order.state).toBe("SUCCESS");
  const [poll] = await fixture.database.sql<{ due_at: Date }[]>`select due_at from pending_polls where order_id = ${order.orderId}`;
  expect(poll?.due_at.getTime()).toBeLessThanOrEqual(fixture.clock.now() + 31 * DAY);
});

test("a success whose result has characters that PostgreSQL cannot store is a success, without them", async () => {
  const order = await placedWith({
    kind: "succeeded",
    operatorRef: "OP1",
    result: { name: "A\0B", list: [{ half: "x\ud800y" }], plain: "\\u0000" },
  });
  expect(order.state).toBe("SUCCESS");
  const [row] = await fixture.database.sql<{ result: unknown }[]>`select result from order_results where order_id = ${order.orderId}`;
  expect(row?.result).toEqual({ name: "AB", list: [{ half: "x\ufffdy" }], plain: "\\u0000" });
});
