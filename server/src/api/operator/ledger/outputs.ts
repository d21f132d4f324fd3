import { z } from "zod";
import { MOVES, type MoveKind } from "../../../domain/ledger/moves.ts";
import { BUCKETS } from "../../../domain/ledger/trial-balance.ts";
import { archivedMonthOutput } from "../../sites/archived-months.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";

export const MOVE_KINDS = Object.keys(MOVES) as [MoveKind, ...MoveKind[]];

/** The months that have left the database. */
export const archivedMonthsOutput = z.strictObject({ ok: z.literal(true), items: z.array(archivedMonthOutput).readonly() });

/** The result of every check of the whole ledger. */
export const ledgerCheckOutput = z
  .strictObject({
    ok: z.boolean(),
    checks: z.array(z.strictObject({ name: z.string(), violations: z.int() })).readonly(),
    checked_at: timeText,
    milliseconds: z.int().describe("How long the check took."),
  })
  .meta({ id: "LedgerCheck" });

const processCheck = z.strictObject({
  process_id: z.string(),
  checked: z.int().describe("Wallets that this round has checked so far."),
  wallets: z.int(),
  violations: z.int(),
  broken: z.array(z.strictObject({ account_id: z.string(), check: z.string(), violations: z.int() })).readonly(),
  round_began_at: timeText,
  round_ended_at: timeText.nullable().describe("When the last complete round ended."),
  at: timeText,
});

/** The progress of the continuous check in each process. */
export const continuousCheckOutput = z
  .strictObject({ ok: z.boolean(), processes: z.array(processCheck).readonly() })
  .meta({ id: "ContinuousLedgerCheck" });

const buckets = {
  available: moneyText,
  held: moneyText,
  cleared: moneyText,
  funding: moneyText,
  fees: moneyText,
  sum: moneyText.describe("The sum of the five buckets, which must be zero."),
};

const side = z.strictObject({
  ...buckets,
  wallets: z.int(),
  unbalanced: z.int().describe("Wallets whose buckets do not sum to zero."),
  overdraft: moneyText.describe("The sum of the overdraft limits."),
  overdrawn: moneyText.describe("The sum of the overdrafts in use."),
});

/** A wallet with its buckets. */
export const ledgerWalletOutput = z
  .strictObject({
    account_id: z.string(),
    account_name: z.string(),
    sandbox: z.boolean(),
    ...buckets,
    overdraft: moneyText.describe("The overdraft limit."),
    entries: z.int(),
  })
  .meta({ id: "LedgerWallet" });

/** The sums of all wallets in one snapshot. */
export const trialBalanceOutput = z
  .strictObject({
    ok: z.boolean(),
    at: timeText,
    live: side,
    sandbox: side,
    heaviest: z
      .strictObject({
        available: z.array(ledgerWalletOutput).readonly(),
        held: z.array(ledgerWalletOutput).readonly(),
        overdraft: z.array(ledgerWalletOutput).readonly(),
      })
      .describe("The live accounts with the largest balances."),
  })
  .meta({ id: "TrialBalance" });

/** A transfer between two buckets of a wallet. */
export const ledgerEntryOutput = z
  .strictObject({
    entry_id: z.string(),
    account_id: z.string(),
    account_name: z.string(),
    seq: z.int().describe("Its number among the wallet's entries."),
    kind: z.enum(MOVE_KINDS),
    from: z.enum(BUCKETS),
    to: z.enum(BUCKETS),
    amount: moneyText,
    balance_after: moneyText,
    order_id: z.string().nullable(),
    reference: z.string().nullable(),
    note: z.string(),
    at: timeText,
  })
  .meta({ id: "LedgerEntry" });
