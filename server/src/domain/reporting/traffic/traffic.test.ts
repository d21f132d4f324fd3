import { afterEach, beforeEach, expect, test } from "vitest";
import { formatMoney } from "../../../platform/core/money.ts";
import { readDay, readFloat, withLive } from "../current-state/read-float.ts";
import { createOverviewFixture, MIDNIGHT, MINUTE, NOW, type OverviewFixture } from "../testing/fixture.ts";
import { countMinutes, keptFrom, readLiveFrom } from "./count-minutes.ts";
import { readTraffic, type Traffic } from "./read-traffic.ts";

let fixture: OverviewFixture;
beforeEach(async () => {
  fixture = await createOverviewFixture();
});
afterEach(() => fixture.close());

const read = () => readTraffic(fixture.sql, fixture.clock.now());
const today = async () => {
  const { live, liveFrom } = await read();
  return withLive(await readDay(fixture.sql, fixture.clock.now(), liveFrom, "live"), live);
};
const provider = (traffic: Traffic, name = "first") => traffic.providers.find((one) => one.name === name);
const totals = ({ minutes }: Traffic) =>
  minutes.reduce(
    (sum, one) => ({ success: sum.success + one.success, failed: sum.failed + one.failed, pending: sum.pending + one.pending }),
    { success: 0, failed: 0, pending: 0 },
  );

test("the newest two minutes are seen at once, older ones when they were counted", async () => {
  await fixture.make(3);
  await fixture.make(2, { at: NOW - MINUTE, state: 2 });
  await fixture.make(5, { at: NOW - 30 * MINUTE });
  const before = await read();
  expect(totals(before)).toEqual({ success: 3, failed: 2, pending: 0 });
  expect(before.isComplete).toBe(false);
  await fixture.count();
  const after = await read();
  expect(totals(after)).toEqual({ success: 8, failed: 2, pending: 0 });
  expect(after.isComplete).toBe(true);
  expect(after.minutes).toHaveLength(60);
  expect(after.minutes.at(-1)).toMatchObject({ success: 3, failed: 0 });
  expect(after.minutes.at(-31)).toMatchObject({ success: 5 });
});

test("an order is in one minute only, whichever side of its border it is on", async () => {
  const border = NOW - 20 * MINUTE - 30_000;
  await fixture.make(1, { at: border - 1 });
  await fixture.make(1, { at: border });
  await fixture.count();
  const shown = (await read()).minutes.filter((minute) => minute.success > 0);
  expect(shown.map((minute) => [minute.at, minute.success])).toEqual([
    [border - MINUTE, 1],
    [border, 1],
  ]);
});

test("an order that ends later is counted as it ended", async () => {
  const [orderId = ""] = await fixture.make(1, { at: NOW - 30 * MINUTE, state: 0 });
  await fixture.count();
  expect(totals(await read())).toEqual({ success: 0, failed: 0, pending: 1 });
  await fixture.sql`update orders set state = 2 where order_id = ${orderId}`;
  fixture.clock.advance(7 * MINUTE);
  await fixture.count();
  expect(totals(await read())).toEqual({ success: 0, failed: 1, pending: 0 });
});

test("a success that is taken back is counted as failed in the end, and the provider is owed nothing for it", async () => {
  const [orderId = ""] = await fixture.make(2, { at: NOW - 10 * MINUTE });
  await fixture.count();
  expect((await today()).providers).toEqual([{ provider: "first", orders: 2, owed: 200_000n }]);
  await fixture.sql`update orders set state = 2, operator_ref = 'R' where order_id = ${orderId}`;
  fixture.clock.advance(40 * MINUTE);
  await fixture.count();
  expect(totals(await read())).toEqual({ success: 1, failed: 1, pending: 0 });
  expect((await today()).providers).toEqual([{ provider: "first", orders: 1, owed: 100_000n }]);
});

test("a provider answers for what it passed on, an operator only for how its orders ended", async () => {
  const [one = "", two = ""] = await fixture.make(2, { at: NOW - 5 * MINUTE, provider: "second", attempt: 2 });
  for (const orderId of [one, two])
    await fixture.sql`
      insert into order_attempts (account_id, order_id, attempt, provider, started_at, outcome)
      values (${fixture.accountId}, ${orderId}, 1, 'first', now(), 'declined'), (${fixture.accountId}, ${orderId}, 2, 'second', now(), null)`;
  await fixture.make(1, { provider: "first", state: 2 });
  await fixture.count();
  const traffic = await read();
  expect(provider(traffic)?.quarter).toMatchObject({ success: 0, failed: 1, passedOn: 2 });
  expect(provider(traffic, "second")?.quarter).toMatchObject({ success: 2, failed: 0, passedOn: 0 });
  expect(traffic.operators).toMatchObject([{ name: "AT", hour: { success: 2, failed: 1 } }]);
  expect(totals(traffic)).toEqual({ success: 2, failed: 1, pending: 0 });
});

