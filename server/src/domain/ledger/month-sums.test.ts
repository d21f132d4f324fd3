import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { indiaMonth, indiaMonthSpan } from "../../platform/core/india-time.ts";
import type { Order } from "../orders/order.ts";
import { createOrdersFixture, money, newOrder, type OrdersFixture, type OrdersProcess } from "../orders/testing/fixture.ts";
import { accept, cancel, reverse, settle, topUp } from "../orders/testing/operations.ts";
import { checkLedger } from "./invariants.ts";
import { readMonthSums, sumAllTransfers, sumNewTransfers, sumStep } from "./month-sums.ts";
import { MONTHS } from "./testing/damages.ts";
import { accountWithTimes } from "./testing/top-ups.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.parse("2026-04-01T00:00:00+05:30");

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
});
afterAll(() => fixture.close());

/** The same figures, summed from all transfers by their times. */
async function recount(accountId: string, month: string) {
  const { fromMilliseconds, toMilliseconds } = indiaMonthSpan(month) ?? { fromMilliseconds: 0, toMilliseconds: 0 };
  const [from, to] = [new Date(fromMilliseconds), new Date(toMilliseconds)];
  const balanceBefore = async (time: Date) => {
    const [row] = await fixture.owner<{ balance: bigint }[]>`
      select coalesce(sum(case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount else 0 end), 0)::bigint as balance
      from transfers where account_id = ${accountId} and at < ${time}`;
    return row?.balance;
  };
  const sums = await fixture.owner`
    select t.kind, o.service, o.operator, o.credit, count(*)::int as transfers, count(*) filter (where o.amount = 0)::int as of_nothing,
      sum(t.amount)::bigint as amount
    from transfers t left join orders o on o.account_id = t.account_id and o.order_id = t.order_id
    where t.account_id = ${accountId} and t.at >= ${from} and t.at < ${to} group by 1, 2, 3, 4`;
  return { opening: await balanceBefore(from), closing: await balanceBefore(to), sums: sorted(sums) };
}

function sorted<One extends object>(sums: readonly One[]): readonly One[] {
  const key = (one: One) => Object.entries(one).sort().join();
  return [...sums].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function expectExact(accountId: string, months: readonly string[]): Promise<void> {
  for (const month of months) {
    const read = await readMonthSums(fixture.database.sql, accountId, month);
    expect({ ...read, sums: sorted(read.sums) }).toEqual(await recount(accountId, month));
  }
}

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("order" as const), operator: fc.constantFrom("AT", "JO"), credit: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("enquiry" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("succeed" as const, "fail" as const, "reverse" as const, "refund" as const),
      place: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("top-up" as const), rupees: fc.constantFrom(50, -3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sum" as const), most: fc.integer({ min: 1, max: 7 }) }) },
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** Carries the actions out. Returns the months that the clock has seen. */
async function carryOut(accountId: string, actions: readonly Action[]): Promise<ReadonlySet<string>> {
  const { write } = process.ctx.writer;
  const orders: Order[] = [];
  const months = new Set([indiaMonth(fixture.clock.now())]);
  const place = async (more: Partial<Order>) => {
    const order = newOrder(accountId, { createdAt: fixture.clock.now(), fee: money(0.5), commission: money(0.2), ...more });
    await write(accept(order));
    orders.push(order);
  };
  const change = async (one: Extract<Action, { place: number }>) => {
    const order = orders[one.place];
    if (!order) return;
    // Changes that the order's state does not allow are refused, which is fine here.
    if (one.do === "reverse") await write(reverse(order)).catch(() => {});
    // Only bus tickets are cancelled, and they never credit a wallet.
    else if (one.do === "refund") await (order.credit ? null : write(cancel(order, 1, false)).catch(() => {}));
    else await write(settle(order, one.do === "succeed" ? "SUCCESS" : "FAILED")).catch(() => {});
  };
  for (const [step, one] of actions.entries()) {
    if ("place" in one) await change(one);
    else if (one.do === "order") await place({ operator: one.operator, credit: one.credit });
    else if (one.do === "enquiry") await place({ amount: money(0), commission: money(0), credit: true });
    else if (one.do === "top-up") await write(topUp(accountId, one.rupees, `t${step}`));
    else if (one.do === "sum") await sumStep(fixture.database.sql, accountId, 1, one.most);
    else fixture.clock.advance(one.days * 24 * HOUR);
    months.add(indiaMonth(fixture.clock.now()));
  }
  return months;
}

test("a month's sums equal a recount, whatever happened to orders of earlier months and however much was summed before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30, size: "max" }), async (actions) => {
      const accountId = await fixture.newAccount(process, 1_000);
      const months = [...(await carryOut(accountId, actions))];
      await expectExact(accountId, ["2020-01", ...months]);
      while ((await sumStep(fixture.database.sql, accountId, 1, 5)) > 0);
      await expectExact(accountId, ["2020-01", ...months]);
    }),
    { numRuns: 20 },
  );
  expect(await fixture.violations()).toEqual([]);
});

