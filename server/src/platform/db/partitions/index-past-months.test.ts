import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { orderIdAt } from "../../core/ids.ts";
import { connect, type Sql } from "../connection.ts";
import { indexPastMonths } from "./index-past-months.ts";
import { makePartition } from "./make-partitions.ts";
import { PARTITIONED, partitionAt } from "./partitioned-tables.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await asOwner(async (owner) => {
    for (const of of PARTITIONED) await makePartition(owner, partitionAt(of, APRIL));
  });
  return () => database.drop();
});

const APRIL = Date.UTC(2026, 3, 10);
const MAY_FIRST = Date.UTC(2026, 4, 1, 12);
const MAY_TENTH = Date.UTC(2026, 4, 10);
const INDEXES = ["orders_2026_04_by_target", "orders_2026_04_by_reference", "orders_2026_04_by_operator_ref"];

async function asOwner<Result>(work: (owner: Sql) => Promise<Result>): Promise<Result> {
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  try {
    return await work(sql);
  } finally {
    await close();
  }
}

const index = (now: number) => asOwner((owner) => indexPastMonths(owner, now));

test("a month gets its search indexes a day after it ended, once; the present one gets none", async () => {
  expect(await index(MAY_FIRST)).toEqual([]);
  expect(await index(MAY_TENTH)).toEqual(INDEXES);
  expect(await index(MAY_TENTH)).toEqual([]);
});

test("a search for a number, a reference or an operator's reference uses them", async () => {
  await database.sql`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
      operator_ref, process_id, created_at, updated_at)
    values ('A1', ${`${orderIdAt(APRIL).slice(0, 10)}ABCDEFGH`}, 'recharge', 'R1', '', 1, 1, '1', '9876543210', 'AT', 'p', 'X1', 'here',
      ${new Date(APRIL)}, ${new Date(APRIL)})`;
  const plan = await asOwner((owner) =>
    owner.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return await tx`explain select from orders_2026_04 where target = '9876543210' or reference = 'R1' or operator_ref = 'X1'`;
    }),
  );
  for (const name of INDEXES) expect(JSON.stringify(plan)).toContain(name);
});

test("an index that was left incomplete is created again", async () => {
  await asOwner((owner) => owner`update pg_index set indisvalid = false where indexrelid = 'orders_2026_04_by_target'::regclass`);
  expect(await index(MAY_TENTH)).toEqual(["orders_2026_04_by_target"]);
  const rows = await database.sql`select from pg_index where indexrelid = 'orders_2026_04_by_target'::regclass and indisvalid`;
  expect(rows).toHaveLength(1);
});

test("while one process creates them, another does nothing", async () => {
  await asOwner(async (owner) => {
    await owner`drop index orders_2026_04_by_target`;
    expect(await indexPastMonths(owner, MAY_TENTH)).toEqual(["orders_2026_04_by_target"]);
    await owner`drop index orders_2026_04_by_target`;
    // The first connection, and with it its lock, is still there.
    expect(await index(MAY_TENTH)).toEqual([]);
  });
  expect(await index(MAY_TENTH)).toEqual(["orders_2026_04_by_target"]);
});
