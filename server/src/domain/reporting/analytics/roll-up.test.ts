import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { indiaMonth, indiaMonthSpan } from "../../../platform/core/india-time.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { connect } from "../../../platform/db/connection.ts";
import { reverseManually, settleManually } from "../../orders/change-manually.ts";
import { placeOrder } from "../../orders/place-order.ts";
import { contextOf, newRequest } from "../../orders/testing/fixture.ts";
import { PENDING, SUCCEEDED, scripted } from "../../orders/testing/scripted-connector.ts";
import { topUp } from "../../orders/top-up.ts";
import { createOverviewFixture, MINUTE, NOW, type OverviewFixture } from "../testing/fixture.ts";
import { countRollUpDifferences, rebuildRollUps } from "./rebuild.ts";
import { rollUpOrders, rollUpStep } from "./roll-up.ts";

let fixture: OverviewFixture;
beforeEach(async () => {
  fixture = await createOverviewFixture();
});
afterEach(() => fixture.close());

const rollUp = () => rollUpOrders(fixture.ctx);
const OLD = NOW - 10 * MINUTE;

/** The order engine with money in the account, and a provider that leaves orders pending at first. */
async function engine() {
  const provider = scripted({ send: PENDING });
  const orders = contextOf(fixture.sql, fixture.sql, fixture.clock, { providers: { first: provider } });
  await topUp(orders, "test", { accountId: fixture.accountId, amount: moneyOf(10_000_000n), reference: "start", note: "" });
  return { provider, orders };
}

async function days(dimension: string): Promise<readonly (readonly [name: string, state: number, orders: number, amount: bigint])[]> {
  const rows = await fixture.sql<{ name: string; state: number; orders: number; amount: bigint }[]>`
    select name, state, orders, amount from order_rollup_days where account_id = ${fixture.accountId} and dimension = ${dimension} order by name, state`;
  return rows.map((row) => [row.name, row.state, row.orders, row.amount] as const);
}

