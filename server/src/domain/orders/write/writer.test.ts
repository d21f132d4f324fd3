import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOrdersFixture, money, newOrder, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, cancel, reverse, settle, topUp, watch } from "../testing/operations.ts";
import { runLockedWrite } from "./locked-write.ts";
import type { Operation } from "./operations.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const write = (operation: Operation) => process.ctx.writer.write(operation);
const writeAll = (operations: readonly Operation[]) => Promise.all(operations.map(write));
const lockedWrite = (operations: readonly Operation[]) =>
  runLockedWrite(fixture.database.sql, operations, fixture.clock.now(), process.ctx.processId);
const kindsOf = (written: readonly { readonly kind: string }[]) => written.map((one) => one.kind);
const many = <Item>(count: number, make: (place: number) => Item) => Array.from({ length: count }, (_, place) => make(place));

async function rowsOf(accountId: string) {
  const { sql } = fixture.database;
  const [wallets, transfers, orders, watched] = await Promise.all([
    sql`select available, held, cleared, funding, fees, seq, day_total from wallets where account_id = ${accountId}`,
    sql`select seq, kind, from_bucket, to_bucket, amount, available_after, narration from transfers where account_id = ${accountId} order by seq`,
    sql`select reference, state, amount, fee, operator_ref, reason, provider, attempt, answered_pending from orders
        where account_id = ${accountId} order by reference`,
    sql`select why from pending_polls where account_id = ${accountId}`,
  ]);
  return [wallets, transfers, orders, watched].map((rows) => rows.map((row) => ({ ...row })));
}

describe("the optimistic and the locked write", () => {
  async function through(run: (operations: readonly Operation[]) => Promise<unknown>) {
    const accountId = await fixture.newAccount(process, 100);
    const orders = ["a", "b", "c", "d"].map((reference) => newOrder(accountId, { reference, fee: money(1) }));
    const [a, b, c, d] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0], (typeof orders)[0]];
    await run(orders.map((order) => accept(order)));
    await run([settle(a, "SUCCESS"), settle(b, "FAILED"), watch(c)]);
    await run([settle(c, "SUCCESS"), watch(d)]);
    return await rowsOf(accountId);
  }

  test("write the same rows", async () => {
    const quick = await through(writeAll);
    expect(await through(lockedWrite)).toEqual(quick);
    expect(quick[0]).toEqual([
      { available: 670_000n, held: 110_000n, cleared: 200_000n, funding: -1_000_000n, fees: 20_000n, seq: 10n, day_total: 300_000n },
    ]);
  });

  test("return the same results", async () => {
    const [one, other] = [await fixture.newAccount(process, 100), await fixture.newAccount(process, 100)];
    expect(await write(accept(newOrder(one)))).toMatchObject({ kind: "done", available: money(90) });
    expect(await lockedWrite([accept(newOrder(other))])).toMatchObject([{ kind: "done", available: money(90) }]);
  });
});

test("a known reference finds its order and moves no money", async () => {
  const accountId = await fixture.newAccount(process, 100);
  const first = newOrder(accountId, { reference: "u1" });
  await write(accept(first));
  const again = await write(accept(newOrder(accountId, { reference: "u1", amount: money(50), fingerprint: "other" })));
  expect(again).toMatchObject({ kind: "found", order: { orderId: first.orderId, fingerprint: first.fingerprint }, available: money(90) });
  expect(await fixture.balance(accountId)).toBe(90);
});

test("a reference belongs to one service: in another service it is another order", async () => {
  const accountId = await fixture.newAccount(process, 100);
  await write(accept(newOrder(accountId, { reference: "u1" })));
  expect(await write(accept(newOrder(accountId, { reference: "u1", service: "bills" })))).toMatchObject({ kind: "done" });
});

test("money for N orders accepts exactly N of ten times N concurrent requests", async () => {
  const accountId = await fixture.newAccount(process, 500);
  const written = await writeAll(many(500, () => accept(newOrder(accountId))));
  expect(kindsOf(written).filter((kind) => kind === "done")).toHaveLength(50);
  expect(kindsOf(written).filter((kind) => kind === "insufficient funds")).toHaveLength(450);
  expect(await fixture.balance(accountId)).toBe(0);
});

test("an order with a fee needs money for amount and fee", async () => {
  const accountId = await fixture.newAccount(process, 10);
  expect(await write(accept(newOrder(accountId, { fee: money(0.0001) })))).toEqual({ kind: "insufficient funds" });
  expect(await write(accept(newOrder(accountId)))).toMatchObject({ kind: "done", available: 0n });
});

