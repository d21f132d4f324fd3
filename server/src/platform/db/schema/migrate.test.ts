import { appendFile, cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../../testing/database.ts";
import { connect } from "../connection.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { readManifest, readMigrations } from "./read-schema.ts";

const SHIPPED = fileURLToPath(new URL("../../../../schema/", import.meta.url));

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let folder: string;
beforeEach(async () => {
  database = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), "corprail-schema-"));
  await cp(SHIPPED, folder, { recursive: true });
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function withSql<Value>(work: (sql: ReturnType<typeof connect>["sql"]) => Promise<Value>): Promise<Value> {
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  try {
    return await work(sql);
  } finally {
    await close();
  }
}

const versions = () =>
  withSql(async (sql) =>
    (await sql<{ version: number }[]>`select version from schema_migrations order by version`).map((row) => row.version),
  );

const addMigration = (fileName: string, content: string, phase = "expand") =>
  writeFile(join(folder, "migrations", fileName), `-- phase: ${phase}\n${content}`);

test("an empty database gets the schema as version 1 and every migration once, and a second start finds nothing to do", async () => {
  await addMigration("0002_more.sql", "create table more (one integer);");
  expect((await migrate(database.url, folder)).applied).toEqual(["schema", "more"]);
  expect(await versions()).toEqual([1, 2]);
  expect((await migrate(database.url, folder)).applied).toEqual([]);
});

test("a database of an older version gets the later migrations only", async () => {
  expect((await migrate(database.url, folder)).applied).toEqual((await readMigrations(SHIPPED)).map(({ name }) => name));
  await addMigration("9998_more.sql", "create table more (one integer);");
  expect((await migrate(database.url, folder)).applied).toEqual(["more"]);
});

test("of five processes that migrate at once each migration is applied by one", async () => {
  await addMigration("9998_more.sql", "create table more (one integer);");
  const all = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, folder)));
  const known = await readMigrations(folder);
  expect(all.flatMap((one) => one.applied)).toHaveLength(known.length);
  expect(await versions()).toHaveLength(known.length);
});

test("every SQL file of the schema is in the manifest, or among the migrations, or states privileges", async () => {
  const files = (await readdir(SHIPPED, { recursive: true })).filter((name) => name.endsWith(".sql") && !name.startsWith("migrations"));
  expect(files.filter((name) => name !== "privileges.sql").sort()).toEqual([...(await readManifest())].sort());
});

test("every table and view of the schema has a comment", async () => {
  await migrate(database.url);
  const bare = await withSql(
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition and relname <> 'schema_migrations'
        and obj_description(oid, 'pg_class') is null`,
  );
  expect([...bare]).toEqual([]);
});

test("a database of a development version from before the first release is refused, unchanged, and the error says what to do", async () => {
  await withSql(async (sql) => {
    await sql`create table schema_migrations (version integer primary key, name text not null, checksum text not null, applied_at timestamptz)`;
    await sql`insert into schema_migrations (version, name, checksum) values (1, 'foundation', 'x'), (36, 'plain_names', 'y')`;
  });
  await expect(migrate(database.url)).rejects.toThrow(/made by a development version of Corprail .* Start with a new data folder/);
  const tables = await withSql((sql) => sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`);
  expect(tables.map((row) => row.name)).toEqual(["schema_migrations"]);
});

test("a migration that fails leaves nothing of itself and everything before it", async () => {
  await addMigration("9998_good.sql", "create table kept (one integer);");
  await addMigration("9999_bad.sql", "create table gone (one integer); select 1 / 0;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/division by zero/);
  const tables = await withSql((sql) => sql<{ name: string }[]>`select relname as name from pg_class where relname in ('kept', 'gone')`);
  expect(tables.map((row) => row.name)).toEqual(["kept"]);
  expect(await withSql((sql) => isMigrated(sql, folder))).toBe(false);
  await addMigration("9999_bad.sql", "create table gone (one integer);");
  expect((await migrate(database.url, folder)).applied).toEqual(["bad"]);
  expect(await withSql((sql) => isMigrated(sql, folder))).toBe(true);
});

test("a migration file changed after it was applied stops the start with its name", async () => {
  await migrate(database.url);
  await appendFile(join(folder, "account/ledger.sql"), "\n-- changed");
  await expect(migrate(database.url, folder)).rejects.toThrow(/Migration 1 \(schema\) differs from the one applied/);
});

test("a database that a newer version has expanded is accepted, and its privileges are left alone", async () => {
  await addMigration("9998_future.sql", "create table future (one integer);");
  await addMigration("9999_future_index.sql", "create index concurrently future_one on future (one);", "index");
  await migrate(database.url, folder);
  await withSql((sql) => sql`revoke insert on future from corprail_app`);
  expect((await migrate(database.url)).applied).toEqual([]);
  expect(await withSql((sql) => isMigrated(sql))).toBe(true);
  const [row] = await withSql((sql) => sql<{ may: boolean }[]>`select has_table_privilege('corprail_app', 'future', 'insert') as may`);
  expect(row?.may).toBe(false);
  await expect(migrate(database.url, undefined, { refuseNewer: true })).rejects.toThrow(/migration 9998 \(future\)/);
});

test("a contraction waits until it is asked for, and then stops the start of an older version", async () => {
  await migrate(database.url);
  await addMigration("9999_future.sql", "select 1;", "contract");
  expect((await migrate(database.url, folder)).applied).toEqual([]);
  expect(await withSql((sql) => isMigrated(sql, folder))).toBe(true);
  expect((await migrate(database.url, folder, { contract: true })).applied).toEqual(["future"]);
  await expect(migrate(database.url)).rejects.toThrow(/migration 9999 \(future\), which this version of Corprail does not know/);
});

test("of three processes that build an index at once none waits for ever", async () => {
  await addMigration("9998_more.sql", "create table more (one integer);");
  await addMigration("9999_more_index.sql", "create index concurrently more_one on more (one);", "index");
  const all = await Promise.all(Array.from({ length: 3 }, () => migrate(database.url, folder)));
  expect(all.flatMap(({ applied }) => applied).toSorted()).toEqual(["more", "more_index", "schema"]);
});

test("a migration that does not state its phase is refused", async () => {
  await writeFile(join(folder, "migrations", "9999_more.sql"), "create table more (one integer);");
  await expect(migrate(database.url, folder)).rejects.toThrow(/The first line of 9999_more\.sql must be "-- phase: expand"/);
});

test("a file that is not named like a migration is refused", async () => {
  await addMigration("final-final.sql", "select 1;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/NNNN_words\.sql; found final-final\.sql/);
});

test("the error names a database that does not exist", async () => {
  const url = new URL(database.url);
  url.pathname = "/nowhere";
  await expect(migrate(url.href)).rejects.toThrow(/nowhere/);
});
