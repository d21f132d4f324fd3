import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../server/src/platform/db/connection.ts";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { corprail } from "../testing/processes.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

const verify = (given: readonly string[] = [], url = database.url) =>
  corprail(["ledger", "verify", ...given], { CORPRAIL_DATABASE_URL: url });
const verifyJson = async () => JSON.parse((await verify(["--json"])).stdout);

/** Accounts A0001, A0002, …, each with one top-up of 100. */
async function topUpAccounts(count: number): Promise<void> {
  await database.sql`
    insert into wallets (account_id, available, funding, seq)
    select 'A' || lpad(n::text, 4, '0'), 1000000, -1000000, 1 from generate_series(1, ${count}::int) n`;
  await database.sql`
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, reference, narration, at)
    select account_id, 1, 'topup', 'funding', 'available', 1000000, 1000000, 'T1', 'top-up', now() from wallets`;
}

/** As somebody who has the database in his hands. */
async function tamper(statement: string): Promise<void> {
  const { sql, close } = connect({ url: database.url, connections: 1, role: null });
  await sql.unsafe(statement);
  await close();
}

test("a consistent ledger shows every check with zero", async () => {
  await topUpAccounts(3);
  const { code, stdout, stderr } = await verify();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^ +0 {2}the buckets of every wallet sum to zero\n/);
  expect(stdout).toMatch(/\nThe ledger is consistent: 3 accounts checked\.\n$/);
  const { checks, ...rest } = await verifyJson();
  expect(rest).toEqual({ ok: true, accounts: 3 });
  expect(checks.length).toBeGreaterThan(5);
  expect(checks.every((check: { violations: number }) => check.violations === 0)).toBe(true);
});

test("a ledger without an account is consistent", async () => {
  expect(await verifyJson()).toMatchObject({ ok: true, accounts: 0, checks: expect.arrayContaining([expect.anything()]) });
});

test("a changed transfer is counted, its account named, and the exit code is 1", async () => {
  await topUpAccounts(3);
  await tamper("update transfers set available_after = 5 where account_id = 'A0002'");
  const { code, stdout, stderr } = await verify();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ +1 {2}every transfer carries the balance after it$/m);
  expect(stdout).toMatch(/^ +0 {2}every wallet's transfers are numbered without a gap$/m);
  expect(stderr).toContain('Account A0002 breaks "every transfer carries the balance after it": 1');
  expect(stderr).toMatch(/The ledger is not consistent\.\n$/);
  expect(await verifyJson()).toMatchObject({
    ok: false,
    error: "The ledger is not consistent.",
    broken_accounts: ["A0002"],
    checks: expect.arrayContaining([{ name: "every transfer carries the balance after it", violations: 1 }]),
  });
});

test("many accounts are checked in chunks, with progress on standard error, and no fault is lost or counted twice", async () => {
  await topUpAccounts(1000);
  await tamper("update transfers set available_after = 5 where account_id in ('A0001', 'A0200', 'A0201', 'A1000')");
  const { code, stdout, stderr } = await verify(["--json"]);
  expect(code).toBe(1);
  expect(stderr).toContain("200 of 1000 accounts checked\n");
  expect(stderr).toContain("1000 of 1000 accounts checked\n");
  const result = JSON.parse(stdout);
  expect(result.broken_accounts).toEqual(["A0001", "A0200", "A0201", "A1000"]);
  expect(result.checks).toContainEqual({ name: "every transfer carries the balance after it", violations: 4 });
});

test("accounts with large histories share no chunk", async () => {
  await topUpAccounts(2);
  await tamper("update wallets set seq = 400000");
  const { stderr } = await verify();
  expect(stderr).toContain("1 of 2 accounts checked\n");
});

test("an order of an account without a wallet is looked at too", async () => {
  await database.sql`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
      process_id, created_at, updated_at)
    values ('LOST', 'O1', 'recharge', 'R1', 'f', 1, 10000, '1', '9876543000', 'AT', 'simulator', 'P', now(), now())`;
  expect(await verifyJson()).toMatchObject({ ok: false, accounts: 1, broken_accounts: ["LOST"] });
});

test("it only reads", async () => {
  await topUpAccounts(2);
  const url = new URL(database.url);
  url.searchParams.set("default_transaction_read_only", "on");
  expect(await verify([], url.href)).toMatchObject({ code: 0, stderr: "" });
});

test("a database without this version's schema is refused", async () => {
  const empty = await emptyDatabase();
  const { code, stderr } = await verify([], empty.url);
  await empty.drop();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("corprail migrate") });
});
