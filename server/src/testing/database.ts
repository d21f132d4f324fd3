import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { connect, type Sql } from "../platform/db/connection.ts";
import { migrate } from "../platform/db/schema/migrate.ts";

export type TestDatabase = {
  /** Connects as the owner of the database. */
  readonly url: string;
  /** Sessions that act as the application's role. */
  readonly sql: Sql;
  readonly drop: () => Promise<void>;
};

export type OwnDatabase = Pick<TestDatabase, "url" | "drop">;

/** Creates a migrated database for one test and connects to it. */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, drop } = await migratedDatabase();
  const { sql, close } = connect({ url, connections: 10, role: "corprail_app", purpose: "requests" });
  return { url, sql, drop: () => close().then(drop) };
}

/** Creates a copy of the migrated template, as a service finds it on a later start. */
export async function migratedDatabase(): Promise<OwnDatabase> {
  return await createDatabase(`template ${inject("templateDatabase")} strategy file_copy`);
}

/** Creates an empty database without migrations. */
export async function emptyDatabase(): Promise<OwnDatabase> {
  return await createDatabase("");
}

/**
 * Creates a migrated database whose owner may not create roles, so that it is the application's role too. As with PostgreSQL 15
 * and 16, which have no right to maintain a table, it may not lock a table that it may not change.
 */
export async function plainUserDatabase(): Promise<TestDatabase> {
  const { url, drop } = await emptyDatabase();
  const plain = new URL(url);
  const name = plain.pathname.slice(1);
  await administer(`create role ${name} login password '${name}'`);
  await administer(`alter database ${name} owner to ${name}`);
  [plain.username, plain.password] = [name, name];
  await migrate(plain.href);
  const { sql, close } = connect({ url: plain.href, connections: 10, role: null, purpose: "requests" });
  await sql.unsafe("revoke maintain on all tables in schema public from current_user");
  const dropAll = async () => {
    await close();
    await drop();
    await administer(`drop role ${name}`);
  };
  return { url: plain.href, sql, drop: dropAll };
}

async function createDatabase(options: string): Promise<OwnDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} ${options}`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const sql = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
