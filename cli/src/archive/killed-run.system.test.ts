import { beforeEach, expect, inject, test } from "vitest";
import type { OrdersFixture } from "../../../server/src/domain/orders/testing/fixture.ts";
import { archiveOldMonths } from "../../../server/src/jobs/archive-job.ts";
import { listFrozen, withArchiveLock } from "../../../server/src/platform/db/partitions/frozen-months.ts";
import { createLog } from "../../../server/src/platform/observability/log.ts";
import { addOldMonth, createArchiveFixture, detachAsKilledRun } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import type { Variables } from "../../testing/processes.ts";
import { freezeMonth, type LeavingMonth, unfreezeAll } from "./leave-database.ts";

let fixture: OrdersFixture;
let month: LeavingMonth;
let variables: Variables;
beforeEach(async () => {
  const made = await createArchiveFixture();
  fixture = made.fixture;
  month = await addOldMonth(fixture, made.process);
  variables = { CORPRAIL_DATABASE_URL: fixture.database.url, CORPRAIL_DATA_DIR: "/nowhere" };
  return () => fixture.close();
});

/** Runs the scheduled job once, as the service does. Returns whether it has started the command. */
async function runSchedule(folder: string, keepMonths = 4): Promise<boolean> {
  const { sql } = fixture.database;
  return await archiveOldMonths({
    ...{ schedule: { folder, keepMonths }, sql, cells: () => [sql], clock: { now: () => Date.now() }, log: createLog("silent") },
    ...{ stopping: new AbortController().signal, command: inject("programs")?.corprail ?? "", environment: variables },
  });
}

test("the schedule finishes a run that was killed before it dropped its last old month", async () => {
  const { owner } = fixture;
  const folder = scratchFolder();
  await detachAsKilledRun(owner, month, folder, variables);
  expect(await runSchedule(folder)).toBe(true);
  expect(await owner`select failure from archive_runs`).toEqual([{ failure: null }]);
  expect(await owner`select from archived_months where dropped_at is not null`).toHaveLength(1);
  for (const { name } of month.partitions) expect(await owner`select to_regclass(${name}) as table`).toEqual([{ table: null }]);
  expect(await runSchedule(folder)).toBe(false);
});

test("the schedule allows changes of a month again that a killed run has frozen, also if the month is now kept", async () => {
  await freezeMonth(fixture.owner, month);
  expect(await runSchedule(scratchFolder(), 24)).toBe(true);
  expect(await listFrozen(fixture.owner)).toEqual([]);
  expect(await fixture.owner`select from archived_months`).toHaveLength(0);
});

test("a month can change again at once although a backup still reads it, and is frozen again later", async () => {
  const { owner } = fixture;
  const change = async () => (await owner`update orders set updated_at = now()`).count;
  await freezeMonth(owner, month);
  await owner.begin(async (backup) => {
    await backup`select from orders`;
    expect(await unfreezeAll(owner)).toEqual(month.partitions.map(({ name }) => name));
  });
  expect([await listFrozen(owner), await change()]).toEqual([[], 1]);
  await freezeMonth(owner, month);
  expect(await listFrozen(owner)).toEqual(month.partitions.map(({ name }) => name));
  await expect(change()).rejects.toThrow("is being archived");
});

test("the schedule leaves a month to the command that is moving it", async () => {
  const folder = scratchFolder();
  await detachAsKilledRun(fixture.owner, month, folder, variables);
  expect(await withArchiveLock(fixture.owner, () => runSchedule(folder))).toBe(false);
  expect(await runSchedule(folder)).toBe(true);
});
