import { appendFile, cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../testing/database.ts";
import { connect } from "./connection.ts";
import { isMigrated, migrate } from "./migrate.ts";

const SHIPPED = fileURLToPath(new URL("../../../migrations/", import.meta.url));

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let folder: string;
beforeEach(async () => {
  database = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), "corprail-migrations-"));
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

test("an empty database gets every migration once, and a second start applies none", async () => {
  const files = (await readdir(SHIPPED)).filter((name) => name.endsWith(".sql"));
  const first = await migrate(database.url);
  expect(first.applied).toHaveLength(files.length);
  expect(await versions()).toEqual(files.sort().map((name) => Number(name.slice(0, 4))));
  expect((await migrate(database.url)).applied).toEqual([]);
});

test("when five processes migrate at the same time, each migration is applied once", async () => {
  const files = (await readdir(SHIPPED)).filter((name) => name.endsWith(".sql"));
  const all = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)));
  expect(all.flatMap((one) => one.applied)).toHaveLength(files.length);
  expect(await versions()).toHaveLength(files.length);
});

test("a failed migration is rolled back, and earlier ones stay applied", async () => {
  await writeFile(join(folder, "9998_good.sql"), "create table kept (one integer);");
  await writeFile(join(folder, "9999_bad.sql"), "create table gone (one integer); select 1 / 0;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/division by zero/);
  const tables = await withSql((sql) => sql<{ name: string }[]>`select relname as name from pg_class where relname in ('kept', 'gone')`);
  expect(tables.map((row) => row.name)).toEqual(["kept"]);
  expect(await withSql((sql) => isMigrated(sql, folder))).toBe(false);
  await writeFile(join(folder, "9999_bad.sql"), "create table gone (one integer);");
  expect((await migrate(database.url, folder)).applied).toEqual(["bad"]);
  expect(await withSql((sql) => isMigrated(sql, folder))).toBe(true);
});

test("a migration file changed after it was applied stops the start with its name", async () => {
  await migrate(database.url);
  await appendFile(join(folder, "0001_foundation.sql"), "\n-- changed");
  await expect(migrate(database.url, folder)).rejects.toThrow(/Migration 1 \(foundation\) is not the one/);
});

test("a database of a newer version stops the start with a message", async () => {
  await writeFile(join(folder, "9999_future.sql"), "select 1;");
  await migrate(database.url, folder);
  await expect(migrate(database.url)).rejects.toThrow(/migration 9999 \(future\), which this version of Corprail does not know/);
});

test("a file without a migration's name is refused", async () => {
  await writeFile(join(folder, "final-final.sql"), "select 1;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/NNNN_words\.sql, not final-final\.sql/);
});

test("the error names a database that does not exist", async () => {
  const url = new URL(database.url);
  url.pathname = "/nowhere";
  await expect(migrate(url.href)).rejects.toThrow(/nowhere/);
});
