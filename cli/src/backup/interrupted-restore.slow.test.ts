import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connect, type Database, type Sql } from "../../../server/src/platform/db/connection.ts";
import { migrate } from "../../../server/src/platform/db/schema/migrate.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { scratchFolder } from "../../testing/client.ts";
import { testInstallation } from "../../testing/installation.ts";
import { corprail, type Running, running, temporaryFolder } from "../../testing/processes.ts";

/** The command that restores a backup of an installation. */
async function restoreCommand(): Promise<readonly string[]> {
  const { keyFile, variables } = await testInstallation();
  const file = join(scratchFolder(), "it.backup");
  expect(await corprail(["backup", file], variables)).toMatchObject({ code: 0 });
  return ["restore", file, "--master-key", keyFile];
}

async function emptyTarget() {
  const database = await emptyDatabase();
  const [holder, looker] = [0, 1].map(() => connect({ url: database.url, connections: 1, role: null })) as [Database, Database];
  onTestFinished(async () => {
    await Promise.all([holder.close(), looker.close()]);
    await database.drop();
  });
  const variables = { CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: join(temporaryFolder(), "data") };
  return { url: database.url, variables, sql: looker.sql, hold: (statements: string) => holder.sql.unsafe(statements) };
}

/** Answers when it is so; a command that ends before fails the test with what it said. */
async function until(command: Running, isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (command.hasEnded()) throw new Error(`The command has ended: ${command.said()}`);
    await nextTurn();
  }
}

/** Whether a session of the database waits for a lock of this table. */
async function isWaitedFor(sql: Sql, table: string): Promise<boolean> {
  const rows = await sql`select from pg_locks l join pg_class c on c.oid = l.relation where c.relname = ${table} and not l.granted`;
  return rows.length > 0;
}

test.each([
  ["SIGINT", "its cluster is made", (names: readonly string[]) => names.some((name) => name.startsWith("postgres"))],
  ["SIGTERM", "its database runs", (names: readonly string[]) => names.includes("database-url")],
] as const)("%s while %s leaves an empty folder, says so, and the same command goes through", async (signal, _when, isThere) => {
  const [command, folder] = [await restoreCommand(), temporaryFolder()];
  const restore = running(command, { CORPRAIL_DATA_DIR: folder });
  await until(restore, () => isThere(readdirSync(folder)));
  const words = expect.stringContaining("The restore was interrupted. Nothing was kept");
  expect(await restore.interrupt(signal)).toMatchObject({ code: null, stderr: words });
  expect(readdirSync(folder)).toEqual([]);
  expect(await corprail(command, { CORPRAIL_DATA_DIR: folder })).toMatchObject({ code: 0 });
});

test("a restore into a database that is interrupted before its rows are there says so, and the same command goes on", async () => {
  const [command, target] = [await restoreCommand(), await emptyTarget()];
  await migrate(target.url);
  await target.hold("begin; lock table accounts in access share mode");
  const restore = running(command, target.variables);
  await until(restore, () => isWaitedFor(target.sql, "accounts"));
  const words = expect.stringContaining(
    "No rows were kept, only empty tables in the database of CORPRAIL_DATABASE_URL: run the same command",
  );
  expect(await restore.interrupt()).toMatchObject({ code: null, stderr: words });
  await target.hold("rollback");
  expect(await target.sql`select from installation`).toHaveLength(0);
  expect(await corprail(command, target.variables)).toMatchObject({ code: 0 });
});

test("a restore that was interrupted before its first migration goes on with the same command", async () => {
  const [command, target] = [await restoreCommand(), await emptyTarget()];
  await target.sql`
    create table schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now(),
      needs integer
    )`;
  expect(await corprail(command, target.variables)).toMatchObject({ code: 0 });
});

test("a restore into a database that is interrupted after its rows are there says that they are, and what to do", async () => {
  const [command, target] = [await restoreCommand(), await emptyTarget()];
  await migrate(target.url);
  // What the restore writes last, after its rows: the entry that it took place.
  await target.hold(`
    create function wait_for_stranger() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(4711); return new; end';
    create trigger wait_for_stranger before insert on audit_log for each row
      when (new.action = 'installation.restored') execute function wait_for_stranger();
    select pg_advisory_lock(4711)`);
  const restore = running(command, target.variables);
  await until(restore, async () => (await target.sql`select from pg_locks where locktype = 'advisory' and not granted`).length > 0);
  const words = expect.stringMatching(/Its rows may be in the database .* drop that database, create it again, and restore again/);
  expect(await restore.interrupt("SIGTERM")).toMatchObject({ code: null, stderr: words });
  expect(await target.sql`select from installation`).toHaveLength(1);
});
