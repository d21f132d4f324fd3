import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { connect } from "../connection.ts";
import { migrate } from "./migrate.ts";

const DENIED = "42501";

const HISTORY = [
  "update audit_log set actor = 'nobody'",
  "delete from audit_log",
  "truncate audit_log",
  "update schema_migrations set checksum = ''",
  "insert into schema_migrations (version, name, checksum) values (77, 'x', 'x')",
  "delete from schema_migrations",
  "truncate schema_migrations",
];

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "done",
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe("the application's role", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  test.each(HISTORY)("may not: %s", async (statement) => {
    expect(await codeOf(database.sql.unsafe(statement))).toBe(DENIED);
  });

  test.each(["drop table audit_log", "alter table audit_log disable trigger all", "create table x (y integer)", "create role somebody"])(
    "may not change the schema: %s",
    async (statement) => {
      expect(await codeOf(database.sql.unsafe(statement))).toBe(DENIED);
    },
  );

  test("may read and append to the audit log, and use the other tables", async () => {
    const statements = [
      "select count(*) from audit_log",
      "select count(*) from schema_migrations",
      "delete from request_nonces",
      "update accounts set name = name",
    ];
    for (const statement of statements) expect(await codeOf(database.sql.unsafe(statement))).toBe("done");
  });
});

describe("a database user that may not create roles", () => {
  const name = `plain_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("databaseUrl"));
  url.username = name;
  url.password = name;
  url.pathname = `/${name}`;

  async function administer(...statements: readonly string[]): Promise<void> {
    const sql = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
    for (const statement of statements) await sql.unsafe(statement);
    await sql.end();
  }
  beforeAll(() => administer(`create role ${name} login password '${name}'`, `create database ${name} owner ${name}`));
  afterAll(() => administer(`drop database ${name} with (force)`, `drop role ${name}`));

  test("migrates, and revokes its own right to change history", async () => {
    expect((await migrate(url.href)).role).toBeNull();
    const { sql, close } = connect({ url: url.href, connections: 1, role: null });
    for (const statement of HISTORY) expect([statement, await codeOf(sql.unsafe(statement))]).toEqual([statement, DENIED]);
    expect(await codeOf(sql.unsafe("select count(*) from audit_log"))).toBe("done");
    await close();
  });

  test("can migrate again, also with new migrations", async () => {
    expect(await migrate(url.href)).toMatchObject({ role: null, applied: [] });
    const folder = await mkdtemp(join(tmpdir(), "corprail-schema-"));
    await cp(new URL("../../../../schema/", import.meta.url), folder, { recursive: true });
    await writeFile(
      join(folder, "migrations", "9999_more.sql"),
      "-- phase: expand\nupdate audit_log set actor = actor; create table more (one integer);",
    );
    expect(await migrate(url.href, folder)).toMatchObject({ role: null, applied: ["more"] });
    await rm(folder, { recursive: true });
  });
});

test("a user that has created the application's role, and was killed before the role was granted, acts as it after the next start", async () => {
  const { url, drop } = await emptyDatabase();
  const own = new URL(url);
  const name = own.pathname.slice(1);
  [own.username, own.password] = [name, name];
  const superuser = connect({ url: inject("databaseUrl"), connections: 1, role: null });
  onTestFinished(async () => {
    await drop();
    await superuser.sql.unsafe(`drop role ${name}`);
    await superuser.close();
  });
  await superuser.sql.unsafe(`create role ${name} login createrole password '${name}'`);
  await superuser.sql.unsafe(`alter database ${name} owner to ${name}`);
  // As PostgreSQL 16 and later leave it for the user that created the role.
  await superuser.sql.unsafe(`grant corprail_app to ${name} with admin true, inherit false, set false`);
  const { role } = await migrate(own.href);
  expect(role).toBe("corprail_app");
  const { sql, close } = connect({ url: own.href, connections: 1, role });
  expect(await sql`select current_user::text as name`).toEqual([{ name: "corprail_app" }]);
  await close();
});
