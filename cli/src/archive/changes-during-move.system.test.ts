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
import { rollUpAll } from "./rolled-up.ts";
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

/** Begins a transaction, which ends when the returned function is called. */
async function holdTransaction(statement: string): Promise<() => Promise<void>> {
  const holder = await old.fixture.owner.reserve();
  await holder`begin`;
  await holder.unsafe(statement);
  return async () => {
    await holder`commit`;
    holder.release();
  };
}

async function oldestMonth() {
  const [oldest] = await monthsBefore(old.fixture.owner, Date.now());
  if (!oldest) throw new Error("There is no old month.");
  return oldest;
}

test("a month stays when one of its callbacks is sent again while the run waits to freeze it", async () => {
  const { owner } = old.fixture;
  await owner`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, next_at, created_at, state, delivered_at)
    values (${old.accountId}, ${order.orderId}, 'status', ${order.orderId}, 'X', 'SUCCESS', now(), now(), 'delivered', now())`;
  await makePartitions(owner, Date.now());
  // As a resend does, which has not committed when the run looks for waiting callbacks.
  const commit = await holdTransaction(`update callbacks set state = 'waiting', next_at = now() where callback_id = '${order.orderId}'`);
  const moving = old.move(4);
  const freezeWaits = async () => (await owner`select from pg_locks where not granted and mode = 'ShareRowExclusiveLock'`).length > 0;
  await expect.poll(freezeWaits).toBe(true);
  await commit();
  expect(await moving).toMatchObject({ code: 1, month, error: expect.stringContaining("1 callbacks are not delivered") });
  expect([...(await owner`select state from callbacks`)]).toEqual([{ state: "waiting" }]);
});

test("rows of a table in use wait for a partition of their own and leave with their month", async () => {
  const { owner } = old.fixture;
  const release = await holdTransaction("select from orders_default");
  const moving = old.move(4);
  // The partitions of transfers are made after those of orders were given up.
  const isGivenUp = async () => (await owner`select to_regclass(${`transfers_${month.replace("-", "_")}`}) as made`)[0]?.["made"] ?? null;
  await expect.poll(isGivenUp).not.toBeNull();
  await release();
  expect(await moving).toMatchObject({ code: 0, moved: [month] });
  expect((await owner`select from orders`).length).toBe(0);
});

/** The first of two runs, whose lock was lost, up to the moment when its files are complete. */
async function firstRun() {
  const { owner, database } = old.fixture;
  await makePartitions(owner, Date.now());
  await sumAllTransfers(database.sql);
  await rollUpAll(owner, Date.now());
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
  await rollUpAll(owner, Date.now());
  const reason = "another run has allowed changes of it: run the command again";
  expect(await detach()).toEqual([reason]);
  await freezeMonth(owner, await oldestMonth());
  expect(await detach()).toEqual([reason]);
  await unfreezeMonth(owner, leaving);
  expect(await listFrozen(owner)).toHaveLength(leaving.partitions.length);
  expect((await owner`select from archived_months`).length).toBe(0);
});
