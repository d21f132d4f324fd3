import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { OrdersFixture } from "../../../server/src/domain/orders/testing/fixture.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { addOldMonth, createArchiveFixture, detachAsKilledRun } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import { corprail, temporaryFolder, type Variables } from "../../testing/processes.ts";
import type { LeavingMonth } from "../archive/leave-database.ts";

let fixture: OrdersFixture;
let month: LeavingMonth;
let variables: Variables;
beforeEach(async () => {
  const made = await createArchiveFixture();
  fixture = made.fixture;
  month = await addOldMonth(fixture, made.process);
  variables = { CORPRAIL_DATABASE_URL: fixture.database.url, CORPRAIL_DATA_DIR: temporaryFolder() };
  return () => fixture.close();
});

async function run(given: readonly string[], where = variables) {
  const ended = await corprail([...given, "--json"], where);
  return { code: ended.code, ...JSON.parse(ended.stdout) };
}

async function restored(file: string): Promise<{ readonly sql: Sql; readonly variables: Variables }> {
  const target = await emptyDatabase();
  onTestFinished(() => target.drop());
  const own = { CORPRAIL_DATABASE_URL: target.url, CORPRAIL_DATA_DIR: join(temporaryFolder(), "data") };
  expect(await run(["restore", file], own)).toMatchObject({ code: 0, ledger_ok: true });
  const { sql, close } = connect({ url: target.url, connections: 1, role: null });
  onTestFinished(close);
  return { sql, variables: own };
}

const ordersIn = async (sql: Sql) => (await sql`select to_jsonb(o)::text as row from orders o order by order_id`).map(({ row }) => row);
const archivedIn = async (sql: Sql) => [...(await sql`select month, dropped_at is not null as is_dropped from archived_months`)];

/** Makes every statement wait that reads a table. Returns what lets it go on. */
async function hold(table: string): Promise<() => Promise<void>> {
  const holder = await fixture.owner.reserve();
  await holder`begin`;
  await holder`lock table ${holder(table)} in access exclusive mode`;
  return async () => {
    await holder`rollback`;
    holder.release();
  };
}

const waits = async (prefix: string, mode: string) =>
  (
    await fixture.owner`
      select from pg_locks l join pg_class c on c.oid = l.relation
      where not l.granted and l.mode = ${mode} and c.relname ^@ ${prefix}`
  ).length > 0;

test("a month that is to leave during a backup waits for its end, and the backup has the month", async () => {
  const before = await ordersIn(fixture.owner);
  const file = join(scratchFolder(), "it.backup");
  // Copied after the snapshot and before the month's tables.
  const release = await hold(`callback_attempts_${indiaMonth(Date.now()).replace("-", "_")}`);
  const backup = run(["backup", file]);
  await expect.poll(() => waits("callback_attempts", "AccessShareLock")).toBe(true);
  const move = run(["archive", "move", scratchFolder(), "--keep-months", "4"]);
  const hasLeft = async () => (await archivedIn(fixture.owner)).length > 0;
  await expect.poll(async () => (await hasLeft()) || (await waits("orders", "AccessExclusiveLock")), { interval: 5 }).toBe(true);
  await release();
  expect(await backup).toMatchObject({ code: 0 });
  expect(await move).toMatchObject({ code: 0, moved: [month.month] });
  const { sql } = await restored(file);
  expect([await ordersIn(sql), await archivedIn(sql)]).toEqual([before, []]);
});

test("a month that leaves while a backup still waits for a table is archived in the backup too", async () => {
  const file = join(scratchFolder(), "it.backup");
  const release = await hold("aeps_encryption_key");
  const backup = run(["backup", file]);
  await expect.poll(() => waits("aeps_encryption_key", "AccessShareLock")).toBe(true);
  expect(await run(["archive", "move", scratchFolder(), "--keep-months", "4"])).toMatchObject({ code: 0, moved: [month.month] });
  await release();
  expect(await backup).toMatchObject({ code: 0 });
  const { sql } = await restored(file);
  expect([await ordersIn(sql), await archivedIn(sql)]).toEqual([[], [{ month: month.month, is_dropped: true }]]);
});

test("a backup of a database in which a run was killed before it dropped a month is restored without the month, and continues", async () => {
  const before = await ordersIn(fixture.owner);
  const [folder, file] = [scratchFolder(), join(scratchFolder(), "it.backup")];
  await detachAsKilledRun(fixture.owner, month, folder, variables);
  expect(await run(["backup", file])).toMatchObject({ code: 0, tables: { orders: 0 } });
  const copy = await restored(file);
  expect([await ordersIn(copy.sql), await archivedIn(copy.sql)]).toEqual([[], [{ month: month.month, is_dropped: false }]]);
  expect(await run(["archive", "move", folder, "--keep-months", "4"], copy.variables)).toMatchObject({ code: 0, moved: [] });
  expect(await archivedIn(copy.sql)).toEqual([{ month: month.month, is_dropped: true }]);
  expect(await run(["archive", "restore", month.month, folder], copy.variables)).toMatchObject({ code: 0, restored: { orders: 1 } });
  expect(await ordersIn(copy.sql)).toEqual(before);
  expect(await run(["ledger", "verify"], copy.variables)).toMatchObject({ code: 0 });
});
