import { afterAll, beforeAll, expect, test } from "vitest";
import { beat } from "../orders/recovery/heartbeat.ts";
import { createOrdersFixture, newOrder, type OrdersFixture, type OrdersProcess } from "../orders/testing/fixture.ts";
import { accept, settle } from "../orders/testing/operations.ts";
import { checkNextRange } from "./check-next-range.ts";
import { DAMAGES, damage, dropConstraints, HELD, newLedger, RUNNING } from "./testing/damages.ts";

// Smaller than the number of transfers, so that an account takes many steps.
const TRANSFERS_A_STEP = 7;

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
  // Old orders are told from new ones by the newest times of running processes.
  await beat(process.ctx);
  await dropConstraints(fixture);
});
afterAll(() => fixture.close());

async function step(accountId: string): Promise<{ readonly broken: readonly string[]; readonly isBehind: boolean }> {
  const { checks, isBehind } = await checkNextRange(fixture.database.sql, accountId, TRANSFERS_A_STEP, fixture.clock.now());
  return { broken: checks.filter((check) => check.violations > 0).map((check) => check.name), isBehind };
}

/** Checks until there is nothing new; returns the violations of all steps. */
async function checkNew(accountId: string): Promise<readonly string[]> {
  for (let steps = 0; steps < 100; steps++) {
    const { broken, isBehind } = await step(accountId);
    if (broken.length > 0 || !isBehind) return broken;
  }
  throw new Error("The check does not reach the end.");
}

/** More steps than a pass over everything takes. */
async function checkEverything(accountId: string): Promise<readonly string[]> {
  for (let steps = 0; steps < 20; steps++) {
    const { broken } = await step(accountId);
    if (broken.length > 0) return broken;
  }
  return [];
}

async function positions(accountId: string): Promise<Record<string, { readonly seq: bigint; readonly available: bigint }>> {
  const rows = await fixture.owner<{ pass: string; seq: bigint; available: bigint }[]>`
    select pass, seq, available from ledger_check_positions where account_id = ${accountId}`;
  return Object.fromEntries(rows.map(({ pass, ...position }) => [pass, position]));
}

test("a sound account has no violation in any step, and the position reaches the wallet", async () => {
  const accountId = await newLedger(fixture, process);
  expect(await checkEverything(accountId)).toEqual([]);
  const [wallet] = await fixture.owner<{ seq: bigint; available: bigint }[]>`
    select seq, available from wallets where account_id = ${accountId}`;
  expect((await positions(accountId))["new"]).toEqual(wallet);
});

test("a step checks no more orders than belong to its transfers", async () => {
  const accountId = await newLedger(fixture, process);
  await checkNextRange(fixture.database.sql, accountId, 8, fixture.clock.now());
  const [read] = await fixture.owner<{ all: number; read: number }[]>`
    select count(*)::int as all, count(*) filter (where o.order_id <= p.order_id)::int as read
    from orders o join ledger_check_positions p on p.account_id = o.account_id and p.pass = 'all' where o.account_id = ${accountId}`;
  expect(read?.all).toBeGreaterThan(2);
  expect(read?.read).toBe(2);
});

test("the check goes on where it stopped, and reads only what was written since", async () => {
  const accountId = await newLedger(fixture, process);
  await checkNew(accountId);
  const before = (await positions(accountId))["new"]?.seq ?? 0n;
  const order = newOrder(accountId);
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  expect(await step(accountId)).toEqual({ broken: [], isBehind: false });
  expect((await positions(accountId))["new"]?.seq).toBe(before + 2n);
});

// The held money follows from the other rules.
const expected = (checks: readonly string[]) => checks.filter((name) => name !== HELD);

test.each(DAMAGES)("$damage before the position is found by the pass over everything", async (one) => {
  const accountId = await newLedger(fixture, process);
  expect(await checkNew(accountId)).toEqual([]);
  await damage(fixture, accountId, one);
  const broken = await checkEverything(accountId);
  expect(broken.filter((name) => expected(one.checks).includes(name))).not.toEqual([]);
});

test.each(DAMAGES)("$damage after the position is found when it is read", async (one) => {
  const accountId = await newLedger(fixture, process);
  await damage(fixture, accountId, one);
  const broken = await checkNew(accountId);
  expect(broken.filter((name) => expected(one.checks).includes(name))).not.toEqual([]);
});

test("a wrong transfer that was written after the position is found in the next step", async () => {
  const accountId = await newLedger(fixture, process);
  await checkNew(accountId);
  await fixture.owner`delete from ledger_check_positions where account_id = ${accountId} and pass = 'all'`;
  await process.ctx.writer.write(accept(newOrder(accountId)));
  await fixture.owner`
    update transfers set available_after = available_after + 1
    where account_id = ${accountId} and seq = (select seq from wallets where account_id = ${accountId})`;
  expect((await step(accountId)).broken).toEqual([RUNNING]);
});

test("a violation is found again until it is repaired, and the position does not pass it", async () => {
  const accountId = await newLedger(fixture, process);
  await fixture.owner`update transfers set available_after = available_after + 1 where account_id = ${accountId} and seq = 9`;
  const first = await checkNew(accountId);
  expect(await checkNew(accountId)).toEqual(first);
  expect((await positions(accountId))["new"]?.seq).toBe(7n);
  await fixture.owner`update transfers set available_after = available_after - 1 where account_id = ${accountId} and seq = 9`;
  expect(await checkNew(accountId)).toEqual([]);
});

test("two processes that check one account at the same time agree on the position", async () => {
  const accountId = await newLedger(fixture, process);
  for (let rounds = 0; rounds < 8; rounds++) {
    const both = await Promise.all([step(accountId), step(accountId)]);
    expect(both.flatMap(({ broken }) => broken)).toEqual([]);
  }
  const [wallet] = await fixture.owner<{ seq: bigint; available: bigint }[]>`
    select seq, available from wallets where account_id = ${accountId}`;
  expect((await positions(accountId))["new"]).toEqual(wallet);
});
