import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { randomIds } from "../../../platform/core/ids.ts";
import { indiaMonth } from "../../../platform/core/india-time.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { makePartition } from "../../../platform/db/partitions/make-partitions.ts";
import { historyPartitions } from "../../../platform/db/partitions/partitioned-tables.ts";
import { listPartitions } from "../../../platform/db/partitions/read-partitions.ts";
import { readMovingAccounts } from "../../accounts/moving-accounts.ts";
import { pauseCallbacks } from "../../accounts/pause-callbacks.ts";
import { createSandboxAccount } from "../../accounts/sandbox-account.ts";
import { countTowardsThreshold } from "../../approvals/count-act.ts";
import { checkLedger } from "../../ledger/invariants.ts";
import { readMonthSums, sumStep } from "../../ledger/month-sums.ts";
import { readWallet } from "../../ledger/store.ts";
import { sumWallets } from "../../ledger/trial-balance.ts";
import { countRollUpDifferences } from "../../reporting/analytics/rebuild.ts";
import { rollUpStep } from "../../reporting/analytics/roll-up.ts";
import { cancelMove, type MoveContext, moveAccount, STEPS, type Step } from "./move-account.ts";
import { readMovedTables } from "./moved-tables.ts";
import { Killed, startTwoCells, TEN_RUPEES, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

const sqlOf = (cell: number) => cells.sqlOf(cell);
const topUp = (cell: number, accountId: string, reference: string) => cells.topUp(cell, accountId, reference);
const moving = (more: Partial<MoveContext> = {}) => cells.moving(more);
const killedBefore = (step: Step) => cells.killedBefore(step);

/** An account at home with a sandbox, money and an order that is held. */
async function newAccount(): Promise<{ readonly accountId: string; readonly sandboxId: string }> {
  const accountId = await cells.newAccount();
  const sandbox = await createSandboxAccount(cells.accounts, "test", { accountId, name: "Asha Stores" });
  if (sandbox.kind !== "done") throw new Error(sandbox.reason);
  return { accountId, sandboxId: sandbox.sandboxId };
}

/** How many rows of the accounts a cell has, by table; tables without any are left out. */
async function rowsIn(cell: number, accountIds: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const sql = sqlOf(cell);
  const counts: Record<string, number> = {};
  for (const { table, key } of await readMovedTables(sql)) {
    if (key !== undefined) continue;
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(table)} where account_id = any(${accountIds as string[]})`;
    if (row && row.count > 0) counts[table] = row.count;
  }
  return counts;
}

async function violations(cell: number): Promise<readonly string[]> {
  return (await checkLedger(sqlOf(cell))).filter((check) => check.violations > 0).map((check) => check.name);
}

test.each(STEPS)("a move that is killed before %s is completed by the next run, with everything exactly once", async (step) => {
  const { accountId, sandboxId } = await newAccount();
  const before = await rowsIn(0, [accountId, sandboxId]);
  const sums = await sumOfBoth();
  await expect(moveAccount(killedBefore(step), accountId, 1)).rejects.toThrow(Killed);
  // The sums of staff count the account in one cell, wherever its move has stopped. The sandbox gets its wallet by the move.
  expect(await sumOfBoth()).toMatchObject({ wallets: expect.toBeOneOf([sums.wallets, sums.wallets + 1]), available: sums.available });
  expect(await moveAccount(moving(), accountId, 1)).toMatchObject({ kind: "done" });
  const { wallets, ...moved } = await rowsIn(1, [accountId, sandboxId]);
  // A wallet that the account did not have yet is made by the move.
  expect([moved, wallets]).toEqual([withoutWallets(before), 2]);
  expect(await rowsIn(0, [accountId, sandboxId])).toEqual({ wallets: 2 });
  expect((await readWallet(sqlOf(1), accountId)).available).toBe(TEN_RUPEES);
  expect([await violations(0), await violations(1)]).toEqual([[], []]);
  await expect(topUp(0, accountId, "late")).rejects.toMatchObject({ code: "ACCOUNT_MOVED" });
  await topUp(1, accountId, "second");
  expect((await readWallet(sqlOf(1), accountId)).available).toBe(2n * TEN_RUPEES);
});

async function sumOfBoth(): Promise<{ readonly wallets: number; readonly available: bigint }> {
  const inMove = await readMovingAccounts(sqlOf(0));
  const sides = (await Promise.all([0, 1].map((cell) => sumWallets(sqlOf(cell), inMove)))).flat();
  return {
    wallets: sides.reduce((sum, side) => sum + side.wallets, 0),
    available: sides.reduce((sum, side) => sum + side.available, 0n),
  };
}

function withoutWallets({ wallets: _, ...others }: Readonly<Record<string, number>>): object {
  return others;
}

test("from the fence on, a process that knows nothing of the move cannot write money in the old cell", async () => {
  const { accountId } = await newAccount();
  await expect(moveAccount(killedBefore("copy"), accountId, 1)).rejects.toThrow(Killed);
  await expect(topUp(0, accountId, "late")).rejects.toMatchObject({ code: "ACCOUNT_MOVED" });
  await moveAccount(moving(), accountId, 1);
  expect((await readWallet(sqlOf(1), accountId)).available).toBe(TEN_RUPEES);
});

test("a month's sums move along and stay exact, whatever was summed before", async () => {
  const { accountId } = await newAccount();
  const month = indiaMonth(cells.clock.now());
  const read = (cell: number) => readMonthSums(sqlOf(cell), accountId, month);
  await sumStep(sqlOf(0), accountId, 1);
  await topUp(0, accountId, "after the sums");
  const before = await read(0);
  expect(before.closing).toBe(200_000n);
  await moveAccount(moving(), accountId, 1);
  // A process that was summing in the old cell finds nothing to add.
  expect(await sumStep(sqlOf(0), accountId, 1)).toBe(0);
  expect(await read(1)).toEqual(before);
  expect(await sumStep(sqlOf(1), accountId, 1)).toBe(1);
  await topUp(1, accountId, "in the new cell");
  await moveAccount(moving(), accountId, 0);
  expect(await read(0)).toMatchObject({ opening: 0n, closing: 300_000n, sums: [{ kind: "topup", transfers: 3 }] });
  expect((await checkLedger(sqlOf(0), [accountId])).filter(({ violations }) => violations > 0)).toEqual([]);
});

test("an account moves there and back, and a reference stays used", async () => {
  const { accountId } = await newAccount();
  await moveAccount(moving(), accountId, 1);
  await topUp(1, accountId, "there");
  expect(await moveAccount(moving(), accountId, 0)).toMatchObject({ kind: "done" });
  await topUp(0, accountId, "there");
  expect((await readWallet(sqlOf(0), accountId)).available).toBe(2n * TEN_RUPEES);
  expect(await rowsIn(1, [accountId])).toEqual({ wallets: 1 });
});

test("the roll-ups of both cells equal a recount after moves, whatever was counted before", async () => {
  const { accountId, sandboxId } = await newAccount();
  // The ledger check of other tests would miss their transfers.
  onTestFinished(async () => void (await sqlOf(0)`delete from orders`));
  // As it will be when the orders of this moment are old enough to be counted.
  const count = (cell: number) => rollUpStep(sqlOf(cell), cells.clock.now() + 120_000);
  const differences = async () => [await countRollUpDifferences(sqlOf(0)), await countRollUpDifferences(sqlOf(1))];
  await addOrders(accountId, 3);
  await addOrders(sandboxId, 2);
  await count(0);
  await addOrders(accountId, 4);
  await expect(moveAccount(killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  await count(1);
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  expect([await rowsIn(1, [accountId]), await differences()]).toEqual([{ wallets: 1 }, [0, 0]]);
  await moveAccount(moving(), accountId, 1);
  expect(await differences()).toMatchObject([0, expect.any(Number)]);
  await count(1);
  expect(await differences()).toEqual([0, 0]);
  await moveAccount(moving(), accountId, 0);
  await rollUpStep(sqlOf(0), cells.clock.now() + 3_600_000);
  expect(await differences()).toEqual([0, 0]);
  const [sum] = await sqlOf(0)<{ orders: number }[]>`
    select sum(orders)::int as orders from order_rollup_days where account_id = ${accountId} and dimension = 'all'`;
  expect(sum?.orders).toBe(7);
});

let ordersMade = 0;

async function addOrders(accountId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    ordersMade += 1;
    const orderId = randomIds().order(cells.clock.now());
    await sqlOf(0)`
      insert into orders (account_id, order_id, service, reference, fingerprint, operator, target, amount, amount_text, state, provider,
        process_id, created_at, updated_at)
      values (${accountId}, ${orderId}, 'recharge', ${`R${ordersMade}`}, '', 'AT', '9876543210', 100000, '10.00', 1, 'simulator', 'P',
        now(), now())`;
  }
}

test("a cancelled move leaves the account where it was; after the switch it cannot be cancelled", async () => {
  const { accountId } = await newAccount();
  await expect(moveAccount(killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  await topUp(0, accountId, "again");
  expect(await moveAccount(moving(), accountId, 1)).toMatchObject({ kind: "done" });
  expect((await readWallet(sqlOf(1), accountId)).available).toBe(2n * TEN_RUPEES);
  const second = await newAccount();
  await expect(moveAccount(killedBefore("clean"), second.accountId, 1)).rejects.toThrow(Killed);
  expect(await cancelMove(moving(), second.accountId)).toMatchObject({ kind: "refused" });
});

test("until the switch, the copy moves no money, and cancelling deletes it", async () => {
  const { accountId, sandboxId } = await newAccount();
  await expect(moveAccount(killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
  await expect(topUp(1, accountId, "early")).rejects.toMatchObject({ code: "ACCOUNT_MOVED" });
  expect(await sqlOf(1)`select from accounts where account_id = ${accountId} and callbacks_paused`).toHaveLength(1);
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  expect(await rowsIn(1, [accountId, sandboxId])).toEqual({ wallets: 2 });
  await expect(topUp(1, accountId, "late")).rejects.toMatchObject({ code: "ACCOUNT_MOVED" });
  await topUp(0, accountId, "again");
});

test("a command that goes on after the move was cancelled does not switch the account", async () => {
  const { accountId } = await newAccount();
  const before = async (step: Step) => {
    if (step === "switch") await sqlOf(0)`update account_moves set phase = 'cancelled' where account_id = ${accountId}`;
  };
  await expect(moveAccount(moving({ before }), accountId, 1)).rejects.toThrow("Another command");
  expect(await sqlOf(0)`select from account_cells where account_id = ${accountId} and cell = 0`).toHaveLength(1);
});

test("of two commands that move an account at the same time, the second waits and destroys nothing", async () => {
  const { accountId } = await newAccount();
  await expect(moveAccount(killedBefore("copy"), accountId, 1)).rejects.toThrow(Killed);
  const results = await Promise.all([moveAccount(moving(), accountId, 1), moveAccount(moving(), accountId, 1)]);
  expect(results.map(({ kind }) => kind).sort()).toEqual(["done", "refused"]);
  expect((await readWallet(sqlOf(1), accountId)).available).toBe(TEN_RUPEES);
});

test("the new cell gets the partitions and the signing keys of the history", async () => {
  const { accountId } = await newAccount();
  for (const partition of historyPartitions("2025-03")) await makePartition(sqlOf(0), partition);
  const day = { ...{ account_id: accountId, day: "2025-03-01", number: 1, first_seq: 1, last_seq: 1, closing_balance: 0 }, key_id: "K1" };
  const signed = { ...day, ...{ root: Buffer.of(1), hash: Buffer.of(1), signed_text: "{}", signature: Buffer.of(1) } };
  const key = { ...{ key_id: "K1", public_key: "P", secret_key_id: "M", secret: Buffer.of(1) }, created_at: new Date("2025-03-01Z") };
  await sqlOf(0)`insert into signing_keys ${sqlOf(0)(key)}`;
  await sqlOf(0)`insert into signed_days ${sqlOf(0)(signed)}`;
  const run = { ...{ run: 1, day: "2025-03-01", accounts: 1, lines: 1, hash: Buffer.of(1), signed_text: "{}" }, key_id: "K1" };
  await sqlOf(0)`insert into signing_runs ${sqlOf(0)({ ...run, signature: Buffer.of(1), signed_at: new Date("2025-03-02Z") })}`;
  await moveAccount(moving(), accountId, 1);
  expect(await sqlOf(1)`select from signing_keys where key_id = 'K1'`).toHaveLength(1);
  const names = [...(await listPartitions(sqlOf(1))).keys()];
  expect(names).toEqual(expect.arrayContaining([...(await listPartitions(sqlOf(0))).keys()]));
});

test("a move is not completed when a month has meanwhile left one of the two cells only", async () => {
  const { accountId } = await newAccount();
  await expect(moveAccount(killedBefore("copy"), accountId, 1)).rejects.toThrow(Killed);
  for (const partition of historyPartitions("2025-02")) await makePartition(sqlOf(1), partition);
  await sqlOf(0)`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2025-02', '0', '0', '0', '', now())`;
  const reason = expect.stringContaining("2025-02 is archived in one of the two cells only. Cancel the move");
  expect(await moveAccount(moving(), accountId, 1)).toEqual({ kind: "refused", reason });
  expect(await sqlOf(1)`select from accounts where account_id = ${accountId}`).toHaveLength(0);
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  await sqlOf(0)`delete from archived_months where month = '2025-02'`;
  expect(await moveAccount(moving(), accountId, 1)).toMatchObject({ kind: "done" });
});

