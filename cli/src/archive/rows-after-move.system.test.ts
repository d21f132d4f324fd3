import { beforeEach, expect, test } from "vitest";
import { newOrder } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle } from "../../../server/src/domain/orders/testing/operations.ts";
import { makePartitions, makeWhenFree } from "../../../server/src/platform/db/partitions/make-partitions.ts";
import { historyPartitions } from "../../../server/src/platform/db/partitions/partitioned-tables.ts";
import { tablesWithMisplacedRows } from "../../../server/src/platform/db/partitions/read-partitions.ts";
import { createOldMonths, type OldMonths } from "../../testing/old-months.ts";

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
