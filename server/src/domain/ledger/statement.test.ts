import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, type OrdersFixture } from "../orders/testing/fixture.ts";
import { readStatement, type StatementQuery } from "./statement.ts";
import { accountWithTimes } from "./testing/top-ups.ts";

const START = Date.parse("2026-01-01T00:00:00+05:30");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(() => fixture.close());

async function seqs(accountId: string, more: Partial<StatementQuery>): Promise<readonly number[]> {
  const rows = await readStatement(fixture.database.sql, {
    accountId,
    fromMilliseconds: START,
    toMilliseconds: START + 24 * HOUR,
    isPast: true,
    before: null,
    limit: 1_000,
    ...more,
  });
  return rows.map((row) => Number(row.seq));
}

const countdown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, place) => from - place);

test("a statement has exactly the lines of its period", async () => {
  const accountId = await accountWithTimes(
    fixture,
    Array.from({ length: 500 }, (_, place) => START + place * 10 * MINUTE),
  );
  for (const [first, last] of [
    [0, 499],
    [0, 0],
    [499, 499],
    [17, 203],
    [250, 250],
    [144, 287],
  ] as const) {
    const stretch = { fromMilliseconds: START + first * 10 * MINUTE, toMilliseconds: START + last * 10 * MINUTE + 1 };
    for (const isPast of [true, false]) expect(await seqs(accountId, { ...stretch, isPast })).toEqual(countdown(last + 1, first + 1));
  }
  const before = { fromMilliseconds: START - 48 * HOUR, toMilliseconds: START };
  const after = { fromMilliseconds: START + 5_000 * MINUTE, toMilliseconds: START + 5_100 * MINUTE };
  for (const stretch of [before, after]) expect(await seqs(accountId, stretch)).toEqual([]);
});

test("process clocks that differ by minutes hide no line at either end", async () => {
  const times = Array.from({ length: 200 }, (_, place) => START + place * MINUTE + (place % 2 === 0 ? 10 * MINUTE : 0));
  const accountId = await accountWithTimes(fixture, times);
  const stretch = { fromMilliseconds: START + 60 * MINUTE, toMilliseconds: START + 120 * MINUTE };
  const expected = times.flatMap((time, place) => (time >= stretch.fromMilliseconds && time < stretch.toMilliseconds ? [place + 1] : []));
  expect(await seqs(accountId, stretch)).toEqual(expected.toReversed());
});

test("an account without money has an empty statement", async () => {
  expect(await seqs("A-NOBODY", {})).toEqual([]);
});
