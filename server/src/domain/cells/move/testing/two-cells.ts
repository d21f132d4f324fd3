import { expect } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import { randomIds } from "../../../../platform/core/ids.ts";
import { moneyOf } from "../../../../platform/core/money.ts";
import { connect, type Sql } from "../../../../platform/db/connection.ts";
import { createLog } from "../../../../platform/observability/log.ts";
import { testDatabase } from "../../../../testing/database.ts";
import { createAccount } from "../../../accounts/create-account.ts";
import { memoryVault } from "../../../accounts/testing/memory-vault.ts";
import { readWallet } from "../../../ledger/store.ts";
import { createWriter, type Writer } from "../../../orders/write/writer.ts";
import { registerCell } from "../../store.ts";
import type { MoveContext, Step } from "../move-account.ts";

export const TEN_RUPEES = moneyOf(100_000n);

const [ids, clock, log] = [randomIds(), systemClock(0), createLog("silent")];

/** The end of a command's process, as a kill would end it. */
export class Killed extends Error {}

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;

/** Home and cell 1 of an installation without processes. */
export async function startTwoCells(newDatabase = testDatabase) {
  const databases = await Promise.all([newDatabase(), newDatabase()]);
  const owners = databases.map(({ url }) => connect({ url, connections: 4, role: null }));
  const sqlOf = (cell: number): Sql => owners[cell]?.sql ?? expect.fail(`There is no cell ${cell}.`);
  const processSqlOf = (cell: number): Sql => databases[cell]?.sql ?? expect.fail(`There is no cell ${cell}.`);
  for (const cell of [0, 1])
    await sqlOf(cell)`
      insert into installation (installation_id, created_at, master_key_file, master_key_id, cell) values ('I1', now(), '', 'K1', ${cell})`;
  await registerCell(sqlOf(0), 1, new Date());

  const writerOf = (cell: number): Writer => {
    const sql = processSqlOf(cell);
    return createWriter({ connection: sql, sql, clock, processId: ids.entry(clock.now()), log });
  };
  const topUp = async (cell: number, accountId: string, reference: string, amount = TEN_RUPEES) =>
    await writerOf(cell).write({ kind: "topup", accountId, amount, reference, note: "" });
  const moving = (more: Partial<MoveContext> = {}): MoveContext => {
    const cells = [0, 1].map((cell) => ({ cell, sql: sqlOf(cell) }));
    return { cells, ids, now: () => clock.now(), actor: "test", knownMilliseconds: 0, ...more };
  };
  /** A command in which something happens, once, right before a step. */
  const movingWith = (step: Step, event: () => Promise<unknown>): MoveContext => {
    let hasHappened = false;
    const before = async (next: Step) => {
      if (next !== step || hasHappened) return;
      hasHappened = true;
      await event();
    };
    return moving({ before });
  };

  let accountsMade = 0;
  const accounts = { sql: processSqlOf(0), vault: memoryVault(), clock, ids, refresh: async () => {} };
  /** An account at home that has ten rupees. */
  const newAccount = async (): Promise<string> => {
    accountsMade += 1;
    const made = await createAccount(accounts, "test", { name: `Asha Stores ${accountsMade}`, sandbox: false });
    if (made.kind !== "done") return expect.fail("The account could not be made.");
    await topUp(0, made.accountId, "first");
    return made.accountId;
  };

  return {
    ...{ sqlOf, processSqlOf, accounts, writerOf, topUp, moving, movingWith, newAccount, clock },
    /** What happens to a stalled command's lock when home fails over, or the connection is cut. */
    loseMovesLock: async () => {
      await sqlOf(0)`
        select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`;
    },
    killedBefore: (step: Step) => movingWith(step, () => Promise.reject(new Killed())),
    balanceIn: async (cell: number, accountId: string): Promise<bigint> => (await readWallet(sqlOf(cell), accountId)).available,
    countAccounts: async (cell: number, accountId: string): Promise<number> =>
      (await sqlOf(cell)`select from accounts where account_id = ${accountId}`).length,
    stop: async () => {
      await Promise.all(owners.map(({ close }) => close()));
      await Promise.all(databases.map(({ drop }) => drop()));
    },
  };
}
