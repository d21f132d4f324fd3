import { afterEach, beforeEach, expect, test } from "vitest";
import { connect, type Database, type Sql } from "../../platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { appendAudit } from "./append.ts";
import { audited, followChanges } from "./feed.ts";
import { listAudit } from "./list.ts";
import { verifyAudit } from "./verify.ts";

let database: TestDatabase;
let owner: Database;
beforeEach(async () => {
  database = await testDatabase();
  owner = connect({ url: database.url, connections: 1, role: null });
});
afterEach(async () => {
  await owner.close();
  await database.drop();
});

function append(sql: Sql, id: string): Promise<void> {
  return sql.begin((tx) =>
    appendAudit(tx, new Date(), { actor: "test", action: "account.changed", subject: { kind: "account", id }, details: { to: id } }),
  );
}

async function entries(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await append(database.sql, `A${number}`);
}

test("changes at once are numbered without a gap, and the chain holds", async () => {
  await Promise.all(Array.from({ length: 60 }, (_, number) => append(database.sql, `A${number}`)));
  const rows = await listAudit(database.sql, { before: null, limit: 100 });
  expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 60 }, (_, place) => BigInt(60 - place)));
  expect(await verifyAudit(database.sql)).toEqual({ ok: true, count: 60n });
});

test("a change that is rolled back leaves neither an entry nor a gap", async () => {
  await entries(1);
  const failing = database.sql.begin(async (tx) => {
    await appendAudit(tx, new Date(), { actor: "test", action: "account.changed", subject: { kind: "account", id: "AX" }, details: {} });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await append(database.sql, "A2");
  expect(await verifyAudit(database.sql)).toEqual({ ok: true, count: 2n });
});

test("an empty log holds", async () => {
  expect(await verifyAudit(database.sql)).toEqual({ ok: true, count: 0n });
});

test("a log longer than one chunk is walked to its end", async () => {
  await database.sql.begin(async (tx) => {
    for (let number = 0; number < 2050; number++) {
      await appendAudit(tx, new Date(), {
        actor: "test",
        action: "account.changed",
        subject: { kind: "account", id: "A" },
        details: { number },
      });
    }
  });
  expect(await verifyAudit(database.sql)).toEqual({ ok: true, count: 2050n });
  await owner.sql`update audit_log set details = '{}' where seq = 2001`;
  expect(await verifyAudit(database.sql)).toMatchObject({ ok: false, seq: 2001n });
});

test.each([
  ["its details", 'update audit_log set details = \'{"to":"A9"}\' where seq = 3', 3n],
  ["its actor", "update audit_log set actor = 'nobody' where seq = 3", 3n],
  ["its time", "update audit_log set at = at + interval '1 second' where seq = 3", 3n],
  ["its subject", "update audit_log set subject_id = 'A9' where seq = 3", 3n],
  ["its hash", "update audit_log set hash = sha256('x') where seq = 3", 3n],
  ["the hash before it", "update audit_log set previous_hash = sha256('x') where seq = 3", 3n],
  ["its being there", "delete from audit_log where seq = 3", 3n],
  ["the first one being there", "delete from audit_log where seq = 1", 1n],
  ["the last one being there", "delete from audit_log where seq = 5", 5n],
  ["the last ones being there, with a head that fits less", "delete from audit_log where seq > 3; update audit_head set seq = 3", 3n],
])("an entry with %s changed by the database's owner is found at its place", async (_, statement, seq) => {
  await entries(5);
  await owner.sql.unsafe(statement);
  expect(await verifyAudit(database.sql)).toMatchObject({ ok: false, seq });
});

test.each(["update audit_log set actor = 'nobody'", "delete from audit_log", "truncate audit_log"])(
  "the application may not: %s",
  async (statement) => {
    await entries(1);
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("the audit log can be narrowed to one subject and followed by its sequence", async () => {
  for (const id of ["A1", "A2", "A1", "A1"]) await append(database.sql, id);
  const subject = { kind: "account", id: "A1" };
  const first = await listAudit(database.sql, { before: null, limit: 2, subject });
  expect(first.map((row) => row.seq)).toEqual([4n, 3n]);
  expect((await listAudit(database.sql, { before: 3n, limit: 2, subject })).map((row) => row.seq)).toEqual([1n]);
  expect(await listAudit(database.sql, { before: null, limit: 2, subject: { kind: "service", id: "A1" } })).toEqual([]);
});

test("refreshing takes in whatever was committed before it, also when a poll is under way", async () => {
  const seen: string[] = [];
  const feed = followChanges({
    sql: database.sql,
    from: await audited(database.sql),
    apply: async (changes) => {
      await database.sql`select pg_sleep(0.02)`;
      seen.push(...changes.map((change) => change.id));
    },
    onError: () => {},
  });
  const change = async (id: string) => {
    await append(database.sql, id);
    await feed.refresh();
    expect(seen).toContain(id);
  };
  await Promise.all(Array.from({ length: 30 }, (_, number) => change(`A${number}`)));
  feed.close();
  expect(seen).toHaveLength(30);
});

test("a change that could not be taken in is offered again", async () => {
  const offered: string[] = [];
  const errors: unknown[] = [];
  const feed = followChanges({
    sql: database.sql,
    from: 0n,
    apply: async (changes) => {
      offered.push(...changes.map((change) => change.id));
      if (offered.length === 1) throw new Error("not now");
    },
    onError: (error) => errors.push(error),
  });
  await append(database.sql, "A1");
  await expect.poll(() => offered, { interval: 20 }).toEqual(["A1", "A1"]);
  feed.close();
  expect(errors).toHaveLength(1);
});
