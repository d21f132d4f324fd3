import { beforeAll, expect, onTestFinished, test } from "vitest";
import { plainUserDatabase, type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { orderIdAt } from "../../core/ids.ts";
import { indiaMonth, indiaMonthSpan } from "../../core/india-time.ts";
import { connect, type Database } from "../connection.ts";
import { dropPartitionsBefore } from "./drop-partition.ts";
import { makePartitions } from "./make-partitions.ts";
import { PARTITIONED } from "./partitioned-tables.ts";
import { listPartitions, tablesWithMisplacedRows } from "./read-partitions.ts";

let database: TestDatabase;
let owner: Database;
beforeAll(async () => {
  database = await testDatabase();
  owner = connect({ url: database.url, connections: 2, role: null });
  return async () => {
    await owner.close();
    await database.drop();
  };
});

const NOW = Date.now();
const DAY = 24 * 3_600_000;
const FAR_AHEAD = Date.UTC(2031, 4, 10);

const addCall = (at: number, requestId: string) => database.sql`
  insert into api_calls (account_id, at, request_id, method, path, status, milliseconds, address, signed, times)
  values ('A1', ${new Date(at)}, ${requestId}, 'GET', '/', 200, 1, '::1', 'none', 1)`;

const addTransfer = (seq: number, at: number) => database.sql`
  insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
  values ('A1', ${seq}, 'topup', 'funding', 'available', 1, ${seq}, '', ${new Date(at)})`;

test("the list of partitioned tables is that of the schema, and each has the present month and the next, or days", async () => {
  const rows = await owner.sql<{ table: string; key: string; has_default: boolean }[]>`
    select c.relname::text as table, pg_get_partkeydef(c.oid) as key, p.partdefid <> 0 as has_default
    from pg_partitioned_table p join pg_class c on c.oid = p.partrelid`;
  const expected = PARTITIONED.map(({ table, key }) => ({ table, key: `RANGE (${key})`, has_default: true }));
  expect([...rows].map((row) => ({ ...row })).sort(byTable)).toEqual([...expected].sort(byTable));
  const names = [...(await listPartitions(owner.sql)).keys()];
  const next = indiaMonth(indiaMonthSpan(indiaMonth(NOW))?.toMilliseconds ?? 0);
  for (const month of [indiaMonth(NOW), next]) expect(names).toContain(`orders_${month.replace("-", "_")}`);
  expect(names.filter((name) => name.startsWith("api_calls_"))).toHaveLength(4);
});

const byTable = (one: { table: string }, other: { table: string }) => (one.table < other.table ? -1 : 1);

test("a partition has the indexes, constraints and storage of its model", async () => {
  const shapes = await owner.sql<{ table: string; shape: string }[]>`
    select p.relname::text as table, concat_ws(' ', c.relpersistence, c.reloptions::text,
      (select count(*) from pg_index i where i.indrelid = c.oid), (select count(*) from pg_index i where i.indrelid = c.oid and i.indisunique),
      (select count(*) from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'c'))) as shape
    from pg_inherits h join pg_class p on p.oid = h.inhparent join pg_class c on c.oid = h.inhrelid where c.relkind = 'r'`;
  for (const { table } of PARTITIONED) {
    const own = shapes.filter((one) => one.table === table).map(({ shape }) => shape);
    expect(own.length).toBeGreaterThan(2);
    expect(new Set(own).size, table).toBe(1);
  }
});

test("rows whose month has no partition are kept, reported, and moved when their partition is made", async () => {
  await addTransfer(1, FAR_AHEAD);
  await addTransfer(2, NOW);
  expect(await tablesWithMisplacedRows(owner.sql)).toEqual(["transfers"]);
  const runs = await Promise.all([makePartitions(owner.sql, NOW), makePartitions(owner.sql, NOW)]);
  expect(new Set(runs.flatMap(({ made }) => made))).toEqual(new Set(["transfers_2031_05"]));
  expect(await tablesWithMisplacedRows(owner.sql)).toEqual([]);
  const rows = await database.sql<{ seq: bigint; of: string }[]>`
    select seq, tableoid::regclass::text as of from transfers where account_id = 'A1' order by seq`;
  expect(rows.map(({ seq, of }) => [seq, of])).toEqual([
    [1n, "transfers_2031_05"],
    [2n, `transfers_${indiaMonth(NOW).replace("-", "_")}`],
  ]);
  await expect(addTransfer(2, NOW)).rejects.toThrow(/duplicate key/);
});

test("an order's partition follows from its id", async () => {
  const bounds = await owner.sql<{ bound: string }[]>`
    select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = ${`orders_${indiaMonth(NOW).replace("-", "_")}`}`;
  const span = indiaMonthSpan(indiaMonth(NOW));
  expect(bounds[0]?.bound).toBe(
    `FOR VALUES FROM ('${orderIdAt(span?.fromMilliseconds ?? 0)}') TO ('${orderIdAt(span?.toMilliseconds ?? 0)}')`,
  );
});

test("what is older than its retention is dropped with its partition; history never is", async () => {
  const old = NOW - 9 * DAY;
  await makePartitions(owner.sql, old);
  await addCall(old, "old");
  await addCall(NOW, "new");
  await dropPartitionsBefore(owner.sql, "api_calls", NOW - 7 * DAY);
  expect((await database.sql`select request_id from api_calls`).map((row) => row["request_id"])).toEqual(["new"]);
  await dropPartitionsBefore(owner.sql, "transfers", FAR_AHEAD * 2);
  expect((await database.sql`select from transfers`).length).toBe(2);
  await expect(database.sql`delete from provider_exchanges`).rejects.toThrow("permission denied");
});

test("a table in use is left alone after a moment, and its writers go on", async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked: () => void = () => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const other = owner.sql.begin(async (tx) => {
    await tx`select count(*) from orders_default`;
    locked();
    await held;
  });
  await isLocked;
  const { busy } = await makePartitions(owner.sql, FAR_AHEAD);
  expect(busy).toEqual(["orders_2031_05", "orders_2031_06"]);
  await database.sql`select count(*) from orders`;
  release();
  await other;
  expect((await makePartitions(owner.sql, FAR_AHEAD)).made).toEqual(["orders_2031_05", "orders_2031_06"]);
});

