import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import { checkLedger } from "./invariants.ts";

/** An invariant that an account violates. */
export type Violation = { readonly accountId: string; readonly check: string; readonly violations: number };

/** The progress of the continuous ledger check. */
export type LedgerCheckState = {
  /** The number of current violations in all accounts checked so far. */
  readonly violations: number;
  readonly broken: readonly Violation[];
  /** The number of accounts checked in this round. */
  readonly checked: number;
  readonly roundBeganAt: number;
  /** When the last complete round ended; null before the first. */
  readonly roundEndedAt: number | null;
};

export type LedgerCheckOptions = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  /** Called after every step. */
  readonly report: (state: LedgerCheckState) => void | Promise<void>;
};

const ACCOUNTS_A_STEP = 20;
// The most transfers a step reads, about seventy milliseconds of work, unless one account has more.
const TRANSFERS_A_STEP = 5_000n;

/** Creates the continuous ledger check. Each call checks the next few accounts; after the last it starts again. */
export function createLedgerCheck(options: LedgerCheckOptions): () => Promise<void> {
  const known = new Map<string, readonly Violation[]>();
  let round = { cursor: "", checked: 0, roundBeganAt: options.clock.now(), roundEndedAt: null as number | null };
  return async () => {
    const accounts = await nextAccounts(options.sql, round.cursor);
    for (const [accountId, broken] of await findViolations(options, accounts)) {
      if (broken.length === 0) known.delete(accountId);
      else known.set(accountId, broken);
    }
    const cursor = accounts.at(-1) ?? "";
    const now = options.clock.now();
    round =
      cursor === ""
        ? { cursor, checked: 0, roundBeganAt: now, roundEndedAt: now }
        : { ...round, cursor, checked: round.checked + accounts.length };
    const broken = [...known.values()].flat();
    const { checked, roundBeganAt, roundEndedAt } = round;
    await options.report({ violations: broken.reduce((sum, one) => sum + one.violations, 0), broken, checked, roundBeganAt, roundEndedAt });
  };
}

/** The accounts after the cursor; empty at the end of a round. */
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

async function findViolations(
  options: LedgerCheckOptions,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly Violation[]>> {
  const found = new Map<string, readonly Violation[]>(accounts.map((accountId) => [accountId, []]));
  if (accounts.length === 0) return found;
  const together = await checkLedger(options.sql, accounts);
  if (together.every((check) => check.violations === 0)) return found;
  // At least one account violates an invariant; check each alone to name it.
  for (const accountId of accounts) {
    const checks = (await checkLedger(options.sql, [accountId])).filter(({ violations }) => violations > 0);
    for (const { name: check, violations } of checks)
      options.log.error({ account: accountId, check, violations }, "ledger invariant violated");
    found.set(
      accountId,
      checks.map(({ name: check, violations }) => ({ accountId, check, violations })),
    );
  }
  return found;
}
