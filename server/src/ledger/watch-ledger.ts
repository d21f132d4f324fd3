import type { Sql } from "../db/connection.ts";
import type { Log } from "../observe/log.ts";
import { checkLedger } from "./invariants.ts";

export type LedgerWatchOptions = {
  readonly sql: Sql;
  readonly log: Pick<Log, "error">;
  /** Told after every step how many violations stand, over all accounts looked at so far. */
  readonly report: (violations: number) => void;
};

const ACCOUNTS_A_STEP = 20;
// What a step may read: twenty accounts of a million transfers each would not be a small step.
const TRANSFERS_A_STEP = 100_000n;

/** Checks the ledger a few accounts at a time, round and round. Each call is one step. */
export function ledgerWatch(options: LedgerWatchOptions): () => Promise<void> {
  const broken = new Map<string, number>();
  let cursor = "";
  return async () => {
    const accounts = await nextAccounts(options.sql, cursor);
    for (const [accountId, violations] of await violationsOf(options, accounts)) {
      if (violations === 0) broken.delete(accountId);
      else broken.set(accountId, violations);
    }
    options.report([...broken.values()].reduce((sum, one) => sum + one, 0));
    cursor = accounts.at(-1) ?? "";
  };
}

/** The accounts after the cursor; none when the round is through. */
async function nextAccounts(sql: Sql, cursor: string): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string; seq: bigint }[]>`
    select account_id, seq from wallets where account_id > ${cursor} order by account_id limit ${ACCOUNTS_A_STEP}`;
  let transfers = 0n;
  const fitting = rows.filter((row) => {
    transfers += row.seq;
    return transfers <= TRANSFERS_A_STEP;
  });
  return (fitting.length > 0 ? fitting : rows.slice(0, 1)).map((row) => row.account_id);
}

async function violationsOf(options: LedgerWatchOptions, accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map(accounts.map((accountId) => [accountId, 0]));
  if (accounts.length === 0) return found;
  const together = await checkLedger(options.sql, accounts);
  if (together.every((check) => check.violations === 0)) return found;
  // One of them is broken: now each is looked at by itself, to be named.
  for (const accountId of accounts) {
    for (const { name, violations } of await checkLedger(options.sql, [accountId])) {
      if (violations === 0) continue;
      options.log.error({ account: accountId, check: name, violations }, "the ledger is not as it must be");
      found.set(accountId, (found.get(accountId) ?? 0) + violations);
    }
  }
  return found;
}
