import { renameSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { assignCell, registerCell } from "../../../server/src/domain/cells/store.ts";
import { checkLedger } from "../../../server/src/domain/ledger/invariants.ts";
import { contextOf, ids, newOrder, type OrdersFixture, type OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { connect, type Database, type Sql } from "../../../server/src/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../../server/src/testing/database.ts";
import { archiveCommands, createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";

const OLD_MILLISECONDS = 190 * 24 * 3_600_000;

let fixture: OrdersFixture;
let process: OrdersProcess;
let cell: TestDatabase;
let cellOwner: Database;
let folder: string;
let month: string;
beforeEach(async () => {
  ({ fixture, process } = await createArchiveFixture());
  cell = await testDatabase();
  cellOwner = connect({ url: cell.url, connections: 2, role: null });
  await cellOwner.sql`
    insert into installation (installation_id, created_at, master_key_file, master_key_id, cell) values ('I1', now(), '/nowhere', 'K1', 1)`;
  await registerCell(fixture.owner, 1, new Date());
  folder = scratchFolder();
  fixture.clock.advance(-OLD_MILLISECONDS);
  month = indiaMonth(fixture.clock.now());
  return async () => {
    await cellOwner.close();
    await cell.drop();
    await fixture.close();
  };
});

const run = (...given: readonly string[]) => archiveCommands(fixture, { CORPRAIL_CELLS: `1=${cell.url}` })(...given);
const move = () => run("move", folder, "--keep-months", "4");
const restore = () => run("restore", month, folder);

const atHome = () => process.ctx;
const inCell = () => contextOf(cell.sql, cell.sql, fixture.clock);

async function succeeded(ctx: OrdersProcess["ctx"]): Promise<string> {
  const order = newOrder(ids.account(), { createdAt: fixture.clock.now() });
  await ctx.writer.write(topUp(order.accountId, 1000, "start"));
  await ctx.writer.write(accept(order));
  await ctx.writer.write(settle(order, "SUCCESS"));
  return order.accountId;
}

const count = async (sql: Sql) => ({
  months: (await sql`select from archived_months`).length,
  closings: (await sql`select from ledger_closings`).length,
  orders: (await sql`select from orders`).length,
});
const counts = async () => [await count(fixture.owner), await count(cellOwner.sql)];
const violations = async () => [...(await fixture.violations()), ...(await checkLedger(cell.sql)).filter((check) => check.violations > 0)];

const GONE = { months: 1, closings: 1, orders: 0 };
const BACK = { months: 0, closings: 0, orders: 1 };

test("a month comes back to all cells or to none: the archive of each must be there", async () => {
  await succeeded(atHome());
  await assignCell(fixture.owner, await succeeded(inCell()), 1, new Date());
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  expect(await counts()).toEqual([GONE, GONE]);
  for (const [own, missing] of [
    [join(folder, "cell-1"), join(folder, "cell-1", month)],
    [join(folder, month), join(folder, month)],
  ] as const) {
    const elsewhere = join(scratchFolder(), "elsewhere");
    renameSync(own, elsewhere);
    const fault = expect.stringMatching(`^${missing}: the SHA-256 of manifest.json must be [0-9a-f]{64}, but there is no archive`);
    expect(await restore()).toMatchObject({ code: 1, faults: [fault] });
    expect(await counts()).toEqual([GONE, GONE]);
    renameSync(elsewhere, own);
  }
  expect(await restore()).toMatchObject({ code: 0, restored: { orders: 2 } });
  expect(await counts()).toEqual([BACK, BACK]);
  expect(await violations()).toEqual([]);
});

test("a restore that was killed between two cells is finished by the next one", async () => {
  await succeeded(atHome());
  await assignCell(fixture.owner, await succeeded(inCell()), 1, new Date());
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  const [record] = await cellOwner.sql`select * from archived_months`;
  const closings = await cellOwner.sql`select * from ledger_closings`;
  expect(await restore()).toMatchObject({ code: 0 });
  // All rows are there before the first cell has its month again.
  await cellOwner.sql`insert into archived_months ${cellOwner.sql(record ?? {})}`;
  await cellOwner.sql`insert into ledger_closings ${cellOwner.sql(closings)}`;
  expect(await restore()).toMatchObject({ code: 0, restored: { orders: 0, transfers: 0 } });
  expect(await counts()).toEqual([BACK, BACK]);
  expect(await violations()).toEqual([]);
});

test("a younger cell that knows the month only from an account that moved there needs no archive of its own", async () => {
  await succeeded(atHome());
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  const [record] = await fixture.owner`select * from archived_months`;
  await cellOwner.sql`insert into archived_months ${cellOwner.sql(record ?? {})}`;
  expect(await restore()).toMatchObject({ code: 0, restored: { orders: 1 } });
  expect(await counts()).toEqual([BACK, { months: 0, closings: 0, orders: 0 }]);
  expect(await violations()).toEqual([]);
});
