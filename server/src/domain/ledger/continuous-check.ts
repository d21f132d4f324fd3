import type { Clock } from "../../platform/core/clock.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import { checkNextRange, isConsistent } from "./check-next-range.ts";
import { type CheckResult, checkLedger } from "./invariants.ts";

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
  /** The most transfers a step reads; 5,000 are about seventy milliseconds of work. */
  readonly transfersAStep?: number;
};

const ACCOUNTS_A_STEP = 20;
const TRANSFERS_A_STEP = 5_000;
// After so many steps a large account that was never checked lets the others have their turn.
const MAX_STEPS_AN_ACCOUNT = 20;

/** The accounts of a step. An account with more transfers than a step may read comes alone, and is read in parts. */
type Step = { readonly accounts: readonly string[]; readonly inParts: boolean };

/** Creates the continuous ledger check. Each call checks the next few accounts; after the last it starts again. */
export function createLedgerCheck(options: LedgerCheckOptions): () => Promise<void> {
  const known = new Map<string, readonly Violation[]>();
  let round = { cursor: "", checked: 0, roundBeganAt: options.clock.now(), roundEndedAt: null as number | null };
  let steps = 0;
  return async () => {
    const step = await nextStep(options, round.cursor);
    const { found, isBehind } = step.inParts ? await checkPart(options, step.accounts) : await checkWhole(options, step.accounts);
    for (const [accountId, broken] of found) {
      if (broken.length === 0) known.delete(accountId);
      else known.set(accountId, broken);
    }
    steps = isBehind ? steps + 1 : 0;
    const now = options.clock.now();
    const cursor = step.accounts.at(-1) ?? "";
    if (cursor === "") round = { cursor, checked: 0, roundBeganAt: now, roundEndedAt: now };
    else if (steps % MAX_STEPS_AN_ACCOUNT === 0) round = { ...round, cursor, checked: round.checked + step.accounts.length };
    const broken = [...known.values()].flat();
    const { checked, roundBeganAt, roundEndedAt } = round;
    await options.report({ violations: broken.reduce((sum, one) => sum + one.violations, 0), broken, checked, roundBeganAt, roundEndedAt });
  };
}

/** The accounts after the cursor; none at the end of a round. */
async function nextStep({ sql, transfersAStep = TRANSFERS_A_STEP }: LedgerCheckOptions, cursor: string): Promise<Step> {
  const rows = await sql<{ account_id: string; seq: bigint }[]>`
    select account_id, seq from wallets where account_id > ${cursor} order by account_id limit ${ACCOUNTS_A_STEP}`;
  let transfers = 0n;
  const fitting = rows.filter((row) => {
    transfers += row.seq;
    return transfers <= transfersAStep;
  });
  const inParts = fitting.length === 0 && rows.length > 0;
  return { accounts: (inParts ? rows.slice(0, 1) : fitting).map((row) => row.account_id), inParts };
}

type Found = { readonly found: ReadonlyMap<string, readonly Violation[]>; readonly isBehind: boolean };

async function checkPart(options: LedgerCheckOptions, [accountId = ""]: readonly string[]): Promise<Found> {
  const { sql, clock, transfersAStep = TRANSFERS_A_STEP } = options;
  const { checks, isBehind } = await checkNextRange(sql, accountId, transfersAStep, clock.now());
  // What is inconsistent would only be found again.
  return { found: new Map([[accountId, violationsOf(options, accountId, checks)]]), isBehind: isBehind && isConsistent(checks) };
}

async function checkWhole(options: LedgerCheckOptions, accounts: readonly string[]): Promise<Found> {
  const found = new Map<string, readonly Violation[]>(accounts.map((accountId) => [accountId, []]));
  if (accounts.length === 0 || isConsistent(await checkLedger(options.sql, accounts))) return { found, isBehind: false };
  // At least one account violates an invariant; check each alone to name it.
  for (const accountId of accounts) found.set(accountId, violationsOf(options, accountId, await checkLedger(options.sql, [accountId])));
  return { found, isBehind: false };
}

function violationsOf({ log }: LedgerCheckOptions, accountId: string, checks: readonly CheckResult[]): readonly Violation[] {
  const broken = checks.filter(({ violations }) => violations > 0);
  for (const { name: check, violations } of broken) log.error({ account: accountId, check, violations }, "ledger invariant violated");
  return broken.map(({ name: check, violations }) => ({ accountId, check, violations }));
}
