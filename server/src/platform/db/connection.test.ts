import { Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { survivorsIn } from "../../testing/young-objects.ts";
import { connect } from "./connection.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test("when all connections are busy, a statement waits for the first free one and is never queued on a blocked one", async () => {
  const holder = connect({ url: database.url, connections: 1, role: null });
  const pool = connect({ url: database.url, connections: 3, role: null });
  const waitsFor = (lock: number) => pool.sql`select pg_advisory_lock_shared(${lock}), pg_advisory_unlock_shared(${lock})`.execute();
  const letGo = (lock: number) => holder.sql`select pg_advisory_unlock(${lock})`;
  const waiting = async () => {
    const [row] = await holder.sql<{ count: number }[]>`
      select count(*)::int as count from pg_locks
      where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    return row?.count;
  };
  try {
    await holder.sql`select pg_advisory_lock(1), pg_advisory_lock(2), pg_advisory_lock(3)`;
    // Each connection prepares the statement first, because a new statement is never pipelined.
    await Promise.all([waitsFor(4), waitsFor(4), waitsFor(4)]);
    const long = [waitsFor(1)];
    const [short, other] = [waitsFor(2), waitsFor(3)];
    await expect.poll(waiting).toBe(3);
    long.push(waitsFor(1));
    const quick = [1, 2].map((value) => pool.sql<{ value: number }[]>`select ${value}::int as value`.execute());
    await letGo(2);
    await short;
    await letGo(3);
    await other;
    expect((await Promise.all(quick)).flat()).toEqual([{ value: 1 }, { value: 2 }]);
    await expect.poll(waiting).toBe(2);
    await letGo(1);
    await Promise.all(long);
  } finally {
    await holder.close();
    await pool.close();
  }
});

test("statements that have ended do not outlive the collections of young objects, nor do their parameters", async () => {
  // All parameters together are 8 MB.
  expect(await survivorsIn("surviving-statements.ts", database.url)).toBeLessThan(2_000_000);
});

test("a statement that has failed can be reported with its text and parameters", async () => {
  const pool = connect({ url: database.url, connections: 1, role: null });
  try {
    const failed = pool.sql`select ${"y"}::int as value`.execute();
    await expect(failed).rejects.toMatchObject({ code: "22P02", query: expect.stringContaining("select"), parameters: ["y"] });
  } finally {
    await pool.close();
  }
});

test("packets are sent at once, also while the server has not confirmed those before", async () => {
  const noDelay = vi.spyOn(Socket.prototype, "setNoDelay");
  const pool = connect({ url: database.url, connections: 1, role: null });
  try {
    await pool.sql`select 1`;
    expect(noDelay.mock.calls).toEqual([[true]]);
  } finally {
    noDelay.mockRestore();
    await pool.close();
  }
});

test("statements at the same time use all connections, and one after the other the one that was used last", async () => {
  const pool = connect({ url: database.url, connections: 5, role: null });
  const sessions = async (statement: string) => (await pool.sql.unsafe<{ pid: number }[]>(statement))[0]?.pid;
  const atOnce = () => Promise.all(Array.from({ length: 5 }, () => sessions("select pg_backend_pid() as pid, pg_sleep(0.1)")));
  try {
    const all = new Set(await atOnce());
    expect(all.size).toBe(5);
    const used = new Set<unknown>();
    for (let turn = 0; turn < 10; turn++) used.add(await sessions("select pg_backend_pid() as pid"));
    expect(used.size).toBe(1);
    expect(new Set(await atOnce())).toEqual(all);
  } finally {
    await pool.close();
  }
});

test("a driver without the changes of vendor/postgres is refused, with what to do", () => {
  const { corprail } = postgres;
  try {
    Object.assign(postgres, { corprail: undefined });
    expect(() => connect({ url: database.url, connections: 1, role: null })).toThrow("Run `npm ci`");
  } finally {
    Object.assign(postgres, { corprail });
  }
});
