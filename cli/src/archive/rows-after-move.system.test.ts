import { beforeEach, expect, test } from "vitest";
import { findComplaint } from "../../../server/src/domain/complaints/store.ts";
import { newOrder } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle } from "../../../server/src/domain/orders/testing/operations.ts";
import { makePartitions, makeWhenFree } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { historyPartitions } from "../../../server/src/platform/db/partitions/partitioned-tables.ts";
import { tablesWithMisplacedRows } from "../../../server/src/platform/db/partitions/read-partitions.ts";
import { createOldMonths, type OldMonths } from "../../testing/old-months.ts";
import { rollUpAll } from "./rolled-up.ts";

let old: OldMonths;
let first: string;
let second: string;
beforeEach(async () => {
  old = await createOldMonths();
  first = old.goTo(6);
  await old.succeeded();
  second = old.goTo(5);
  await old.succeeded();
  old.goTo(0);
  return () => old.fixture.close();
});

const orderIds = async () => (await old.fixture.owner`select order_id from orders order by 1`).map((row) => row["order_id"]);

test("an order that is written with a time in an archived month stays usable, and later months leave", async () => {
  const { owner, violations } = old.fixture;
  expect(await old.move(5)).toMatchObject({ code: 0, moved: [first] });
  old.goTo(6);
  const late = await old.succeeded();
  const pending = newOrder(old.accountId, { createdAt: old.fixture.clock.now() });
  await old.process.ctx.writer.write(accept(pending));
  const third = old.goTo(4);
  await old.succeeded();
  old.goTo(0);
  await makePartitions(owner, Date.now());
  expect(await tablesWithMisplacedRows(owner)).toEqual([]);
  expect(await old.move(4)).toMatchObject({ code: 0, moved: [second] });
  expect(await violations()).toEqual([]);
  // This month's transfers are numbered after the late ones, which its archive holds too.
  expect(await old.move(3)).toMatchObject({ code: 0, moved: [third] });
  expect(await old.run("verify", old.folder)).toMatchObject({ code: 0, months: [first, second, third] });
  expect(await orderIds()).toEqual([late.orderId, pending.orderId].sort());
  expect(await old.process.ctx.writer.write(reverse(late))).toMatchObject({ kind: "done" });
  expect(await old.process.ctx.writer.write(settle(pending, "FAILED"))).toMatchObject({ kind: "done" });
  expect(await violations()).toEqual([]);
  for (const month of [third, second, first]) expect(await old.run("restore", month, old.folder)).toMatchObject({ code: 0 });
  expect(await violations()).toEqual([]);
});

test("a restore that was interrupted does not keep later months, and is named until it is complete", async () => {
  const { owner, violations } = old.fixture;
  await owner`create table saved as select * from transfers where seq <= 2`;
  expect(await old.move(5)).toMatchObject({ code: 0, moved: [first] });
  for (const partition of historyPartitions(first)) await makeWhenFree(owner, partition);
  await owner`insert into transfers select * from saved`;
  await owner`drop table saved`;
  const unfinished = { code: 1, error: expect.stringContaining(`The restore of ${first} is not complete`) };
  expect(await old.move(4)).toMatchObject({ ...unfinished, moved: [second] });
  expect(await old.move(4)).toMatchObject({ ...unfinished, moved: [] });
  expect(await violations()).toEqual([]);
  expect(await old.run("restore", second, old.folder)).toMatchObject({ code: 0 });
  expect(await old.run("restore", first, old.folder)).toMatchObject({ code: 0 });
  expect(await orderIds()).toHaveLength(2);
  expect(await old.move(4)).toMatchObject({ code: 0, moved: [first, second] });
  expect(await violations()).toEqual([]);
});

test("an order that is written late does not take the analytics of its archived month away", async () => {
  const { owner } = old.fixture;
  expect(await old.move(5)).toMatchObject({ code: 0, moved: [first] });
  const counted = async () => [...(await owner`select account_id, hour, state, orders from order_rollups order by 1, 2, 3`)];
  const before = await counted();
  old.goTo(6);
  const late = newOrder(old.accountId, { createdAt: old.fixture.clock.now() });
  await old.process.ctx.writer.write(accept(late));
  old.goTo(0);
  expect(await old.process.ctx.writer.write(settle(late, "FAILED"))).toMatchObject({ kind: "done" });
  expect(await owner`select from order_rollup_changes`).not.toHaveLength(0);
  await rollUpAll(owner, Date.now());
  expect(await owner`select from order_rollup_changes`).toHaveLength(0);
  expect(await counted()).toEqual(before);
});

test("complaints keep what they show of an order that leaves", async () => {
  const { owner } = old.fixture;
  await owner`
    insert into complaints (account_id, complaint_ref, order_id, reason_code, description, status, stage, raised_at, due_by, resolved_at)
    select account_id, 'CMP' || right(order_id, 12), order_id, 'other', 'Old.', 'RESOLVED', 'decided', now(), now(), now() from orders`;
  const shown = async () =>
    await Promise.all(
      (await owner<{ ref: string }[]>`select complaint_ref as ref from complaints order by 1`).map(
        async ({ ref }) => await findComplaint(owner, { accountId: old.accountId, complaintRef: ref }),
      ),
    );
  const before = await shown();
  expect(before).toHaveLength(2);
  expect(await old.move(4)).toMatchObject({ code: 0, moved: [first, second] });
  expect(await shown()).toEqual(before);
  for (const month of [second, first]) expect(await old.run("restore", month, old.folder)).toMatchObject({ code: 0 });
  expect(await shown()).toEqual(before);
  expect(await old.move(4)).toMatchObject({ code: 0, moved: [first, second] });
  expect(await shown()).toEqual(before);
});
