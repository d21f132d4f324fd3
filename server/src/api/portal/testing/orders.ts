import { expect } from "vitest";
import { type BuiltOrder, buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { money } from "../../../domain/orders/testing/fixture.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { PortalFixture } from "./fixture.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Moves the clock to the next 12:10 in India, so that neither a day nor an hour ends during a test. */
export function untilNoon(fixture: PortalFixture): void {
  const { clock } = fixture.settings;
  const midnight = indiaMidnight(indiaDate(clock.now())) ?? 0;
  const noon = midnight + DAY_MILLISECONDS / 2 + 600_000;
  clock.advance((noon > clock.now() ? noon : noon + DAY_MILLISECONDS) - clock.now());
}

/** Adds rupees to an account's wallet. */
export async function fund(fixture: PortalFixture, accountId: string, rupees: number, reference = "first"): Promise<void> {
  const done = await topUp(fixture.ctx.orders, "test", { accountId, amount: money(rupees), reference, note: "" });
  expect(done.kind).toBe("done");
}

/** An account with money, and orders of ten rupees in these states. */
export async function accountWithOrders(
  fixture: PortalFixture,
  orders: readonly Partial<BuiltOrder>[],
): Promise<[string, readonly string[]]> {
  const { accountId } = await fixture.newAccount();
  await fund(fixture, accountId, 1_000_000);
  const ids: string[] = [];
  for (const order of orders) ids.push(await buildOrder(fixture.ctx.orders, accountId, order));
  return [accountId, ids];
}

/** Inserts many final orders, one millisecond apart, without ledger entries, for tests that only read orders. */
export async function manyOrders(sql: Sql, accountId: string, count: number, from: number): Promise<void> {
  const chunk = 5_000;
  for (let first = 0; first < count; first += chunk) {
    const places = Array.from({ length: Math.min(chunk, count - first) }, (_, place) => first + place);
    await sql`
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
        process_id, created_at, updated_at)
      select ${accountId}, o.order_id, 'recharge', 'R' || o.place, '', 1, 100000 + o.place, '10', '9876543210', 'AT', 'simulator', 'P', o.at, o.at
      from unnest(${places.map((place) => `${orderIdAt(from + place)}ZZZZZZZZ`)}::text[], ${places}::integer[],
        ${places.map((place) => new Date(from + place).toISOString())}::timestamptz[]) as o (order_id, place, at)`;
    await sql`
      insert into order_references (account_id, digest, order_id)
      select ${accountId}, order_reference_digest(${accountId}, 'recharge', 'R' || o.place, ''), o.order_id
      from unnest(${places.map((place) => `${orderIdAt(from + place)}ZZZZZZZZ`)}::text[], ${places}::integer[]) as o (order_id, place)`;
  }
}

export async function expectSoundLedger(fixture: PortalFixture): Promise<void> {
  const checks = await checkLedger(fixture.settings.database.sql);
  expect(checks.filter((check) => check.violations > 0)).toEqual([]);
}