test("orders are counted once, by every dimension, and only when they are old enough", async () => {
  await fixture.make(3, { at: OLD, rupees: 10 });
  await fixture.make(1, { at: OLD, state: 2, operator: "JO", operatorRef: null });
  await fixture.make(2, { at: NOW - MINUTE });
  expect(await rollUp()).toBe(4);
  expect(await rollUp()).toBe(0);
  expect(await days("operator")).toEqual([
    ["AT", 1, 3, 300_000n],
    ["JO", 2, 1, expect.any(BigInt)],
  ]);
  fixture.clock.advance(2 * MINUTE);
  expect(await rollUp()).toBe(2);
  expect(await days("all")).toEqual([
    ["", 1, 5, expect.any(BigInt)],
    ["", 2, 1, expect.any(BigInt)],
  ]);
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("an order that is settled or reversed after it was counted moves to its new state, provider and reason", async () => {
  const { provider, orders } = await engine();
  const place = async () => {
    const placed = await placeOrder(orders, newRequest(fixture.accountId));
    if (placed.kind !== "order") throw new Error(`The order was answered ${placed.kind}.`);
    return placed.order.orderId;
  };
  const [one, other] = [await place(), await place()];
  provider.change({ send: SUCCEEDED });
  const third = await place();
  fixture.clock.advance(3 * MINUTE);
  await rollUp();
  const states = async () => (await days("all")).map(([, state, count]) => [state, count]);
  expect(await states()).toEqual([
    [0, 2],
    [1, 1],
  ]);
  await settleManually(orders, "test", { orderId: one, to: "SUCCESS", operatorRef: "R1", reason: "Seen at the provider." });
  await settleManually(orders, "test", { orderId: other, to: "FAILED", operatorRef: null, reason: "Seen at the provider." });
  await reverseManually(orders, "test", { orderId: third, reason: "Taken back." });
  await rollUp();
  expect(await states()).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect((await days("reason")).map(([name, state]) => [name, state])).toEqual([
    ["", 1],
    ["reversed_by_staff", 3],
    ["settled_by_staff", 2],
  ]);
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("a change of a young order needs no correction, because the order is counted after it", async () => {
  const { orders } = await engine();
  const placed = await placeOrder(orders, newRequest(fixture.accountId));
  const orderId = placed.kind === "order" ? placed.order.orderId : "";
  fixture.clock.advance(10_000);
  await settleManually(orders, "test", { orderId, to: "SUCCESS", operatorRef: "R1", reason: "Seen at the provider." });
  expect(await fixture.sql`select from order_rollup_changes`).toHaveLength(0);
  fixture.clock.advance(3 * MINUTE);
  await rollUp();
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("a failure after the counting and before the commit leaves everything as before, and the next step counts the same orders", async () => {
  await fixture.make(5, { at: OLD });
  // The step's last statement advances the position.
  const { sql: owner, close } = connect({ url: fixture.settings.database.url, connections: 1, role: null });
  await owner`alter table order_rollup_position add constraint failing check (next_order_id = '')`;
  await expect(rollUpStep(fixture.sql, NOW)).rejects.toThrow("failing");
  expect(await fixture.sql`select from order_rollups`).toHaveLength(0);
  await owner`alter table order_rollup_position drop constraint failing`;
  await close();
  expect(await rollUp()).toBe(5);
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("of many processes that roll up at the same time, each order is counted by one", async () => {
  await fixture.make(200, { at: OLD });
  const counted = await Promise.all(Array.from({ length: 6 }, () => rollUpStep(fixture.sql, NOW).catch(() => ({ orders: 0 }))));
  expect(counted.reduce((sum, step) => sum + step.orders, 0)).toBe(200);
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("while an order is still being written, nothing is counted past it", async () => {
  const writer = await fixture.sql.reserve();
  await writer`begin`;
  await writer`update orders set state = 1 where order_id = 'none'`;
  await fixture.make(1, { at: OLD });
  expect(await rollUp()).toBe(0);
  await writer`rollback`;
  writer.release();
  expect(await rollUp()).toBe(1);
});

test("a rebuild gives the same figures, whatever was wrong before", async () => {
  await fixture.make(20, { at: OLD });
  await rollUp();
  await fixture.sql`update order_rollup_days set orders = orders + 1`;
  expect(await countRollUpDifferences(fixture.sql)).toBeGreaterThan(0);
  expect(await rebuildRollUps(fixture.sql, fixture.clock.now, () => {})).toBe(20);
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
});

test("the roll-ups of an archived month stay, and are not taken for differences", async () => {
  const span = indiaMonthSpan(indiaMonth(NOW));
  const end = span?.fromMilliseconds ?? 0;
  await fixture.make(4, { at: end - 10 * MINUTE });
  await fixture.make(3, { at: OLD });
  await rollUp();
  const { sql: owner, close } = connect({ url: fixture.settings.database.url, connections: 1, role: null });
  const ids = [orderIdAt(0), orderIdAt(end)];
  await owner`delete from orders where order_id < ${orderIdAt(end)}`;
  await owner`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at, dropped_at)
    values (${indiaMonth(end - 1)}, ${ids[0] ?? ""}, ${ids[1] ?? ""}, ${ids[1] ?? ""}, '', now(), now())`;
  expect(await countRollUpDifferences(fixture.sql)).toBe(0);
  const before = await days("all");
  expect(await rebuildRollUps(fixture.sql, fixture.clock.now, () => {})).toBe(3);
  expect([await days("all"), await countRollUpDifferences(fixture.sql)]).toEqual([before, 0]);
  // Without any stored order they stay too.
  await owner`delete from orders`;
  await rebuildRollUps(fixture.sql, fixture.clock.now, () => {});
  expect((await days("all")).reduce((sum, [, , count]) => sum + count, 0)).toBe(4);
  await close();
});

test("for any sequence of orders, late changes and steps, the roll-ups equal a recount", async () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant("order" as const), state: fc.constantFrom(0 as const, 1 as const, 2 as const) }),
    fc.record({ kind: fc.constant("change" as const), pick: fc.nat(50), state: fc.constantFrom(1 as const, 2 as const) }),
    fc.record({ kind: fc.constant("step" as const), minutes: fc.nat(60) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      for (const one of events) {
        if (one.kind === "order") await fixture.make(1, { at: fixture.clock.now() - 1_000, state: one.state });
        if (one.kind === "change") await changeLater(one.pick, one.state);
        if (one.kind === "step") {
          fixture.clock.advance(one.minutes * MINUTE);
          await rollUp();
        }
      }
      await rollUp();
      expect(await countRollUpDifferences(fixture.sql)).toBe(0);
    }),
    { numRuns: 15 },
  );
});

/** What write_orders writes for an order that is old enough. */
async function changeLater(pick: number, state: 1 | 2): Promise<void> {
  await fixture.sql.begin(async (tx) => {
    const [row] = await tx<{ account_id: string; order_id: string; state: number }[]>`
      select account_id, order_id, state from orders where created_at < ${new Date(fixture.clock.now() - 30_000)}
        and state < ${state} order by order_id offset ${pick % 5} limit 1`;
    if (!row) return;
    await tx`update orders set state = ${state}, operator_ref = 'R', updated_at = ${new Date(fixture.clock.now())} where order_id = ${row.order_id}`;
    await tx`insert into order_rollup_changes (account_id, order_id, state, attempt) values (${row.account_id}, ${row.order_id}, ${state}, 1)`;
  });
}
