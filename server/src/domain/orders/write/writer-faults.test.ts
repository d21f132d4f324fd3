import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOrdersFixture, money, newOrder, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, settle, topUp, watch } from "../testing/operations.ts";
import type { Operation, Written } from "./operations.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

const many = <Item>(count: number, make: (place: number) => Item) => Array.from({ length: count }, (_, place) => make(place));

describe("a row that cannot be written", () => {
  const BAD: Readonly<Record<string, (accountId: string) => Operation>> = {
    "a NUL in its target": (accountId) => accept(newOrder(accountId, { target: "98765\u000043000" })),
    "an amount that a CHECK forbids": (accountId) => accept(newOrder(accountId, { amount: money(-1) })),
    "an amount beyond the column": (accountId) => topUp(accountId, Number(2n ** 62n), "huge"),
    "an order that does not exist": (accountId) => settle(newOrder(accountId), "FAILED"),
  };

  test.each(Object.keys(BAD))("(%s) fails alone; all other operations of its batch are written", async (name) => {
    const process = fixture.startProcess();
    const accountId = await fixture.newAccount(process, 10_000);
    const bad = BAD[name]?.(accountId);
    if (!bad) throw new Error("no such row");
    const operations = many(40, (place): Operation => (place === 23 ? bad : accept(newOrder(accountId))));
    const results = await Promise.allSettled(operations.map(process.ctx.writer.write));
    expect(results.filter((one) => one.status === "rejected")).toHaveLength(1);
    expect(results[23]?.status).toBe("rejected");
    for (const one of results) if (one.status === "fulfilled") expect(one.value.kind).toBe("done");
    expect(await fixture.balance(accountId)).toBe(10_000 - 390);
  });

  test("is reported for each such operation of a batch", async () => {
    const process = fixture.startProcess();
    const accountId = await fixture.newAccount(process, 10_000);
    const bad = new Set([0, 7, 8, 31]);
    const operations = many(32, (place) => accept(newOrder(accountId, bad.has(place) ? { target: "\u0000" } : {})));
    const results = await Promise.allSettled(operations.map(process.ctx.writer.write));
    expect(results.flatMap((one, place) => (one.status === "rejected" ? [place] : []))).toEqual([...bad]);
    expect(await fixture.balance(accountId)).toBe(10_000 - 280);
  });
});

describe("connections that are cut", () => {
  /** Terminates every writing session, as an administrator or a failing network would. */
  async function cut(): Promise<number> {
    const ended = await fixture.owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%write_orders%' and query not like '%pg_terminate_backend%'`;
    return ended.length;
  }

  /** Cuts the connections after a given number of event-loop turns, a different one in every round. */
  async function cutAfter(turns: number): Promise<number> {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    return await cut();
  }

  async function orderCount(accountId: string): Promise<number> {
    const [row] = await fixture.database.sql<
      { count: number }[]
    >`select count(*)::int as count from orders where account_id = ${accountId}`;
    return row?.count ?? 0;
  }

  test("neither lose nor duplicate an order, though the reply to COMMIT is lost", async () => {
    const process = fixture.startProcess({ maxItems: 10 });
    const accountId = await fixture.newAccount(process, 100_000);
    const written: Written[] = [];
    let cuts = 0;
    for (let round = 0; round < 25; round++) {
      const cutting = cutAfter(round % 10);
      written.push(...(await Promise.all(many(40, () => process.ctx.writer.write(accept(newOrder(accountId)))))));
      cuts += await cutting;
    }
    expect(cuts).toBeGreaterThan(10);
    expect(written.map((one) => one.kind)).toEqual(written.map(() => "done"));
    expect(await orderCount(accountId)).toBe(1_000);
    expect(await fixture.balance(accountId)).toBe(90_000);
  });

  test("settle each order once", async () => {
    const process = fixture.startProcess({ maxItems: 10 });
    const accountId = await fixture.newAccount(process, 100_000);
    for (let round = 0; round < 8; round++) {
      const orders = many(40, () => newOrder(accountId));
      await Promise.all(orders.map((order) => process.ctx.writer.write(accept(order))));
      const cutting = cutAfter(round);
      const ends = orders.map((order, place) => ({ order, to: place % 2 === 0 ? ("SUCCESS" as const) : ("FAILED" as const) }));
      const written = await Promise.all(ends.map(({ order, to }) => process.ctx.writer.write(settle(order, to))));
      await cutting;
      // A settlement whose reply was lost finds the order already settled.
      written.forEach((one, place) => {
        expect(one.kind === "done" || (one.kind === "found" && one.order.state === ends[place]?.to)).toBe(true);
      });
    }
    expect(await fixture.balance(accountId)).toBe(100_000 - 8 * 200);
  });

  test("post a top-up once", async () => {
    const process = fixture.startProcess();
    const accountId = await fixture.newAccount(process, 0);
    for (let round = 0; round < 8; round++) {
      const cutting = cutAfter(round);
      expect(await process.ctx.writer.write(topUp(accountId, 1, `r${round}`))).toMatchObject({ kind: "topped up", sameAmount: true });
      await cutting;
    }
    expect(await fixture.balance(accountId)).toBe(8);
  });
});

describe("two processes on one database", () => {
  test("write to the same accounts in opposite order without deadlock, and the balances are right", async () => {
    const processes: readonly OrdersProcess[] = [fixture.startProcess({ maxItems: 25 }), fixture.startProcess({ maxItems: 25 })];
    const [first] = processes as [OrdersProcess];
    const accounts = await Promise.all(many(8, () => fixture.newAccount(first, 10_000)));
    const play = async (process: OrdersProcess, seed: number) => {
      const { write } = process.ctx.writer;
      await Promise.all(
        many(300, async (place) => {
          // In opposite sequence, so that unsorted locks would deadlock.
          const accountId = accounts[(seed === 0 ? place : accounts.length * 1_000 - place) % accounts.length] ?? "";
          const order = newOrder(accountId);
          expect(await write(accept(order))).toMatchObject({ kind: "done" });
          if (place % 3 === 0) await write(watch(order));
          await write(settle(order, place % 2 === 0 ? "SUCCESS" : "FAILED"));
          if (place % 5 === 0) await write(topUp(accountId, 1, `${seed}-${place}`));
        }),
      );
    };
    await Promise.all(processes.map(play));
    const balances = await Promise.all(accounts.map(fixture.balance));
    // 600 orders of ten rupees, half of them successful; 120 top-ups of one rupee.
    expect(balances.reduce((sum, one) => sum + one, 0)).toBe(80_000 - 3_000 + 120);
  });

  test("create one order for a reference that both receive at once", async () => {
    const [one, other] = [fixture.startProcess(), fixture.startProcess()];
    const accountId = await fixture.newAccount(one, 1_000);
    for (let round = 0; round < 20; round++) {
      const reference = `both-${round}`;
      const written = await Promise.all(
        [one, other].map((process) => process.ctx.writer.write(accept(newOrder(accountId, { reference })))),
      );
      expect(written.map((answer) => answer.kind).sort()).toEqual(["done", "found"]);
    }
    expect(await fixture.balance(accountId)).toBe(800);
  });

  test("spend a wallet's last money once", async () => {
    const [one, other] = [fixture.startProcess(), fixture.startProcess()];
    for (let round = 0; round < 10; round++) {
      const accountId = await fixture.newAccount(one, 30);
      const written = await Promise.all(many(20, (place) => (place % 2 === 0 ? one : other).ctx.writer.write(accept(newOrder(accountId)))));
      expect(written.filter((answer) => answer.kind === "done")).toHaveLength(3);
    }
  });
});
