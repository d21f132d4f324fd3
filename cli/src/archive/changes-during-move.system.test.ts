import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sumAllTransfers } from "../../../server/src/domain/ledger/month-sums.ts";
import type { Order } from "../../../server/src/domain/orders/order.ts";
import { reverse } from "../../../server/src/domain/orders/testing/operations.ts";
import { listFrozen } from "../../../server/src/platform/db/partitions/frozen-months.ts";
import { makePartitions } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { createOldMonths, type OldMonths } from "../../testing/old-months.ts";
import { detachMonth, freezeMonth, monthsBefore, unfreezeMonth } from "./leave-database.ts";
import { manifestPath } from "./manifest.ts";
import { sha256Of } from "./parquet.ts";
import { readClosingsOf } from "./verify-archive.ts";

let old: OldMonths;
let order: Order;
let month: string;
beforeEach(async () => {
  old = await createOldMonths();
  month = old.goTo(6);
  order = await old.succeeded();
  old.goTo(0);
  return () => old.fixture.close();
});

async function oldestMonth() {
  const [oldest] = await monthsBefore(old.fixture.owner, Date.now());
  if (!oldest) throw new Error("There is no old month.");
  return oldest;
}

/** The first of two runs, whose lock was lost, up to the moment when its files are complete. */
async function firstRun() {
  const { owner, database } = old.fixture;
  await makePartitions(owner, Date.now());
  await sumAllTransfers(database.sql);
  const leaving = await oldestMonth();
  await freezeMonth(owner, leaving);
  expect(await old.run("make", month, old.folder)).toMatchObject({ code: 0 });
  const target = join(old.folder, month);
  const detach = async () => detachMonth(owner, leaving, await sha256Of(manifestPath(target)), await readClosingsOf(target));
  return { leaving, detach };
}

test("a month stays when another run has allowed it to change, also when that run froze it again", async () => {
  const { owner } = old.fixture;
  const { leaving, detach } = await firstRun();
  expect(await old.move(24)).toMatchObject({ code: 0, moved: [] });
  expect(await old.process.ctx.writer.write(reverse(order))).toMatchObject({ kind: "done" });
  await sumAllTransfers(old.fixture.database.sql);
  const reason = "another run has allowed changes of it: run the command again";
  expect(await detach()).toEqual([reason]);
  await freezeMonth(owner, await oldestMonth());
  expect(await detach()).toEqual([reason]);
  await unfreezeMonth(owner, leaving);
  expect(await listFrozen(owner)).toHaveLength(leaving.partitions.length);
  expect((await owner`select from archived_months`).length).toBe(0);
});
