import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, type OrdersFixture } from "../orders/testing/fixture.ts";
import { readPeriodLines } from "./period.ts";
import { accountWithTimes } from "./testing/top-ups.ts";

const MIDNIGHT = Date.parse("2026-04-01T00:00:00+05:30");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LATER = MIDNIGHT + 1_000 * HOUR;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(() => fixture.close());

async function linesOf(accountId: string, fromMilliseconds: number, toMilliseconds: number): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const rows of readPeriodLines(fixture.database.sql, { accountId, fromMilliseconds, toMilliseconds }, LATER))
    found.push(...rows.map((row) => Number(row.seq)));
  return found;
}

test("consecutive periods share no line, even if process clocks differ", async () => {
  await fc.assert(
    fc.asyncProperty(
      // Around midnight, each off by up to half an hour.
      fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 60, size: "max" }),
      async (offsets) => {
        const times = offsets.map((offset, place) => MIDNIGHT + (place * 4 - 120 + offset) * MINUTE);
        const accountId = await accountWithTimes(fixture, times);
        const before = { accountId, fromMilliseconds: MIDNIGHT - 24 * HOUR, toMilliseconds: MIDNIGHT };
        const after = { accountId, fromMilliseconds: MIDNIGHT, toMilliseconds: MIDNIGHT + 24 * HOUR };
        const places = (isEarlier: boolean) => times.flatMap((time, place) => (time < MIDNIGHT === isEarlier ? [place + 1] : []));
        expect(await linesOf(accountId, before.fromMilliseconds, before.toMilliseconds)).toEqual(places(true));
        expect(await linesOf(accountId, after.fromMilliseconds, after.toMilliseconds)).toEqual(places(false));
      },
    ),
    { numRuns: 25 },
  );
});

test("lines over several pages are complete, unique and in order", async () => {
  const times = Array.from({ length: 2_500 }, (_, place) => MIDNIGHT + place * 1_000);
  const accountId = await accountWithTimes(fixture, times);
  expect(await linesOf(accountId, MIDNIGHT, MIDNIGHT + 24 * HOUR)).toEqual(times.map((_, place) => place + 1));
});

test("an account without transfers has no lines", async () => {
  expect(await linesOf("A-NOBODY", MIDNIGHT, MIDNIGHT + HOUR)).toEqual([]);
});
