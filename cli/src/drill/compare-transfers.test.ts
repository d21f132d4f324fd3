import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../../../server/src/testing/database.ts";
import { UsageFault } from "../shared/outcome.ts";
import { planDrill } from "./cell-backups.ts";
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

test("an account that has moved is compared with the database of its cell", async () => {
  const [copy, live, other] = [await database(), await database(), await database()];
  for (const account of ["moved", "changed", "archived", "moving"]) await addTransfers(copy, account, 1, 4);
  await addTransfers(other, "moved", 1, 7);
  await addTransfers(other, "changed", 1, 4, "changed");
  await addTransfers(other, "archived", 3, 4);
  await other`
    insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees) values ('archived', '2026-10', 2, 0, 0, 0, 0, 0)`;
  await live`insert into wallets (account_id, moved_to) values ('moved', 1), ('changed', 1), ('archived', 1), ('moving', 1)`;
  expect(await compareTransfers(copy, live, [other])).toEqual({ different: ["changed"], moved: 1 });
});

test("with cells the result says which were checked", () => {
  expect(successText([], [], 0)).toMatch(/^The backup can be restored/);
  expect(successText([0], [1, 2], 3)).toMatch(/^The backup of home can .*Not checked: cell 1, cell 2\. 3 accounts/);
  expect(successText([0, 1], [], 0)).toMatch(/^The backups of home, cell 1 can be restored: [^.]*\.$/);
});

test("the backups of cells are given with their numbers, each with its WAL", () => {
  const given = { base: "b", wal: "/w", cellBase: ["2=b2", "3=b3"], cellWal: ["2=/w2"], cellRestoreCommand: ["3=get %f %p"] };
  expect(planDrill(given, [0, 1, 2, 3])).toEqual({
    backups: [
      { cell: 0, base: "b", restoreCommand: 'cp "/w/%f" "%p"' },
      { cell: 2, base: "b2", restoreCommand: 'cp "/w2/%f" "%p"' },
      { cell: 3, base: "b3", restoreCommand: "get %f %p" },
    ],
    unchecked: [1],
  });
  const unusable = [
    { cellBase: ["1=b"] },
    { cellWal: ["1=b"] },
    { cellBase: ["b"] },
    { cellBase: ["7=b"], cellWal: ["7=b"] },
    { restoreCommand: "get %f %p" },
    { cellBase: ["1=b"], cellWal: ["1=w"], cellRestoreCommand: ["1=get %f %p"] },
  ];
  for (const wrong of unusable) expect(() => planDrill({ base: "b", wal: "w", ...wrong }, [0, 1])).toThrow(UsageFault);
  expect(() => planDrill({ base: "b" }, [0])).toThrow("Give one of --wal or --restore-command.");
});
