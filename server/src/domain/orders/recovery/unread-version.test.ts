import { afterAll, beforeAll, expect, test } from "vitest";
import type { Report } from "../../providers/connector.ts";
import { placeOrder } from "../place-order.ts";
import { readHistory } from "../queries/read-history.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { DECLINED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { applyReport } from "./apply-finding.ts";
import { pollOrders } from "./order-polls.ts";

const HOUR = 3_600_000;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

/** An order in doubt of version 6, in a process that has loaded only version 5, which does not find the order. */
async function orderOfUnloadedVersion() {
  const current = scripted({ send: UNKNOWN, ask: { kind: "not_found" } });
  const process = fixture.startProcess({ providers: { first: current } });
  const { ctx } = process;
  const accountId = await fixture.newAccount(process, 100);
  const placed = await placeOrder(ctx, newRequest(accountId));
  if (placed.kind !== "order") throw new Error("No order.");
  const { orderId } = placed.order;
  await fixture.owner`update orders set provider_version = 6 where order_id = ${orderId}`;
  const connector = (_: string, version: number | null = null) => (version === null || version === 5 ? current : null);
  const late = { ...ctx, providerRegistry: { ...ctx.providerRegistry, connector } };
  const seen = async () => {
    const order = await findById(ctx.sql, orderId);
    return [order?.state, (await readHistory(ctx.sql, placed.order)).waiting?.why];
  };
  return { late, orderId, accountId, current, seen };
}

test("an order whose version is not loaded is neither asked about nor sent again by another, and staff see why", async () => {
  const { late, accountId, current, seen } = await orderOfUnloadedVersion();
  for (let poll = 0; poll < 4; poll++) {
    fixture.clock.advance(HOUR);
    expect(await pollOrders(late)).toBe(1);
  }
  expect(await seen()).toEqual(["pending", expect.stringContaining("version 6 of the provider first")]);
  expect([current.asked.length, current.sent.length, await fixture.balance(accountId)]).toEqual([0, 1, 90]);
  await fixture.owner`update pending_polls set needs_human = true`;
});

test.each([
  { name: "with", readAs: (): Report => ({ reference: "", finding: DECLINED }) },
  { name: "without", readAs: undefined },
])("a callback that another version has read decides nothing, $name a way to read it again", async ({ readAs }) => {
  const { late, orderId, accountId, seen } = await orderOfUnloadedVersion();
  const report: Report = { reference: orderId, finding: DECLINED, version: 5, ...(readAs ? { readAs } : {}) };
  expect(await applyReport(late, report, "first")).toBe("not_expected");
  expect(await seen()).toEqual(["pending", expect.stringContaining("version 6 of the provider first")]);
  expect(await fixture.balance(accountId)).toBe(90);
  // The status query is due at once.
  expect(await pollOrders(late)).toBe(1);
});
