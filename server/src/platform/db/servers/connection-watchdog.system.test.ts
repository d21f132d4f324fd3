import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../../../testing/tcp-proxy.ts";
import { connect, type Purpose, type Sql } from "../connection.ts";
import { codeOf } from "../database-errors.ts";

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const close of closers) await close();
  await database.drop();
});

async function proxied(): Promise<TcpProxy> {
  const { hostname: host, port } = new URL(database.url);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  closers.push(proxy.close);
  return proxy;
}

function pool(hosts: readonly TcpProxy[], connections = 1, purpose: Purpose = "tools") {
  const { username, password, pathname } = new URL(database.url);
  const names = hosts.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = `postgres://${username}:${password}@${names}${pathname}?target_session_attrs=read-write`;
  const opened = connect({ url, connections, role: "corprail_app", purpose });
  closers.unshift(opened.close);
  return opened.sql;
}

const failureOf = (statement: PromiseLike<unknown>) =>
  Promise.resolve(statement).then(
    () => null,
    (error: unknown) => codeOf(error),
  );

// A connection closed at this moment may still fail one statement.
async function answered(sql: Sql): Promise<void> {
  while ((await failureOf(sql`select 1`)) !== null);
}

test("a statement fails if its server stops answering, and the next one gets a new connection", async () => {
  const proxy = await proxied();
  const sql = pool([proxy], 2);
  // Both connections are open, so that one of them is idle when the network fails.
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]);
  proxy.hang();
  expect(await failureOf(sql`select 1`)).toMatch(/^CONNECTION_/);
  proxy.open();
  await answered(sql);
});

test("a slow statement on a live server is not interrupted", async () => {
  const sql = pool([await proxied()]);
  expect(await failureOf(sql`select pg_sleep(2.5)`)).toBeNull();
});

test("a batch whose server works on it for more than five seconds fails, so that its clients get an answer", async () => {
  const sql = pool([await proxied()], 1, "batches");
  expect(await failureOf(sql`select pg_sleep(600)`)).toBe("CONNECTION_SILENT");
  await answered(sql);
});

test("the database cancels a request's statement that takes too long", async () => {
  const sql = pool([await proxied()], 1, "requests");
  const [settings] = await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
  expect(settings).toEqual({ statement: "8s", lock: "2s" });
});

test("a statement fails in time if no connection becomes free", async () => {
  const proxy = await proxied();
  const sql = pool([proxy], 1, "requests");
  await sql`select 1`;
  proxy.hang();
  const codes = await Promise.all(Array.from({ length: 20 }, () => failureOf(sql.begin((tx) => tx`select 1`))));
  for (const code of codes) expect(code).toMatch(/^CONN/);
});

test("of several hosts the writable one is found, whatever state the others are in", async () => {
  const [refusing, hanging, good] = [await proxied(), await proxied(), await proxied()];
  refusing.refuse();
  hanging.hang();
  const sql = pool([refusing, hanging, good], 2);
  expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  // The current server freezes, and another one takes over.
  good.hang();
  refusing.open();
  expect(await failureOf(sql`select 1`)).toMatch(/^CONNECTION_/);
  await answered(sql);
});

test("if no host accepts writes, the error names each host and the reason", async () => {
  const [one, other] = [await proxied(), await proxied()];
  one.refuse();
  other.refuse();
  const error = await pool([one, other])`select 1`.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(codeOf(error)).toBe("CONNECTION_NO_LEADER");
  expect(String(error)).toContain(`127.0.0.1:${one.port}`);
  expect(String(error)).toContain(`127.0.0.1:${other.port}`);
});

test("sessions that started while the database was read-only are replaced", async () => {
  const sql = pool([await proxied()], 1);
  const [{ name } = { name: "" }] = await sql<{ name: string }[]>`select current_database() as name`;
  const owner = connect({ url: database.url, connections: 1, role: null });
  const write = () => failureOf(sql`update wallets set seq = seq where false`);
  await owner.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await owner.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`;
  expect(await write()).not.toBeNull();
  const readOnly = async () => (await failureOf(sql`select 1`)) ?? (await write());
  while ((await readOnly()) !== "25006");
  await owner.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  while ((await write()) !== null);
  await owner.close();
});
