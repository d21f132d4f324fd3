import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../../../server/src/testing/database.ts";
import { compareTransfers } from "./compare-transfers.ts";
import { successText } from "./restore-drill.ts";

async function database(): Promise<Sql> {
  const { url, drop } = await migratedDatabase();
  const { sql, close } = connect({ url, connections: 1, role: null });
  onTestFinished(() => close().then(drop));
  return sql;
}

async function addTransfers(sql: Sql, accountId: string, from: number, to: number, narration = ""): Promise<void> {
  await sql`
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
    select ${accountId}, n, 'topup', 'funding', 'available', 100, n * 100, ${narration}, timestamptz '2026-11-01Z' + n * interval '1 minute'
    from generate_series(${from}::bigint, ${to}::bigint) n`;
}

test("only transfers that both databases should have are compared", async () => {
  const [copy, live] = [await database(), await database()];
  for (const account of ["same", "archived", "moved", "changed", "lost"]) await addTransfers(copy, account, 1, 4);
  await addTransfers(live, "same", 1, 6);
  await addTransfers(live, "archived", 3, 4);
  await addTransfers(live, "changed", 1, 3);
  await addTransfers(live, "changed", 4, 4, "changed");
  await live`
    insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees)
    values ('archived', '2026-09', 1, 0, 0, 0, 0, 0), ('archived', '2026-10', 2, 0, 0, 0, 0, 0)`;
  await live`insert into wallets (account_id, moved_to) values ('moved', 1), ('lost', null)`;
  const { different, moved } = await compareTransfers(copy, live);
  expect([[...different].sort(), moved]).toEqual([["changed", "lost"], 1]);
});

test("with cells the result says that only home was checked", () => {
  expect(successText([], 0)).toMatch(/^The backup can be restored/);
  expect(successText([1, 2], 3)).toMatch(/^The backup of home .*Only home was checked, not cell 1, cell 2\. 3 accounts/);
});
