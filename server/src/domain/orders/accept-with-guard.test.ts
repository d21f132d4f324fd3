import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { refused } from "../shared/refusals.ts";
import type { AcceptGuard } from "./accept-with-guard.ts";
import { placeOrder } from "./place-order.ts";
import { createOrdersFixture, money, newRequest, type OrdersFixture, type OrdersProcess } from "./testing/fixture.ts";
import { scripted } from "./testing/scripted-connector.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess({ providers: { first: scripted({}) } });
  await fixture.owner`create table kept (account_id text not null, order_id text not null)`;
  await fixture.owner`grant select, insert on kept to corprail_app`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const keep: AcceptGuard = async (tx, order) => {
  await tx`insert into kept (account_id, order_id) values (${order.accountId}, ${order.orderId})`;
  return null;
};
const keepAndRefuse: AcceptGuard = async (tx, order) => (await keep(tx, order)) ?? refused("otp_invalid", "Wrong.");

async function kept(accountId: string): Promise<number> {
  const [row] = await fixture.database.sql<{ count: number }[]>`select count(*)::int as count from kept where account_id = ${accountId}`;
  return row?.count ?? 0;
}

test("a service's own rows are committed together with its order", async () => {
  const accountId = await fixture.newAccount(process, 100);
  expect(await placeOrder(process.ctx, newRequest(accountId, { guard: keep }))).toMatchObject({
    kind: "order",
    order: { state: "SUCCESS" },
  });
  expect([await kept(accountId), await fixture.balance(accountId)]).toEqual([1, 90]);
});

test("a refusal creates no order and leaves the reference free, but the guard's writes are committed", async () => {
  const accountId = await fixture.newAccount(process, 100);
  const request = newRequest(accountId, { guard: keepAndRefuse });
  expect(await placeOrder(process.ctx, request)).toMatchObject({ kind: "refused", error: "otp_invalid" });
  expect([await kept(accountId), await fixture.balance(accountId)]).toEqual([1, 100]);
  expect(await placeOrder(process.ctx, { ...request, guard: keep })).toMatchObject({ kind: "order" });
});

test("insufficient funds roll the guard's writes back, and the reference stays free", async () => {
  const accountId = await fixture.newAccount(process, 5);
  const request = newRequest(accountId, { guard: keep });
  expect(await placeOrder(process.ctx, request)).toEqual({ kind: "insufficient funds" });
  expect([await kept(accountId), await fixture.balance(accountId)]).toEqual([0, 5]);
  expect(await placeOrder(process.ctx, { ...request, amount: money(5) })).toMatchObject({ kind: "order" });
});

test("a hundred concurrent requests with one reference in two processes write one row and one order", async () => {
  const other = fixture.startProcess({ providers: { first: scripted({}) } });
  const accountId = await fixture.newAccount(process, 1_000);
  const request = newRequest(accountId, { guard: keep });
  const placed = await Promise.all(
    Array.from({ length: 100 }, (_, place) => placeOrder(place % 2 === 0 ? process.ctx : other.ctx, request)),
  );
  const orders = placed.map((one) => (one.kind === "order" ? one.order.orderId : one.kind));
  expect(new Set(orders).size).toBe(1);
  expect([await kept(accountId), await fixture.balance(accountId)]).toEqual([1, 990]);
});

test("a limit that the guard checks holds under concurrent requests", async () => {
  const accountId = await fixture.newAccount(process, 1_000);
  const atMostThree: AcceptGuard = async (tx, order) => {
    const [row] = await tx<{ count: number }[]>`select count(*)::int as count from orders where account_id = ${order.accountId}`;
    return (row?.count ?? 0) < 3 ? null : refused("customer_daily_count", "Enough.");
  };
  const placed = await Promise.all(
    Array.from({ length: 40 }, () => placeOrder(process.ctx, newRequest(accountId, { guard: atMostThree }))),
  );
  expect(placed.filter((one) => one.kind === "order")).toHaveLength(3);
  expect(placed.filter((one) => one.kind === "refused")).toHaveLength(37);
  expect(await fixture.balance(accountId)).toBe(970);
});

/** As a client does: a request that was not carried out in time is sent again with its reference. */
async function placeUntilAnswered(request: Parameters<typeof placeOrder>[1]): Promise<string> {
  for (;;) {
    const placed = await placeOrder(process.ctx, request).catch((error: unknown) => {
      if (databaseTrouble(error) === null) throw error;
      return null;
    });
    if (placed !== null && placed.kind !== "busy") return placed.kind;
    await nextTurn();
  }
}

test("connections cut around COMMIT neither lose nor duplicate an order", async () => {
  const accountId = await fixture.newAccount(process, 10_000);
  const { sql } = fixture.database;
  const cut = async () =>
    (
      await fixture.owner`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
    ).length;
  let cuts = 0;
  for (let round = 0; round < 10; round++) {
    const placing = Promise.all(Array.from({ length: 20 }, () => placeUntilAnswered(newRequest(accountId, { guard: keep }))));
    for (let turn = 0; turn < 3; turn++) cuts += await cut();
    expect(await placing).toEqual(Array.from({ length: 20 }, () => "order"));
  }
  expect(cuts).toBeGreaterThan(0);
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from orders where account_id = ${accountId}`;
  expect([row?.count, await kept(accountId), await fixture.balance(accountId)]).toEqual([200, 200, 8_000]);
});
