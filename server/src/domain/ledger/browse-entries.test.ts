import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../platform/db/connection.ts";
import { MAX_CANDIDATES } from "../../platform/db/search-backwards.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { browseEntries, type EntriesFilter, type EntryCursor, type EntryRow } from "./browse-entries.ts";

const NOW = Date.now();
const LIMIT = 2_000;

let database: TestDatabase;
let owner: { readonly sql: Sql; readonly close: () => Promise<void> };
beforeAll(async () => {
  database = await testDatabase();
  owner = connect({ url: database.url, connections: 1, role: null });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

/** One transfer a second, the newest now. */
async function addTransfers(accountId: string, count: number): Promise<void> {
  await owner.sql`
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
    select ${accountId}, n, 'topup', 'funding', 'available', 1, n, '', ${new Date(NOW)}::timestamptz - (${count} - n) * interval '1 second'
    from generate_series(1, ${count}::int) n`;
}

async function readAll(): Promise<readonly EntryRow[]> {
  const all: EntryRow[] = [];
  let after: EntryCursor | null = null;
  do {
    const filter: EntriesFilter = {
      ...{ accountId: null, orderId: null, mode: null, kind: null, after, limit: LIMIT },
      ...{ fromMilliseconds: 0, toMilliseconds: NOW + 60_000 },
    };
    const page = await browseEntries(database.sql, filter);
    all.push(...page.entries);
    after = page.next;
  } while (after !== null);
  return all;
}

test("the pages of all accounts show every transfer once, the newest first, whether there are few or many", async () => {
  expect(await readAll()).toEqual([]);
  await addTransfers("small", 3);
  expect((await readAll()).map(({ seq }) => seq)).toEqual([3n, 2n, 1n]);

  // More than are counted to find the first one.
  await addTransfers("large", MAX_CANDIDATES + 1);
  const all = await readAll();
  expect(all).toHaveLength(MAX_CANDIDATES + 4);
  expect(all.map(({ at }) => at.getTime())).toEqual(all.map(({ at }) => at.getTime()).toSorted((a, b) => b - a));
  expect(all.at(-1)).toMatchObject({ account_id: "large", seq: 1n });
});