test("a transfer belongs to the month of its time, even if process clocks differ", async () => {
  await fc.assert(
    fc.asyncProperty(
      // Around midnight, each off by up to half an hour.
      fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 60, size: "max" }),
      fc.integer({ min: 1, max: 60 }),
      async (offsets, most) => {
        const times = offsets.map((offset, place) => MIDNIGHT + (place * 4 - 120 + offset) * 60_000);
        const accountId = await accountWithTimes(fixture, times);
        await sumStep(fixture.database.sql, accountId, 1, most);
        await expectExact(accountId, ["2026-02", "2026-03", "2026-04", "2026-05"]);
      },
    ),
    { numRuns: 15 },
  );
});

test("several processes that sum at the same time count every transfer once", async () => {
  const accountId = await accountWithTimes(
    fixture,
    Array.from({ length: 3_000 }, (_, place) => MIDNIGHT + place * HOUR),
  );
  const { sql } = fixture.database;
  await Promise.all([sumNewTransfers(sql), sumAllTransfers(sql), sumNewTransfers(sql), sumAllTransfers(sql)]);
  await expectExact(accountId, ["2026-03", "2026-04", "2026-07"]);
  expect((await sql`select seq from ledger_month_sum_positions where account_id = ${accountId}`)[0]?.["seq"]).toBe(3_000n);
});

test("an account with a missing transfer is named, and the others are summed all the same", async () => {
  const { sql } = fixture.database;
  const times = Array.from({ length: 600 }, (_, place) => MIDNIGHT + place * HOUR);
  // The first one to be summed is the damaged one, because it has the most new transfers.
  const damaged = await accountWithTimes(fixture, [...times, MIDNIGHT]);
  const [sound, small] = [await accountWithTimes(fixture, times), await accountWithTimes(fixture, [MIDNIGHT])];
  await fixture.owner`delete from transfers where account_id = ${damaged} and seq = 2`;
  const summed = async (accountId: string) =>
    (await sql`select seq from ledger_month_sum_positions where account_id = ${accountId}`)[0]?.["seq"];
  await expect(sumNewTransfers(sql)).rejects.toThrow(damaged);
  expect(await summed(sound)).toBe(600n);
  await expect(sumAllTransfers(sql)).rejects.toThrow(damaged);
  expect(await summed(small)).toBe(1n);
  await fixture.owner`delete from transfers where account_id = ${damaged}`;
  await fixture.owner`delete from wallets where account_id = ${damaged}`;
});

test("summing everything ends although an account gets new transfers all the time", async () => {
  const { owner } = fixture;
  const accountId = await accountWithTimes(fixture, [MIDNIGHT, MIDNIGHT + HOUR]);
  // Whenever the position moves, another transfer is there.
  await owner.unsafe(`
    create function post_another() returns trigger language plpgsql as $$ begin
      update wallets set seq = seq + 1, available = available + 1, funding = funding - 1 where account_id = new.account_id;
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
      select account_id, seq, 'topup', 'funding', 'available', 1, available, '', now() from wallets where account_id = new.account_id;
      return new;
    end $$;
    create trigger post_another after update on ledger_month_sum_positions for each row
      when (new.account_id = '${accountId}' and new.seq < 1000) execute function post_another()`);
  try {
    await sumAllTransfers(owner);
    expect(await owner`select seq from ledger_month_sum_positions where account_id = ${accountId}`).toEqual([{ seq: 2n }]);
  } finally {
    await owner.unsafe("drop trigger post_another on ledger_month_sum_positions; drop function post_another");
  }
});

test("few new transfers are not worth a write, and a missing one fails the job instead of making statements wrong", async () => {
  const { sql } = fixture.database;
  const accountId = await accountWithTimes(fixture, [MIDNIGHT, MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR]);
  await sumNewTransfers(sql);
  expect(await sql`select from ledger_month_sum_positions where account_id = ${accountId}`).toHaveLength(0);
  await fixture.owner`delete from transfers where account_id = ${accountId} and seq = 2`;
  await expect(sumStep(sql, accountId, 1)).rejects.toThrow(`Of the transfers 1 to 3 of ${accountId}, 2 exist`);
  expect(await sql`select from ledger_month_sums where account_id = ${accountId}`).toHaveLength(0);
});

test.each([
  ["a changed sum", "update ledger_month_sums set amount = amount + 1"],
  ["a lost sum", "delete from ledger_month_sums"],
  ["a changed count", "update ledger_month_sums set transfers = transfers + 1"],
  ["a changed position", "update ledger_month_sum_positions set seq = seq - 1"],
])("%s is found by the ledger check", async (_, statement) => {
  const accountId = await accountWithTimes(fixture, [MIDNIGHT, MIDNIGHT + HOUR]);
  const found = async () => (await checkLedger(fixture.database.sql, [accountId])).filter(({ violations }) => violations > 0);
  await sumStep(fixture.database.sql, accountId, 1);
  expect(await found()).toEqual([]);
  await fixture.owner.unsafe(`${statement} where account_id = $1`, [accountId]);
  expect(await found()).toEqual([{ name: MONTHS, violations: 1 }]);
});

test("an account without transfers opens and closes at zero", async () => {
  expect(await readMonthSums(fixture.database.sql, "A-NOBODY", "2026-04")).toEqual({ opening: 0n, closing: 0n, sums: [] });
});