test("a hundred concurrent requests with one reference make one order and one debit", async () => {
  const accountId = await fixture.newAccount(process, 5_000);
  const written = await writeAll(many(100, () => accept(newOrder(accountId, { reference: "same" }))));
  expect(kindsOf(written).filter((kind) => kind === "done")).toHaveLength(1);
  expect(kindsOf(written).filter((kind) => kind === "found")).toHaveLength(99);
  const ids = new Set(written.map((one) => (one.kind === "found" ? one.order.orderId : null)));
  expect(ids.size).toBe(2);
  expect(await fixture.balance(accountId)).toBe(4_990);
});

describe("the daily limit", () => {
  test("is reached exactly under concurrent requests", async () => {
    const accountId = await fixture.newAccount(process, 5_000);
    const written = await writeAll(many(60, () => accept(newOrder(accountId), money(255))));
    expect(kindsOf(written).filter((kind) => kind === "done")).toHaveLength(25);
    expect(kindsOf(written).filter((kind) => kind === "daily limit")).toHaveLength(35);
    expect(await write(accept(newOrder(accountId, { amount: money(5) }), money(255)))).toMatchObject({ kind: "done" });
    expect(await write(accept(newOrder(accountId, { amount: money(0.0001) }), money(255)))).toEqual({ kind: "daily limit" });
  });

  test("counts orders from before it was set, but none that FAILED or were reversed", async () => {
    const accountId = await fixture.newAccount(process, 5_000);
    const [a, b, c] = [newOrder(accountId), newOrder(accountId), newOrder(accountId)];
    await writeAll([accept(a), accept(b), accept(c)]);
    expect(await write(accept(newOrder(accountId), money(30)))).toEqual({ kind: "daily limit" });
    await write(settle(a, "FAILED"));
    await write(settle(b, "SUCCESS"));
    await write(reverse(b));
    expect(kindsOf(await writeAll(many(3, () => accept(newOrder(accountId), money(30)))))).toEqual(["done", "done", "daily limit"]);
  });

  test("starts again on the next day in India", async () => {
    const accountId = await fixture.newAccount(process, 5_000);
    expect(await write(accept(newOrder(accountId), money(10)))).toMatchObject({ kind: "done" });
    expect(await write(accept(newOrder(accountId), money(10)))).toEqual({ kind: "daily limit" });
    fixture.clock.advance(24 * 60 * 60 * 1_000);
    expect(await write(accept(newOrder(accountId, { createdAt: fixture.clock.now() }), money(10)))).toMatchObject({ kind: "done" });
  });
});

describe("a top-up", () => {
  test("requested twice at once under one reference is posted once, and both get the same entry", async () => {
    const accountId = await fixture.newAccount(process, 0);
    const written = await writeAll(many(20, () => topUp(accountId, 7, "r1")));
    expect(new Set(written.map((one) => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? String(value) : value)))).size).toBe(
      1,
    );
    expect(written[0]).toEqual({ kind: "topped up", available: money(7), entry: `${accountId}-1`, sameAmount: true });
    expect(await fixture.balance(accountId)).toBe(7);
  });

  test("of another amount under a used reference is refused", async () => {
    const accountId = await fixture.newAccount(process, 0);
    const written = await writeAll([topUp(accountId, 7, "r1"), topUp(accountId, 8, "r1"), topUp(accountId, -7, "r1")]);
    expect(written.map((one) => one.kind === "topped up" && one.sameAmount)).toEqual([true, false, false]);
    expect(await fixture.balance(accountId)).toBe(7);
  });

  test("that debits more than the balance is refused, and one that debits all is accepted", async () => {
    const accountId = await fixture.newAccount(process, 7);
    expect(await write(topUp(accountId, -7.0001, "d1"))).toEqual({ kind: "insufficient funds" });
    expect(await write(topUp(accountId, -7, "d2"))).toMatchObject({ kind: "topped up", available: 0n });
    // The refused debit wrote nothing, so its reference is free.
    expect(await write(topUp(accountId, 1, "d1"))).toMatchObject({ kind: "topped up", sameAmount: true });
  });
});

test("money released by one operation can be spent by another of the same batch", async () => {
  const accountId = await fixture.newAccount(process, 10);
  const first = newOrder(accountId);
  await write(accept(first));
  expect(kindsOf(await writeAll([settle(first, "FAILED"), accept(newOrder(accountId))]))).toEqual(["done", "done"]);
});

test("cancellations return no more than the order's amount, also in one batch", async () => {
  const accountId = await fixture.newAccount(process, 100);
  const order = newOrder(accountId, { reference: "cancelled", amount: money(30) });
  await write(accept(order));
  await write(settle(order, "SUCCESS"));
  const written = await lockedWrite([cancel(order, 20, false), cancel(order, 20, false), cancel(order, 20, true)]);
  expect(kindsOf(written)).toEqual(["done", "done", "done"]);
  expect(await fixture.balance(accountId)).toBe(100);
});
