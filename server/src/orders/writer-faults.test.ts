import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation, Written } from "./operations.ts";
import { money, newOrder, type OrdersHouse, type OrdersProcess, openOrdersHouse } from "./testing/house.ts";
import { accept, settle, topUp, watch } from "./testing/operations.ts";

let house: OrdersHouse;
beforeAll(async () => {
  house = await openOrdersHouse();
});
afterAll(async () => {
  expect(await house.violations()).toEqual([]);
  await house.close();
});

const many = <Item>(count: number, make: (place: number) => Item) => Array.from({ length: count }, (_, place) => make(place));

describe("a row that cannot be written", () => {
  const BAD: Readonly<Record<string, (accountId: string) => Operation>> = {
    "a NUL in its target": (accountId) => accept(newOrder(accountId, { target: "98765\u000043000" })),
    "an amount that a CHECK forbids": (accountId) => accept(newOrder(accountId, { amount: money(0) })),
    "an amount beyond the column": (accountId) => topUp(accountId, Number(2n ** 62n), "huge"),
    "an order that does not exist": (accountId) => settle(newOrder(accountId), "FAILED"),
  };

  test.each(Object.keys(BAD))("(%s) fails alone; all others of its batch are written", async (name) => {
    const process = house.startProcess();
    const accountId = await house.newAccount(process, 10_000);
    const bad = BAD[name]?.(accountId);
    if (!bad) throw new Error("no such row");
    const operations = many(40, (place): Operation => (place === 23 ? bad : accept(newOrder(accountId))));
    const results = await Promise.allSettled(operations.map(process.ctx.writer.write));
    expect(results.filter((one) => one.status === "rejected")).toHaveLength(1);
    expect(results[23]?.status).toBe("rejected");
    for (const one of results) if (one.status === "fulfilled") expect(one.value.kind).toBe("done");
    expect(await house.balance(accountId)).toBe(10_000 - 390);
  });

  test("several of them in one batch fail each for itself", async () => {
    const process = house.startProcess();
    const accountId = await house.newAccount(process, 10_000);
    const bad = new Set([0, 7, 8, 31]);
    const operations = many(32, (place) => accept(newOrder(accountId, bad.has(place) ? { target: "\u0000" } : {})));
    const results = await Promise.allSettled(operations.map(process.ctx.writer.write));
    expect(results.flatMap((one, place) => (one.status === "rejected" ? [place] : []))).toEqual([...bad]);
    expect(await house.balance(accountId)).toBe(10_000 - 280);
  });
});

describe("connections that are cut", () => {
  /** Ends every session on the database but the owner's, again and again, until told to stop. */
  function cutAgainAndAgain(only: () => Promise<number | null>): () => Promise<number> {
    let [going, cuts] = [true, 0];
    const run = (async () => {
      while (going) {
        const pid = await only().catch(() => null);
        const cut = await house.owner`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and usename = current_user and backend_type = 'client backend'
            and (${pid}::int is null or pid = ${pid}::int) and query not like '%pg_terminate_backend%' and query like '%post_batch%'`;
        cuts += cut.length;
      }
    })();
    return async () => {
      going = false;
      await run;
      return cuts;
    };
  }

  async function orderCount(accountId: string): Promise<number> {
    const [row] = await house.database.sql<{ count: number }[]>`select count(*)::int as count from orders where account_id = ${accountId}`;
    return row?.count ?? 0;
  }

  test("never lose nor double an order, though the reply to COMMIT is lost with them", async () => {
    const process = house.startProcess({ maxItems: 10 });
    const accountId = await house.newAccount(process, 100_000);
    const stop = cutAgainAndAgain(async () => null);
    const written: Written[] = [];
    let rounds = 0;
    let cuts = 0;
    try {
      for (; rounds < 12; rounds++) {
        written.push(...(await Promise.all(many(60, () => process.ctx.writer.write(accept(newOrder(accountId)))))));
      }
    } finally {
      cuts = await stop();
    }
    expect(cuts).toBeGreaterThan(5);
    expect(written.map((one) => one.kind)).toEqual(written.map(() => "done"));
    expect(await orderCount(accountId)).toBe(written.length);
    expect(await house.balance(accountId)).toBe(100_000 - 10 * written.length);
  });

  test("an order is settled once, though its settling was cut", async () => {
    const process = house.startProcess({ maxItems: 10 });
    const accountId = await house.newAccount(process, 100_000);
    const orders = many(200, () => newOrder(accountId));
    await Promise.all(orders.map((order) => process.ctx.writer.write(accept(order))));
    const stop = cutAgainAndAgain(async () => null);
    const written = await Promise.all(
      orders.map((order, place) => process.ctx.writer.write(settle(order, place % 2 === 0 ? "SUCCESS" : "FAILED"))),
    ).finally(stop);
    // One whose reply was lost finds its own end.
    written.forEach((one, place) => {
      const state = place % 2 === 0 ? "SUCCESS" : "FAILED";
      expect(one.kind === "done" || (one.kind === "found" && one.order.state === state)).toBe(true);
    });
    expect(await house.balance(accountId)).toBe(100_000 - 1_000);
  });
});

describe("two processes on one database", () => {
  test("with crossing accounts all come to an end, and the money is right", async () => {
    const processes: readonly OrdersProcess[] = [house.startProcess({ maxItems: 25 }), house.startProcess({ maxItems: 25 })];
    const [first] = processes as [OrdersProcess];
    const accounts = await Promise.all(many(8, () => house.newAccount(first, 10_000)));
    const play = async (process: OrdersProcess, seed: number) => {
      const { write } = process.ctx.writer;
      await Promise.all(
        many(300, async (place) => {
          // In opposite orders, so that locks taken as they come would cross.
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
    const balances = await Promise.all(accounts.map(house.balance));
    // 600 orders, half of them succeed at ten rupees; 120 top-ups of one rupee.
    expect(balances.reduce((sum, one) => sum + one, 0)).toBe(80_000 - 3_000 + 120);
  });

  test("make one order of one reference that both get at once", async () => {
    const [one, other] = [house.startProcess(), house.startProcess()];
    const accountId = await house.newAccount(one, 1_000);
    for (let round = 0; round < 20; round++) {
      const reference = `both-${round}`;
      const written = await Promise.all(
        [one, other].map((process) => process.ctx.writer.write(accept(newOrder(accountId, { reference })))),
      );
      expect(written.map((answer) => answer.kind).sort()).toEqual(["done", "found"]);
    }
    expect(await house.balance(accountId)).toBe(800);
  });

  test("spend a wallet's last money once", async () => {
    const [one, other] = [house.startProcess(), house.startProcess()];
    for (let round = 0; round < 10; round++) {
      const accountId = await house.newAccount(one, 30);
      const written = await Promise.all(many(20, (place) => (place % 2 === 0 ? one : other).ctx.writer.write(accept(newOrder(accountId)))));
      expect(written.filter((answer) => answer.kind === "done")).toHaveLength(3);
    }
  });
});
