import { expect, test } from "vitest";
import { createOverviewFixture, MINUTE, NOW } from "../testing/fixture.ts";
import { readRecentOrders } from "./read-pending.ts";

test("the rate counts the orders of the last ten seconds, and the pending ones those of the last minute", async () => {
  const fixture = await createOverviewFixture();
  await fixture.make(3);
  await fixture.make(2, { at: NOW - 9_999, state: 0 });
  await fixture.make(4, { at: NOW - 10_001, state: 0 });
  await fixture.make(5, { at: NOW - MINUTE - 1, state: 0 });
  expect(await readRecentOrders(fixture.sql, NOW, "live")).toEqual({ perSecond: 0.5, pending: 6 });
  expect(await readRecentOrders(fixture.sql, NOW, "test")).toEqual({ perSecond: 0, pending: 0 });
  await fixture.close();
});