test("an account moves without the tables of a month that a killed run has detached and not dropped", async () => {
  const { accountId } = await newAccount();
  for (const partition of historyPartitions("2025-01")) {
    await makePartition(sqlOf(0), partition);
    await sqlOf(0).unsafe(`alter table ${partition.of.table} detach partition ${partition.name}`);
  }
  await sqlOf(0)`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2025-01', '0', '0', '0', '', now())`;
  expect(await moveAccount(moving(), accountId, 1)).toMatchObject({ kind: "done" });
  expect(await sqlOf(1)`select month, dropped_at from archived_months`).toEqual([{ month: "2025-01", dropped_at: null }]);
  expect(await moveAccount(moving(), accountId, 0)).toMatchObject({ kind: "done" });
  for (const { name } of historyPartitions("2025-01")) await sqlOf(0)`drop table ${sqlOf(0)(name)}`;
  for (const cell of [0, 1]) await sqlOf(cell)`delete from archived_months`;
});

test("what a person moved without approval counts towards the threshold after a move too", async () => {
  const { accountId } = await newAccount();
  const asker = { kind: "staff", actor: "user:U1", person: "U1" } as const;
  const count = async (cell: number, reference: string) => {
    const act = { accountId, about: `wallet ${accountId} ${reference}`, amount: moneyOf(600_000n) };
    const ctx = { sql: sqlOf(cell), clock: cells.clock };
    return await countTowardsThreshold(ctx, asker, [act], { area: "wallet", threshold: moneyOf(1_000_000n) });
  };
  expect(await count(0, "first")).toBe(false);
  await moveAccount(moving(), accountId, 1);
  expect(await count(1, "second")).toBe(true);
});

