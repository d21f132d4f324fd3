import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../../testing/database.ts";
import { connect, type Database } from "../connection.ts";
import { readMigrations } from "../schema/read-schema.ts";
import { buildIndex, readIndexStatement } from "./build-index.ts";
import { incompatibility } from "./compatibility.ts";
import { examineStatements, expandFault, splitStatements } from "./examine-statement.ts";
import { runInSteps } from "./lock-politely.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let owner: Database;
let other: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  owner = connect({ url: database.url, connections: 1, role: null });
  other = connect({ url: database.url, connections: 2, role: null });
});
afterEach(async () => {
  await Promise.all([owner.close(), other.close()]);
  await database.drop();
});

const isValid = async (name: string) => {
  const [row] = await owner.sql<{ valid: boolean }[]>`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`;
  return row?.valid ?? null;
};

test("an index that an interrupted build left invalid is dropped and built again", async () => {
  await owner.sql`create table things (id integer)`;
  await owner.sql`insert into things values (1), (1)`;
  const statement = readIndexStatement("-- phase: index\ncreate unique index concurrently things_id on things (id);");
  await expect(buildIndex(owner.sql, statement)).rejects.toThrow(/could not create unique index/);
  expect(await isValid("things_id")).toBe(false);
  await owner.sql`delete from things`;
  const notes: string[] = [];
  await buildIndex(owner.sql, statement, (text) => notes.push(text));
  expect(await isValid("things_id")).toBe(true);
  expect(notes[0]).toContain("an earlier build was interrupted");
  notes.length = 0;
  await buildIndex(owner.sql, statement, (text) => notes.push(text));
  expect(notes).toEqual([]);
});

test("a partitioned table gets its index part by part, without blocking a writer, and goes on after an interruption", async () => {
  await owner.sql`create table events (at integer, note text) partition by range (at)`;
  for (const [name, from, to] of [
    ["events_a", 0, 10],
    ["events_b", 10, 20],
    ["events_c", 20, 30],
  ] as const)
    await owner.sql.unsafe(`create table ${name} partition of events for values from (${from}) to (${to})`);
  await owner.sql`insert into events select n % 30, 'x' from generate_series(1, 300) n`;
  const statement = readIndexStatement("create index concurrently events_note on events (note, at)");
  // As if the build had ended after the first partition.
  await owner.sql`create index events_note on only events (note, at)`;
  await owner.sql`create index events_a_events_note on events_a (note, at)`;
  await owner.sql`alter index events_note attach partition events_a_events_note`;
  let isBuilt = false;
  const writing = (async () => {
    for (let n = 0; !isBuilt; n++) await other.sql`insert into events values (${n % 30}, 'y')`;
  })();
  await buildIndex(owner.sql, statement);
  isBuilt = true;
  await writing;
  expect(await isValid("events_note")).toBe(true);
  await owner.sql`create table events_d partition of events for values from (30) to (40)`;
  const [row] = await owner.sql<
    { count: number }[]
  >`select count(*)::int as count from pg_inherits where inhparent = 'events_note'::regclass`;
  expect(row?.count).toBe(4);
});

test("a change that cannot get its lock lets others pass, and is made when the table is free", async () => {
  await owner.sql`create table things (id integer)`;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const reading = other.sql.begin(async (tx) => {
    await tx`select count(*) from things`;
    begun();
    await held;
  });
  await hasBegun;
  let attempts = 0;
  const changing = runInSteps(owner.sql, async (tx) => {
    attempts++;
    if (attempts === 2) release();
    await tx`alter table things add column note text`;
  });
  await changing;
  await reading;
  expect(attempts).toBeGreaterThanOrEqual(2);
  await expect(owner.sql`select note from things`).resolves.toEqual([]);
});

test.each([
  ["alter table orders add column note text", "ACCESS EXCLUSIVE", "reads and writes", "none"],
  ["alter table orders add column made timestamptz default clock_timestamp()", "ACCESS EXCLUSIVE", "reads and writes", "rewrite"],
  ["alter table orders add constraint c check (amount > 0) not valid", "ACCESS EXCLUSIVE", "reads and writes", "none"],
  ["alter table orders add constraint c check (amount > 0)", "ACCESS EXCLUSIVE", "reads and writes", "scan"],
  ["alter table orders validate constraint c", "SHARE UPDATE EXCLUSIVE", "nothing", "scan"],
  ["alter table orders alter column note set not null", "ACCESS EXCLUSIVE", "reads and writes", "scan"],
  ["alter table orders alter column amount type bigint", "ACCESS EXCLUSIVE", "reads and writes", "rewrite"],
  ["create index i on orders (note)", "SHARE", "writes", "index"],
  ["create index concurrently i on orders (note)", "SHARE UPDATE EXCLUSIVE", "nothing", "index"],
  ["update orders set note = ''", "ROW EXCLUSIVE", "nothing", "rows"],
] as const)("%s takes %s", (sql, lock, blocks, work) => {
  expect(examineStatements(`${sql};`)).toMatchObject([{ table: "orders", lock, blocks, work }]);
});

test("a change of a table that the migration itself creates blocks no other session", () => {
  const sql = "create table fresh (id integer);\ncreate index fresh_id on fresh (id);\ncomment on table fresh is 'New; empty.';";
  expect(examineStatements(sql).map(({ lock }) => lock)).toEqual([null, null, null]);
});

test("a semicolon in a text, a comment or a function's body ends no statement", () => {
  const sql = "-- one; two\nselect ';'; create function f() returns int language sql as $$ select 1; $$; /* ; */ select 2";
  expect(splitStatements(sql).map((text) => text.trim())).toEqual([
    "select ';'",
    "create function f() returns int language sql as $$ select 1; $$",
    "select 2",
  ]);
});

test("every shipped migration that expands leaves the running version undisturbed", async () => {
  const later = (await readMigrations()).filter(({ version, phase }) => version > 1 && phase === "expand");
  expect(later.flatMap(({ sql }) => examineStatements(sql).flatMap((one) => expandFault(one) ?? []))).toEqual([]);
  expect(expandFault(examineStatements("create index i on orders (note)")[0] ?? never())).toContain("phase index");
  for (const { sql } of (await readMigrations()).filter(({ phase }) => phase === "index")) readIndexStatement(sql);
});

function never(): never {
  throw new Error("There is no statement.");
}

test("a program accepts newer migrations unless one needs what it does not know", () => {
  const known = [{ version: 1, name: "schema", phase: "expand", needs: null, sql: "", checksum: "a" }] as const;
  const row = (version: number, needs: number | null) => ({ version, name: "more", checksum: "b", needs });
  expect(incompatibility([{ ...row(1, null), checksum: "a" }, row(2, null), row(3, 1)], known)).toBeNull();
  expect(incompatibility([row(2, 2)], known)).toContain("does not know: start the newer version again");
  expect(incompatibility([{ ...row(1, null), name: "schema" }], known)).toContain("differs from the one applied");
});
