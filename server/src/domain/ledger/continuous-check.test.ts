import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, money, type OrdersFixture } from "../orders/testing/fixture.ts";
import { createLedgerCheck } from "./continuous-check.ts";

let fixture: OrdersFixture;
let accounts: readonly string[];
beforeAll(async () => {
  fixture = await createOrdersFixture();
  const process = fixture.startProcess();
  accounts = (await Promise.all(Array.from({ length: 45 }, () => fixture.newAccount(process, 1)))).sort();
});
afterAll(() => fixture.close());

type Line = { readonly account: string; readonly check: string; readonly violations: number };

function watched() {
  const reported: number[] = [];
  const logged: Line[] = [];
  const log = { error: (line: Line) => void logged.push(line) };
  const { sql } = fixture.database;
  const step = createLedgerCheck({
    sql,
    clock: fixture.clock,
    log: log as never,
    report: ({ violations }) => void reported.push(violations),
  });
  return { step, reported, logged };
}

const breakWallet = (accountId: string) => fixture.owner`update wallets set seq = seq + 1 where account_id = ${accountId}`;
const repairWallet = (accountId: string) => fixture.owner`update wallets set seq = seq - 1 where account_id = ${accountId}`;

test("a sound ledger reports nothing, round after round, and is never logged", async () => {
  const { step, reported, logged } = watched();
  for (let steps = 0; steps < 10; steps++) await step();
  expect(reported).toEqual(Array.from({ length: 10 }, () => 0));
  expect(logged).toEqual([]);
});

test("a violation is found within a round, reported with its account, and counted until it is repaired", async () => {
  const [early, late] = [accounts[2] ?? "", accounts[44] ?? ""];
  const { step, reported, logged } = watched();
  await breakWallet(early);
  await breakWallet(late);
  const round = async () => {
    for (let steps = 0; steps < 4; steps++) await step();
  };
  await round();
  expect(reported).toEqual([1, 1, 2, 2]);
  const check = "every wallet's transfers are numbered without a gap";
  expect(logged).toEqual([early, late].map((account) => ({ account, check, violations: 1 })));
  await repairWallet(early);
  await round();
  expect(reported.slice(4)).toEqual([1, 1, 1, 1]);
  await repairWallet(late);
  await round();
  expect(reported.at(-1)).toBe(0);
});

test("a new account is checked in the next round", async () => {
  const { step, reported } = watched();
  for (let steps = 0; steps < 4; steps++) await step();
  const added = await fixture.newAccount(fixture.startProcess(), 1);
  await breakWallet(added);
  for (let steps = 0; steps < 4; steps++) await step();
  expect(reported.at(-1)).toBe(1);
  await repairWallet(added);
});

test("an account that is read in parts is finished before the next one, and stays checked", async () => {
  const rows = await fixture.owner<{ account_id: string }[]>`select account_id from wallets order by account_id`;
  const big = rows[3]?.account_id ?? "";
  const process = fixture.startProcess();
  for (let topUps = 0; topUps < 30; topUps++)
    await process.ctx.writer.write({ kind: "topup", accountId: big, amount: money(1), reference: `more-${topUps}`, note: "" });
  const reported: number[] = [];
  const step = createLedgerCheck({
    sql: fixture.database.sql,
    clock: fixture.clock,
    log: { error: () => {} } as never,
    report: ({ checked }) => void reported.push(checked),
    transfersAStep: 10,
  });
  for (let steps = 0; steps < 6; steps++) await step();
  // Three accounts together, then four steps on the large one: 31 transfers, ten at a time.
  expect(reported).toEqual([3, 3, 3, 3, 4, 14]);
});

test("an account with more transfers than a step may read is checked alone, and no account is skipped", async () => {
  const [first, big, last] = [accounts[0] ?? "", accounts[1] ?? "", accounts[44] ?? ""];
  await fixture.owner`update wallets set seq = 200000 where account_id = ${big}`;
  await breakWallet(first);
  await breakWallet(last);
  const { step, logged } = watched();
  for (let steps = 0; steps < 6; steps++) await step();
  expect(logged.map((line) => line.account)).toEqual([first, big, last]);
});
