import { beforeEach, expect, test } from "vitest";
import { exportTransactions } from "../../../server/src/api/portal/jobs/export-transactions.ts";
import type { Job } from "../../../server/src/domain/jobs/job.ts";
import type { JobControl } from "../../../server/src/domain/jobs/kind.ts";
import { checkNextRange } from "../../../server/src/domain/ledger/check-next-range.ts";
import { checkLedger } from "../../../server/src/domain/ledger/invariants.ts";
import { readMonthSums, sumStep } from "../../../server/src/domain/ledger/month-sums.ts";
import { readPeriodLines } from "../../../server/src/domain/ledger/period.ts";
import type { OrdersFixture, OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { countRollUpDifferences, rebuildRollUps } from "../../../server/src/domain/reporting/analytics/rebuild.ts";
import { orderIdAt } from "../../../server/src/platform/core/ids.ts";
import type { Sql, Transaction } from "../../../server/src/platform/db/connection.ts";
import { addOldMonth, createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";
import type { CommandContext } from "../shared/run-command.ts";
import type { LeavingMonth } from "./leave-database.ts";
import { writeMonth } from "./make-archive.ts";
import { notRolledUp, rollUpAll } from "./rolled-up.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
let one: LeavingMonth;
let accountId: string;
let sql: Sql;
beforeEach(async () => {
  ({ fixture, process } = await createArchiveFixture());
  one = await addOldMonth(fixture, process);
  ({ sql } = fixture.database);
  const [wallet] = await sql<{ account_id: string }[]>`select account_id from wallets`;
  accountId = wallet?.account_id ?? "";
  await rollUpAll(fixture.owner, Date.now());
  return () => fixture.close();
});

const waiters = async (tx: Transaction) =>
  await tx`
  select from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.datname = current_database() and a.backend_type = 'client backend'`;

/** Begins to read when the month is being detached, and commits that when the reader waits for it. */
async function readWhileItLeaves<Result>(read: () => Promise<Result>): Promise<Result> {
  const { fromMilliseconds, toMilliseconds } = one.span;
  let reading: Promise<Result> | undefined;
  await fixture.owner.begin(async (tx) => {
    expect(await notRolledUp(tx, one.span)).toEqual([]);
    await tx`
      insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
      values (${one.month}, ${orderIdAt(fromMilliseconds)}, ${orderIdAt(toMilliseconds)}, ${orderIdAt(toMilliseconds)}, '', now())`;
    await tx`
      insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees)
      select account_id, ${one.month}, seq, available, held, cleared, funding, fees from wallets`;
    // In the same transaction, so that a snapshot from before has none of them.
    await sumStep({ begin: (work: (inner: Transaction) => Promise<unknown>) => tx.savepoint(work) } as unknown as Sql, accountId, 1);
    for (const { of, name } of one.partitions) await tx.unsafe(`alter table ${of.table} detach partition ${name}`);
    reading = read();
    reading.catch(() => {});
    await expect.poll(async () => (await waiters(tx)).length).toBeGreaterThan(0);
  });
  if (reading === undefined) throw new Error("Nothing was read.");
  return await reading;
}

const violated = (checks: readonly { readonly name: string; readonly violations: number }[]) =>
  checks.filter(({ violations }) => violations > 0);

test("the ledger check finds nothing wrong although a month leaves while it runs", async () => {
  expect(violated(await readWhileItLeaves(() => checkLedger(sql)))).toEqual([]);
});

test("the continuous check finds nothing wrong although a month leaves while it runs", async () => {
  const { checks } = await readWhileItLeaves(() => checkNextRange(sql, accountId, 1_000, Date.now()));
  expect(violated(checks)).toEqual([]);
});

test("the comparison of roll-ups finds no difference although a month leaves while it runs", async () => {
  expect(await readWhileItLeaves(() => countRollUpDifferences(sql))).toBe(0);
});

test("a rebuild of the roll-ups keeps those of a month that leaves while it begins", async () => {
  const counted = async () =>
    (await sql<{ orders: number }[]>`select coalesce(sum(orders), 0)::int as orders from order_rollups`)[0]?.orders;
  const before = await counted();
  expect(before).toBeGreaterThan(0);
  await readWhileItLeaves(() => rebuildRollUps(fixture.database.sql, Date.now, () => {}));
  expect(await counted()).toBe(before);
});

test("an archive of a month that leaves meanwhile is not written without its rows", async () => {
  const ctx = { note: () => {} } as unknown as CommandContext;
  const writing = readWhileItLeaves(() =>
    writeMonth(ctx, sql, { month: one.month, span: one.span, target: `${scratchFolder()}/${one.month}` }),
  );
  await expect(writing).rejects.toThrow(`${one.month} has just left the database`);
});

test("a monthly statement that is read while its month leaves has the same figures", async () => {
  const figures = await readMonthSums(sql, accountId, one.month);
  expect(figures.sums.length).toBeGreaterThan(0);
  expect(await readWhileItLeaves(() => readMonthSums(sql, accountId, one.month))).toEqual(figures);
});

test("a file of a month's entries does not end as if it were complete when the month leaves", async () => {
  const lines = async () => {
    const all = [];
    for await (const rows of readPeriodLines(sql, { accountId, ...one.span }, Date.now())) all.push(...rows);
    return all;
  };
  expect((await lines()).length).toBeGreaterThan(0);
  await expect(readWhileItLeaves(lines)).rejects.toThrow(`${one.month} left the database`);
});

test("the result of an export names the month that left while it was written", async () => {
  const input = { from: "2026-01-01", to: "2026-01-31", status: null, service: null };
  const span = { from_milliseconds: one.span.fromMilliseconds, to_milliseconds: one.span.toMilliseconds };
  const job = { queue: accountId, input: { ...input, ...span }, place: null, done: 0 } as unknown as Job;
  const control = { stopped: () => false, isDue: () => true, save: async () => {} } as unknown as JobControl;
  const ctx = { sql, clock: { now: () => Date.now() } } as Parameters<typeof exportTransactions>[0];
  expect(await exportTransactions(ctx, job, control)).toEqual({ rows: 1, file: expect.any(String) });
  expect(await readWhileItLeaves(() => exportTransactions(ctx, job, control))).toMatchObject({
    archived_months: [one.month],
    message: expect.stringContaining(`Records of ${one.month} are archived`),
  });
});
