import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { connect, type Sql, type Transaction } from "./connection.ts";

// Tests the driver's COPY streams as changed in vendor/postgres (porsager/postgres issues 499 and 917).
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function withConnection(use: (sql: Sql) => Promise<void>): Promise<void> {
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  await use(sql).finally(close);
}

const rowsCopy = (rows: number) => `copy (select n, repeat('x', 90) from generate_series(1, ${rows}) n) to stdout`;

async function copiedBytes(tx: Transaction, rows: number): Promise<number> {
  let bytes = 0;
  const stream = await tx.unsafe(rowsCopy(rows)).readable();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    await nextTurn();
  }
  return bytes;
}

test("after a COPY of any size and a reader of any speed, the connection answers the next statement", async () => {
  await withConnection(async (sql) => {
    const sizes = [0, 1, 150, 160, 180, 200, 400, 640, 660, 700, 2000, 0, 20_000];
    const copied = await sql.begin(async (tx) => {
      const bytes: number[] = [];
      for (const rows of sizes) bytes.push(await copiedBytes(tx, rows));
      return bytes;
    });
    expect(copied.map((bytes) => bytes > 0)).toEqual(sizes.map((rows) => rows > 0));
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

test("after a reader gives up, the transaction is usable and the next COPY is complete", async () => {
  await withConnection(async (sql) => {
    await sql.begin(async (tx) => {
      const stream = await tx.unsafe(rowsCopy(50_000)).readable();
      for await (const _chunk of stream) break;
      expect(await tx`select 1 as one`).toEqual([{ one: 1 }]);
      expect(await copiedBytes(tx, 1000)).toBe(
        Buffer.byteLength(Array.from({ length: 1000 }, (_, n) => `${n + 1}\t${"x".repeat(90)}\n`).join("")),
      );
    });
  });
});

test.each([
  ["reading", (tx: Transaction) => tx.unsafe(rowsCopy(5_000_000)).readable()],
  ["writing", (tx: Transaction) => tx.unsafe("copy audit_log (actor) from stdin").writable()],
])("a connection lost while a COPY is %s ends the stream, and the next connection works", async (_what, start) => {
  await withConnection(async (sql) => {
    const ended = sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const stream = await start(tx);
      const failed = new Promise((_resolve, reject) => stream.once("error", reject));
      failed.catch(() => {});
      await cut(own?.pid ?? 0);
      if ("resume" in stream) stream.resume();
      await failed;
    });
    await expect(ended).rejects.toThrow(/terminat|CONNECTION_CLOSED/);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

async function cut(pid: number): Promise<void> {
  await withConnection(async (sql) => {
    await sql`select pg_terminate_backend(${pid})`;
  });
}

test("data half read from a lost connection does not appear in the next statement's result", async () => {
  await withConnection(async (sql) => {
    const cutOff = sql`
      select n, repeat('x', 100) as filling, case when n = 20000 then pg_terminate_backend(pg_backend_pid()) end as cut
      from generate_series(1, 40000) n`;
    await expect(cutOff).rejects.toThrow(/terminat|CONNECTION_CLOSED/);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

test("if the database refuses rows at the end of a COPY, the stream fails with the database's reason", async () => {
  await withConnection(async (sql) => {
    const refused = sql.begin(async (tx) => {
      await tx`create temp table strict (n int primary key deferrable initially immediate)`;
      const stream = await tx`copy strict from stdin`.writable();
      await new Promise<void>((resolve, reject) =>
        stream
          .once("error", reject)
          .once("finish", () => resolve())
          .end("1\n1\n"),
      );
    });
    await expect(refused).rejects.toThrow("duplicate key");
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});
