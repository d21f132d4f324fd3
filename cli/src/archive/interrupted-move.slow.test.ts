import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, inject, test } from "vitest";
import { readMonthSums } from "../../../server/src/domain/ledger/month-sums.ts";
import type { Order } from "../../../server/src/domain/orders/order.ts";
import { ids, newOrder, type OrdersFixture, type OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { archiveFolderFault } from "../../../server/src/jobs/archive-folder.ts";
import { archiveOldMonths } from "../../../server/src/jobs/archive-job.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { listFrozen } from "../../../server/src/platform/db/partitions/frozen-months.ts";
import { makePartitions } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import { freezeMonth, monthsBefore } from "./leave-database.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;
const HOUR_MILLISECONDS = 3_600_000;

/** How far the clock of the scheduled runs is ahead. */
let later = 0;

let fixture: OrdersFixture;
let process: OrdersProcess;
let accountId: string;
let oldest: Order;
let second: Order;
beforeEach(async () => {
  later = 0;
  ({ fixture, process } = await createArchiveFixture());
  accountId = ids.account();
  goBack(200);
  await process.ctx.writer.write(topUp(accountId, 1000, "start"));
  oldest = await succeeded();
  goBack(165);
  second = await succeeded();
  goBack(0);
  await makePartitions(fixture.owner, Date.now());
  return () => fixture.close();
});

const goBack = (days: number) => fixture.clock.advance(Date.now() - days * DAY_MILLISECONDS - fixture.clock.now());

async function succeeded(): Promise<Order> {
  const order = newOrder(accountId, { createdAt: fixture.clock.now() });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  return order;
}

/** Starts the scheduled job, as the service does. */
function schedule(stopping = new AbortController().signal, folder = scratchFolder()): () => Promise<boolean> {
  const { sql, url } = fixture.database;
  const environment = { CORPRAIL_DATABASE_URL: url, CORPRAIL_DATA_DIR: "/nowhere" };
  return () =>
    archiveOldMonths({
      ...{ schedule: { folder, keepMonths: 4 }, sql, cells: () => [sql], clock: { now: () => Date.now() + later }, log: process.ctx.log },
      ...{ stopping, command: inject("programs")?.corprail ?? "", environment, keepTurnMilliseconds: 20 },
    });
}

/** Makes the next run wait while it writes its first month. Returns what lets it go on. */
async function holdWriting(): Promise<() => Promise<void>> {
  const holder = await fixture.owner.reserve();
  await holder`begin`;
  await holder`lock table installation in access exclusive mode`;
  return async () => {
    await holder`rollback`;
    holder.release();
  };
}

const untilFrozen = () => expect.poll(() => listFrozen(fixture.owner)).not.toEqual([]);
const movedMonths = async () => (await fixture.owner`select from archived_months`).length;

test("a month that an interrupted run has frozen can change after the next run, although a complaint keeps it", async () => {
  const { owner } = fixture;
  const [first] = await monthsBefore(owner, Date.now());
  if (!first) throw new Error("There is no old month.");
  await freezeMonth(owner, first);
  await owner`
    insert into complaints (account_id, complaint_ref, order_id, reason_code, description, raised_at, due_by)
    values (${accountId}, 'C1', ${oldest.orderId}, 'x', 'x', now(), now())`;
  expect(await schedule()()).toBe(true);
  expect(await movedMonths()).toBe(0);
  expect(await process.ctx.writer.write(reverse(oldest))).toMatchObject({ kind: "done" });
});

test("a service that stops ends its run without a frozen month, and the next start runs at once", async () => {
  const release = await holdWriting();
  const stop = new AbortController();
  const run = schedule(stop.signal)();
  await untilFrozen();
  stop.abort();
  await release();
  await run;
  expect(await listFrozen(fixture.owner)).toEqual([]);
  expect(await movedMonths()).toBe(0);
  expect(await schedule()()).toBe(true);
  expect(await movedMonths()).toBe(2);
  expect(await fixture.violations()).toEqual([]);
});

test("a reversal during the run is summed under its order's operator before the order leaves", async () => {
  const { sql } = fixture.database;
  const sums = () => readMonthSums(sql, accountId, indiaMonth(Date.now()));
  const release = await holdWriting();
  const run = schedule()();
  await untilFrozen();
  expect(await process.ctx.writer.write(reverse(second))).toMatchObject({ kind: "done" });
  const before = await sums();
  await release();
  expect(await run).toBe(true);
  expect(await movedMonths()).toBe(2);
  expect(await sums()).toEqual(before);
});

test("while a run takes hours, no other process tries", async () => {
  const { sql } = fixture.database;
  const release = await holdWriting();
  const run = schedule()();
  await untilFrozen();
  later = 3 * HOUR_MILLISECONDS;
  const turnTaken = async () => (await sql`select started_at from periodic_job_runs where job = 'archive'`)[0]?.["started_at"] as Date;
  await expect.poll(async () => (await turnTaken()).getTime()).toBeGreaterThan(Date.now() + 2 * HOUR_MILLISECONDS);
  expect(await schedule()()).toBe(false);
  await release();
  expect(await run).toBe(true);
  expect(await sql`select failure from archive_runs`).toMatchObject([{ failure: null }]);
});

test("a folder whose storage is not mounted gets no month", async () => {
  const { sql } = fixture.database;
  const [folder, elsewhere] = [scratchFolder(), scratchFolder()];
  expect(await schedule(undefined, join(folder, "missing"))()).toBe(true);
  expect(await sql`select failure from archive_runs`).toMatchObject([{ failure: expect.stringContaining("does not exist") }]);
  expect(await movedMonths()).toBe(0);
  later = HOUR_MILLISECONDS;
  await schedule(undefined, folder)();
  expect(await movedMonths()).toBe(2);
  expect(await archiveFolderFault(sql, elsewhere)).toContain(`does not have the archive of ${indiaMonth(second.createdAt)}`);
  expect(await readdir(elsewhere)).toEqual([]);
  // Months may be taken to another storage. The mark stays.
  for (const name of await readdir(folder)) if (!name.startsWith(".")) await rm(join(folder, name), { recursive: true });
  expect(await archiveFolderFault(sql, folder)).toBeNull();
});

test("a month that a backup holds stays with the reason, can change meanwhile, and leaves an hour later", async () => {
  const { owner } = fixture;
  const run = schedule();
  const backup = await owner.reserve();
  await backup`begin`;
  await backup`lock table only orders in access share mode`;
  expect(await run()).toBe(true);
  expect([await movedMonths(), await listFrozen(owner)]).toEqual([0, []]);
  expect(await owner`select failure from archive_runs`).toEqual([{ failure: expect.stringContaining("in use, for example by a backup") }]);
  later += HOUR_MILLISECONDS / 2;
  expect(await run()).toBe(false);
  await backup`rollback`;
  backup.release();
  later += HOUR_MILLISECONDS / 2;
  expect(await run()).toBe(true);
  expect(await owner`select failure from archive_runs`).toEqual([{ failure: null }]);
  expect(await movedMonths()).toBe(2);
});
