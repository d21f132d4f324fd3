import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { connect, type Sql } from "../db/connection.ts";

export type TestDatabase = {
  /** Its owner's address. */
  readonly url: string;
  /** Sessions that act as the application's role. */
  readonly sql: Sql;
  readonly drop: () => Promise<void>;
};

/** A migrated database of the test's own. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} template ${inject("templateDatabase")}`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  const { sql, close } = connect({ url: url.href, connections: 10, role: "corprail_app", purpose: "requests" });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await close();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

/** An empty database: not even migrated. */
export async function emptyDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name}`);
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