test("a request for approval that was made while the move began keeps the account where the request can be decided", async () => {
  const { accountId } = await newAccount();
  const ask = async () => void (await askForTopUp(accountId));
  const result = await moveAccount(cells.movingWith("fence", ask), accountId, 1);
  expect(result).toEqual({ kind: "refused", reason: expect.stringContaining("Cancel the move with --cancel, and decide it first") });
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  await topUp(0, accountId, "again");
});

test("a sandbox that was created while the move began is not left behind", async () => {
  const accountId = await cells.newAccount();
  const create = async () => await createSandboxAccount(cells.accounts, "test", { accountId, name: "Asha Stores" });
  const result = await moveAccount(cells.movingWith("fence", create), accountId, 1);
  expect(result).toEqual({ kind: "refused", reason: expect.stringContaining("Cancel the move with --cancel, and start it again") });
  expect(await cancelMove(moving(), accountId)).toMatchObject({ kind: "done" });
  const moved = await moveAccount(moving(), accountId, 1);
  expect(moved).toMatchObject({ kind: "done", move: { accountIds: expect.toSatisfy((ids: readonly string[]) => ids.length === 2) } });
});

test.each(["wait", "fence"] as const)("callbacks that were paused before %s, while the move began, stay paused", async (step) => {
  const accountId = await cells.newAccount();
  const pause = async () => await pauseCallbacks(cells.accounts, "test", { accountId });
  const result = await moveAccount(cells.movingWith(step, pause), accountId, 1).catch((error: Error) => error.message);
  expect(result).toEqual(step === "wait" ? expect.objectContaining({ kind: "done" }) : expect.stringContaining("Run it again"));
  await moveAccount(moving(), accountId, 1);
  expect(await sqlOf(1)`select callbacks_paused from accounts where account_id = ${accountId}`).toEqual([{ callbacks_paused: true }]);
});

async function askForTopUp(accountId: string): Promise<void> {
  await sqlOf(0)`
    insert into approvals (approval_id, kind, about, input, amount, account_id, made_by, maker_person, created_at, expires_at)
    values (${randomIds().entry(cells.clock.now())}, 'wallet', ${`wallet ${accountId}`}, '{}', 1, ${accountId}, 'user:U1', 'U1', now(),
      now() + interval '1 hour')`;
}

test("an account that does not exist, is there already or is moving elsewhere is refused", async () => {
  const { accountId } = await newAccount();
  expect(await moveAccount(moving(), "A00000000000", 1)).toMatchObject({ kind: "refused" });
  expect(await moveAccount(moving(), accountId, 0)).toMatchObject({ kind: "refused" });
  await expect(moveAccount(killedBefore("wait"), accountId, 1)).rejects.toThrow(Killed);
  expect(await moveAccount(moving(), accountId, 2)).toMatchObject({ kind: "refused", reason: expect.stringContaining("cell 1") });
});