test("rows of an archived month stay in the default partition; later ones beside them get a partition", async () => {
  const [archived, later] = [Date.UTC(2021, 2, 10), Date.UTC(2021, 4, 10)];
  await owner.sql`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2021-03', '', '', '', '', now())`;
  await addTransfer(3, archived);
  await addTransfer(4, later);
  expect((await makePartitions(owner.sql, NOW)).made).toEqual(["transfers_2021_05"]);
  expect(await tablesWithMisplacedRows(owner.sql)).toEqual([]);
  // The job's clock may be set back too.
  expect((await makePartitions(owner.sql, archived)).made.filter((name) => name.endsWith("2021_03"))).toEqual([
    "provider_exchanges_2021_03",
    "callback_attempts_2021_03",
  ]);
  await owner.sql`delete from archived_months`;
  expect((await makePartitions(owner.sql, NOW)).made).toEqual(["transfers_2021_03"]);
});

test("a user that is the application's role too makes partitions, also of rows that are there, and may then not change them", async () => {
  const plain = await plainUserDatabase();
  onTestFinished(plain.drop);
  await plain.sql`
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
    values ('A1', 1, 'topup', 'funding', 'available', 1, 1, '', ${new Date(FAR_AHEAD)})`;
  const { made } = await makePartitions(plain.sql, FAR_AHEAD + 60 * DAY);
  expect(made).toEqual(expect.arrayContaining(["transfers_2031_05", "orders_2031_07"]));
  expect(await plain.sql`select tableoid::regclass::text as of from transfers`).toEqual([{ of: "transfers_2031_05" }]);
  for (const table of ["transfers", "transfers_default", "transfers_2031_05"])
    await expect(plain.sql.unsafe(`delete from ${table}`)).rejects.toThrow("permission denied");
});