test("a quarter of an hour is the newest fifteen minutes of the hour", async () => {
  await fixture.make(1, { at: NOW - 14 * MINUTE });
  await fixture.make(1, { at: NOW - 15 * MINUTE });
  await fixture.make(1, { at: NOW - 59 * MINUTE });
  await fixture.make(1, { at: NOW - 60 * MINUTE });
  await fixture.count();
  expect(provider(await read())).toMatchObject({ quarter: { success: 1 }, hour: { success: 3 } });
});

test("the median is of what is final, and not of what was taken back later", async () => {
  await fixture.make(3, { tookMilliseconds: 30 });
  await fixture.make(1, { tookMilliseconds: 600_000 });
  await fixture.make(9, { tookMilliseconds: 3_000_000, state: 2, operatorRef: "R" });
  const median = provider(await read())?.hour.medianMilliseconds ?? 0;
  expect(median).toBeGreaterThanOrEqual(20);
  expect(median).toBeLessThanOrEqual(50);
});

test("accounts that only try things out are left out everywhere", async () => {
  await fixture.make(4, { accountId: fixture.sandboxId });
  await fixture.make(4, { accountId: fixture.sandboxId, at: NOW - 20 * MINUTE });
  await fixture.sql`insert into wallets (account_id, available, funding) values (${fixture.sandboxId}, 70000, -70000), (${fixture.accountId}, 30000, -30000)`;
  await fixture.count();
  expect(totals(await read())).toEqual({ success: 0, failed: 0, pending: 0 });
  expect((await read()).providers).toEqual([]);
  expect(await readFloat(fixture.sql, "live")).toMatchObject({ available: 30_000n, accounts: 1 });
});

test("what a provider is owed leaves out what came back, and what it owes itself", async () => {
  await fixture.make(1, { rupees: 100, refunded: 40 });
  await fixture.make(1, { rupees: 100, credit: true });
  // A cancelled ticket of which something was kept.
  await fixture.make(1, { rupees: 100, refunded: 90, state: 2, operatorRef: "R", at: NOW - 3 * MINUTE });
  await fixture.count();
  const [first] = (await today()).providers;
  expect(formatMoney(first?.owed ?? (0n as never))).toBe("70.0000");
});

test("the day begins at midnight in India", async () => {
  await fixture.make(1, { at: MIDNIGHT - 1 });
  await fixture.make(1, { at: MIDNIGHT });
  expect(keptFrom(fixture.clock.now())).toBe(MIDNIGHT);
  await fixture.count();
  expect(await today()).toMatchObject({ providers: [{ orders: 1 }], isComplete: true });
});

test("of a day that has just begun only its own orders are summed", async () => {
  fixture.clock.advance(MIDNIGHT + 5_000 - NOW);
  await fixture.make(3, { at: MIDNIGHT - 30_000 });
  await fixture.make(1, { at: MIDNIGHT + 1_000 });
  expect((await today()).providers).toMatchObject([{ orders: 1 }]);
  expect(totals(await read()).success).toBe(4);
});

test("of many processes one counts at a time, and nothing is counted twice", async () => {
  await fixture.make(7, { at: NOW - 20 * MINUTE });
  const counted = await Promise.all(Array.from({ length: 8 }, () => countMinutes(fixture.ctx)));
  expect(counted.filter((minutes) => minutes > 0)).toHaveLength(1);
  await fixture.count();
  // Two that do it all the same, as when one was held up.
  await fixture.sql`delete from periodic_job_runs`;
  await fixture.sql`update counted_order_minutes set counted_at = minute`;
  const twice = fixture.ctx;
  const other = { ...twice, clock: { now: () => twice.clock.now() + 70_000 } };
  await Promise.all([countMinutes(twice), countMinutes(other)]);
  expect(totals(await read()).success).toBe(7);
});

test("in a busy fixture, what has not been counted yet is left to those who look", async () => {
  const live = await readLiveFrom(fixture.sql, fixture.clock.now());
  await fixture.make(2, { state: 2 });
  await fixture.count();
  expect(provider(await readTraffic(fixture.sql, fixture.clock.now(), { newestOf: "when calm" }))?.quarter.failed).toBe(2);
  await fixture.make(10_001, { at: live + MINUTE });
  await fixture.sql`delete from counted_order_minutes where minute = ${new Date(live + MINUTE)}`;
  await fixture.count();
  expect(provider(await readTraffic(fixture.sql, fixture.clock.now(), { newestOf: "when calm" }))?.quarter).toMatchObject({
    success: 10_001,
    failed: 0,
  });
  expect(provider(await read())?.quarter).toMatchObject({ success: 10_001, failed: 2 });
});

test("so is a burst that has not been counted yet", async () => {
  await fixture.make(10_001);
  expect(provider(await readTraffic(fixture.sql, fixture.clock.now(), { newestOf: "when calm" }))?.quarter.success ?? 0).toBe(0);
  expect(provider(await read())?.quarter.success).toBe(10_001);
});

test("what a crash has emptied is counted again", async () => {
  await fixture.make(5, { at: NOW - 20 * MINUTE });
  await fixture.count();
  await fixture.sql`delete from order_counts`;
  await fixture.sql`delete from counted_order_minutes`;
  await fixture.count();
  expect(totals(await read()).success).toBe(5);
});
