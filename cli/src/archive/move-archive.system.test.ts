import { join } from "node:path";
import { beforeEach, expect, inject, test } from "vitest";
import { checkNextRange } from "../../../server/src/domain/ledger/check-next-range.ts";
import { sumAllTransfers } from "../../../server/src/domain/ledger/month-sums.ts";
import { readBalances, readStatement } from "../../../server/src/domain/ledger/statement.ts";
import { findKnown } from "../../../server/src/domain/orders/find-known.ts";
import type { Order } from "../../../server/src/domain/orders/order.ts";
import { ids, money, newOrder, type OrdersFixture, type OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { readMonthStatement } from "../../../server/src/domain/pricing/month-statement.ts";
import { gatherFacts } from "../../../server/src/domain/reporting/alerts/gather-facts.ts";
import { archiveOldMonths } from "../../../server/src/jobs/archive-job.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { makePartitions } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { archiveCommands, createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import { beginningOf } from "../../testing/old-months.ts";
import { corprail, type Variables } from "../../testing/processes.ts";
import { detachMonth, freezeMonth, monthsBefore } from "./leave-database.ts";
import { manifestPath } from "./manifest.ts";
import { sha256Of } from "./parquet.ts";
import { rollUpAll } from "./rolled-up.ts";
import { readClosingsOf } from "./verify-archive.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

let fixture: OrdersFixture;
let process: OrdersProcess;
let variables: Variables;
let folder: string;
beforeEach(async () => {
  ({ fixture, process } = await createArchiveFixture());
  folder = scratchFolder();
  variables = { CORPRAIL_DATABASE_URL: fixture.database.url, CORPRAIL_DATA_DIR: "/nowhere" };
  return () => fixture.close();
});

const run = (...given: readonly string[]) => archiveCommands(fixture)(...given);
const move = () => run("move", folder, "--keep-months", "4");

/** Moves the clock to some days after the beginning of the month that is so many months ago. */
function goTo(monthsAgo: number, days: number): string {
  const at = beginningOf(monthsAgo) + days * DAY_MILLISECONDS;
  fixture.clock.advance(at - fixture.clock.now());
  return indiaMonth(at);
}

async function succeeded(accountId: string, reference: string): Promise<Order> {
  const order = newOrder(accountId, { reference, createdAt: fixture.clock.now(), fee: money(0.5), commission: money(0.2) });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  return order;
}

/** Orders in two old months and in the present one; an old one was reversed a month later. */
async function threeMonths() {
  const accountId = ids.account();
  const first = goTo(6, 10);
  await process.ctx.writer.write(topUp(accountId, 1000, "start"));
  const [kept, takenBack] = [await succeeded(accountId, "INV-1"), await succeeded(accountId, "INV-2")];
  const second = goTo(5, 10);
  await process.ctx.writer.write(reverse(takenBack));
  await succeeded(accountId, "INV-3");
  goTo(0, 0);
  const newest = await succeeded(accountId, "INV-4");
  return { accountId, first, second, kept, newest };
}

const contents = async () => ({
  orders: [...(await fixture.owner`select to_jsonb(o)::text as row from orders o order by order_id`)],
  transfers: [...(await fixture.owner`select to_jsonb(t)::text as row from transfers t order by account_id, seq`)],
});

async function rangeViolations(accountId: string): Promise<number> {
  let found = 0;
  for (let step = 0; step < 12; step++) {
    const { checks } = await checkNextRange(fixture.database.sql, accountId, 2, Date.now());
    found += checks.reduce((sum, { violations }) => sum + violations, 0);
  }
  return found;
}

test("old months move to files; the ledger stays consistent, references stay used, and a restore brings everything back", async () => {
  const { accountId, first, second, kept, newest } = await threeMonths();
  const { sql } = fixture.database;
  await rangeViolations(accountId);
  const statements = () => Promise.all([first, second].map((month) => readMonthStatement(sql, accountId, month)));
  const statementsBefore = await statements();
  const [before, wallet] = [await contents(), (await fixture.owner`select * from wallets where account_id = ${accountId}`)[0]];
  expect(await move()).toMatchObject({ code: 0, moved: [first, second] });
  expect((await sql`select order_id from orders`).map((row) => row["order_id"])).toEqual([newest.orderId]);
  expect(await fixture.violations()).toEqual([]);
  expect(await rangeViolations(accountId)).toBe(0);
  expect(await statements()).toEqual(statementsBefore);
  expect(statementsBefore.map((one) => one.totals.orders)).toEqual([2, 1]);
  expect(await run("verify", folder)).toMatchObject({ code: 0, months: [first, second] });
  expect(await run("find", folder, "--account", accountId, "--reference", "INV-1")).toMatchObject({ order: { order_id: kept.orderId } });

  const again = newOrder(accountId, { reference: "INV-1", createdAt: fixture.clock.now() });
  expect(await process.ctx.writer.write(accept(again))).toEqual({ kind: "archived", orderId: kept.orderId });
  expect(await findKnown(sql, again)).toEqual({ kind: "archived", orderId: kept.orderId });
  expect(await process.ctx.writer.write(topUp(accountId, 1000, "start"))).toMatchObject({ kind: "topped up", entry: `${accountId}-1` });
  expect((await fixture.owner`select * from wallets where account_id = ${accountId}`)[0]).toEqual(wallet);
  expect(await readBalances(sql, accountId, [Date.now()])).toEqual([wallet?.["available"]]);
  const span = { fromMilliseconds: 0, toMilliseconds: Date.now() + DAY_MILLISECONDS, isPast: false, before: null, limit: 50 };
  expect((await readStatement(sql, { accountId, ...span })).map((row) => row.order_id)).toContain(newest.orderId);

  expect(await run("restore", second, folder)).toMatchObject({ code: 0 });
  expect(await fixture.violations()).toEqual([]);
  expect(await run("restore", first, folder)).toMatchObject({ code: 0, restored: { orders: 2 } });
  expect(await contents()).toEqual(before);
  expect(await statements()).toEqual(statementsBefore);
  expect(await fixture.violations()).toEqual([]);
  expect(await rangeViolations(accountId)).toBe(0);
  expect(await move()).toMatchObject({ code: 0, moved: [first, second] });
  expect(await fixture.violations()).toEqual([]);
});

test.each([
  ["a pending order", "1 orders are pending", async (order: Order) => process.ctx.writer.write(accept(order))],
  [
    "an undelivered callback",
    "1 callbacks are not delivered",
    (order: Order) => fixture.owner`
      insert into callbacks (account_id, callback_id, kind, order_id, urid, status, next_at, created_at)
      values (${order.accountId}, ${order.orderId}, 'status', ${order.orderId}, 'X', 'SUCCESS', now(), now())`,
  ],
  [
    "an open complaint",
    "1 complaints are open",
    (order: Order) => fixture.owner`
      insert into complaints (account_id, complaint_ref, order_id, reason_code, description, raised_at, due_by)
      values (${order.accountId}, 'C1', ${order.orderId}, 'x', 'x', now(), now())`,
  ],
  [
    "a month whose days are not signed",
    "days of the ledger are not signed",
    (order: Order) => fixture.owner`
      insert into signing_runs (run, day, accounts, lines, hash, signed_text, signature, key_id, signed_at)
      values (1, ${new Date(order.createdAt)}, 0, 0, '', '', '', '', now())`,
  ],
])("a month with %s stays, and can still change", async (_, words, prepare) => {
  const accountId = ids.account();
  const month = goTo(6, 3);
  await process.ctx.writer.write(topUp(accountId, 100, "start"));
  const settled = await succeeded(accountId, "INV-1");
  await prepare(newOrder(accountId, { createdAt: fixture.clock.now() }));
  goTo(0, 0);
  expect(await move()).toMatchObject({ code: 1, month, error: expect.stringContaining(words) });
  expect(await process.ctx.writer.write(reverse(settled))).toMatchObject({ kind: "done" });
});

test("an archive that is older than the last change keeps its month in the database", async () => {
  const { first, kept } = await threeMonths();
  expect(await run("make", first, folder)).toMatchObject({ code: 0 });
  await process.ctx.writer.write(reverse(kept));
  expect(await move()).toMatchObject({ code: 1, error: expect.stringContaining("is not what the database holds (orders.parquet)") });
  expect(await fixture.violations()).toEqual([]);
});

test("a run that ended after any step is finished by the next one", async () => {
  const { first, second, kept } = await threeMonths();
  const { owner } = fixture;
  await makePartitions(owner, Date.now());
  const [oldest] = await monthsBefore(owner, Date.now());
  if (!oldest) throw new Error("There is no old month.");
  expect(oldest.month).toBe(first);
  await freezeMonth(owner, oldest);
  await expect(process.ctx.writer.write(reverse(kept))).rejects.toThrow("is being archived");
  expect(await run("make", first, folder)).toMatchObject({ code: 0 });
  const target = join(folder, first);
  const detach = async () => detachMonth(owner, oldest, await sha256Of(manifestPath(target)), await readClosingsOf(target));
  const uncounted = "its orders are not all counted in the analytics roll-ups";
  expect(await detach()).toEqual(["the sums of 1 accounts are not complete", uncounted]);
  await sumAllTransfers(fixture.database.sql);
  expect(await detach()).toEqual([uncounted]);
  await rollUpAll(owner, Date.now());
  expect(await detach()).toEqual([]);
  expect(await fixture.violations()).toEqual([]);
  expect(await run("restore", first, folder)).toMatchObject({ code: 1, error: expect.stringContaining("is being moved") });
  expect(await move()).toMatchObject({ code: 0, moved: [second] });
  expect((await owner`select month from archived_months where dropped_at is not null order by month`).map((row) => row["month"])).toEqual([
    first,
    second,
  ]);
  expect((await owner`select from pg_class where relname like 'orders\\_2%' and relkind = 'r' and not relispartition`).length).toBe(0);
  expect(await fixture.violations()).toEqual([]);
  expect(await run("make", first, folder)).toMatchObject({ code: 1, error: expect.any(String) });
});

test("the schedule moves old months, tries again an hour after a failure, and records why", async () => {
  const { accountId, first, second } = await threeMonths();
  goTo(6, 11);
  const pending = newOrder(accountId, { reference: "INV-9", createdAt: fixture.clock.now() });
  await process.ctx.writer.write(accept(pending));
  const { sql } = fixture.database;
  await makePartitions(fixture.owner, Date.now());
  let now = Date.now();
  const look = () =>
    archiveOldMonths({
      ...{ schedule: { folder, keepMonths: 4 }, sql, cells: () => [sql], clock: { now: () => now }, log: process.ctx.log },
      ...{ stopping: new AbortController().signal, command: inject("programs")?.corprail ?? "", environment: { ...variables } },
    });
  const lastRun = async () => (await sql`select ended_at, failure from archive_runs`)[0];
  expect(await look()).toBe(true);
  expect(await lastRun()).toMatchObject({ failure: `${first} stays in the database: 1 orders are pending.` });
  expect((await gatherFacts(sql, now, { operators: [], services: [] })).archiveFailure).toContain("are pending");
  expect(await look()).toBe(false);
  await process.ctx.writer.write(settle(pending, "FAILED"));
  await fixture.owner`update callbacks set state = 'delivered'`;
  now += 3_600_000;
  expect(await look()).toBe(true);
  expect(await lastRun()).toEqual({ ended_at: expect.any(Date), failure: null });
  expect((await sql`select month from archived_months order by month`).map((row) => row["month"])).toEqual([first, second]);
  now += 3_600_000;
  expect(await look()).toBe(false);
  expect(await run("verify", folder)).toMatchObject({ code: 0, months: [first, second] });
});

test("fewer than three months cannot be kept", async () => {
  expect((await corprail(["archive", "move", folder, "--keep-months", "2"], variables)).code).toBe(2);
});
