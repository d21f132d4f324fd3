import { z } from "zod";
import type { AccountMode } from "../../../domain/accounts/account-mode.ts";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { listArchivedMonths } from "../../../domain/ledger/archived-months.ts";
import { browseEntries, type EntriesFilter, type EntryCursor, findEntry } from "../../../domain/ledger/browse-entries.ts";
import { readCheckStates } from "../../../domain/ledger/check-state-store.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { largestWallets, listWallets, sumOf, sumWallets } from "../../../domain/ledger/trial-balance.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { archivedMonthView } from "../../sites/archived-months.ts";
import { type Days, dayField, daysOf, NO_DAYS } from "../../sites/days.ts";
import { idListQuery, toPage, withCursor, writeIdCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { MERGED_ASCENDING, MERGED_LIST, SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id } from "../fields.ts";
import { left, word } from "../filters.ts";
import { noSuch, wrongFields } from "../refusal.ts";
import { checkStateFields, entryFields, sideFields, walletFields } from "./ledger-fields.ts";
import {
  archivedMonthsOutput,
  continuousCheckOutput,
  ledgerCheckOutput,
  ledgerEntryOutput,
  ledgerWalletOutput,
  MOVE_KINDS,
  trialBalanceOutput,
} from "./outputs.ts";

const CURSOR = /^([0-9]{1,13})\.([A-Z0-9]{0,40})\.([0-9]{1,18})$/;

/** The cursor after a page of ledger entries. */
const entryCursor = z.string().transform((text, ctx): EntryCursor => {
  const [, at, accountId, seq] = CURSOR.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (at !== undefined && accountId !== undefined && seq !== undefined) return { at: Number(at), accountId, seq: BigInt(seq) };
  ctx.addIssue("Must be a `next` of an earlier page.");
  return z.NEVER;
});

function writeEntryCursor({ at, accountId, seq }: EntryCursor): string {
  return Buffer.from(`${at}.${accountId}.${seq}`).toString("base64url");
}

const MAX_LARGEST_WALLETS = 10;
// The clocks of processes differ slightly.
const SOON_MILLISECONDS = 60 * 60 * 1000;

const showLedgerCheck = action({
  path: "GET /ledger/check",
  summary: "Checks the whole ledger now.",
  roles: EVERYBODY,
  output: ledgerCheckOutput,
  cells: SUMMED,
  handler: async ({ deps }) => {
    const began = performance.now();
    const checks = await checkLedger(deps.longWork ?? deps.sql);
    const took = Math.round(performance.now() - began);
    const ok = checks.every((check) => check.violations === 0);
    return { ok, checks, checked_at: indiaDateTime(deps.clock.now()), milliseconds: took };
  },
});

const showContinuousCheck = action({
  path: "GET /ledger/continuous-check",
  summary: "Shows the progress of the continuous check in each process.",
  roles: EVERYBODY,
  output: continuousCheckOutput,
  cells: SUMMED,
  handler: async ({ deps }) => {
    const states = await readCheckStates(deps.sql);
    return { ok: states.every((state) => state.violations === 0), processes: states.map(checkStateFields) };
  },
});

const showTrialBalance = action({
  path: "GET /ledger/trial-balance",
  summary: "Sums all wallets, and lists those with the largest balances.",
  roles: EVERYBODY,
  output: trialBalanceOutput,
  cells: { kind: "sum", merge: (all: readonly z.output<typeof trialBalanceOutput>[]) => withLargest(SUMMED.merge(all)) },
  handler: async ({ deps, caller }) => await trialBalance(deps, caller.mode ?? "live"),
});

/** Reads everything in one snapshot. */
async function trialBalance(
  { sql, longWork = sql, clock, moving = [] }: OperatorApiDependencies,
  mode: AccountMode,
): Promise<z.output<typeof trialBalanceOutput>> {
  const largest = { mode, most: MAX_LARGEST_WALLETS, moving };
  return await longWork.begin("isolation level repeatable read read only", async (tx) => {
    const sides = await sumWallets(tx, moving);
    const available = await largestWallets(tx, "available", largest);
    const held = await largestWallets(tx, "held", largest);
    const overdraft = await largestWallets(tx, "overdraft", largest);
    return {
      ok: sides.every((side) => side.unbalanced === 0 && sumOf(side) === 0n),
      at: indiaDateTime(clock.now()),
      live: sideFields(sides.find((side) => !side.sandbox)),
      sandbox: sideFields(sides.find((side) => side.sandbox)),
      heaviest: { available: available.map(walletFields), held: held.map(walletFields), overdraft: overdraft.map(walletFields) },
    };
  });
}

/** The largest wallets of all cells, of those that each cell named. */
function withLargest(sums: z.output<typeof trialBalanceOutput>): z.output<typeof trialBalanceOutput> {
  type Wallet = (typeof sums.heaviest.available)[number];
  const largest = (wallets: readonly Wallet[], by: "available" | "held" | "overdraft") =>
    wallets.toSorted((one, other) => Number(other[by]) - Number(one[by])).slice(0, MAX_LARGEST_WALLETS);
  const { available, held, overdraft } = sums.heaviest;
  const heaviest = { available: largest(available, "available"), held: largest(held, "held"), overdraft: largest(overdraft, "overdraft") };
  return { ...sums, heaviest };
}

const listLedgerWallets = action({
  path: "GET /ledger/wallets",
  summary: "Lists the wallets with their buckets, by account id.",
  roles: EVERYBODY,
  query: idListQuery.extend({ search: left(z.string().trim().min(1).max(120)) }),
  output: pageOf(ledgerWalletOutput),
  cells: MERGED_ASCENDING,
  handler: async ({ deps, caller: { mode }, query: { limit, after, search } }) => {
    const wallets = await listWallets(deps.sql, { search: search ?? null, mode, after: after ?? null, limit: limit + 1 });
    return toPage(wallets, limit, walletFields, (wallet) => writeIdCursor(wallet.account_id));
  },
});

const showArchivedMonths = action({
  path: "GET /archived-months",
  summary: "Lists the months whose orders and ledger entries are in the archive, newest first.",
  roles: EVERYBODY,
  output: archivedMonthsOutput,
  cells: { kind: "list", merge: mergeArchived },
  handler: async ({ deps }) => ({ ok: true as const, items: (await listArchivedMonths(deps.sql)).map(archivedMonthView) }),
});

/** A month that one cell has archived is named, also if another cell still has it. */
function mergeArchived(all: readonly z.output<typeof archivedMonthsOutput>[]): z.output<typeof archivedMonthsOutput> {
  const months = new Map(all.flatMap(({ items }) => items).map((one) => [one.month, one]));
  return { ok: true, items: [...months.values()].sort((one, other) => (one.month < other.month ? 1 : -1)) };
}

const entriesQuery = idListQuery.extend({
  after: entryCursor.optional(),
  account_id: word,
  order_id: word,
  kind: left(z.enum(MOVE_KINDS)),
  from: left(dayField),
  to: left(dayField),
});

const listEntries = action({
  path: "GET /ledger/entries",
  summary: "Lists the entries of an order, of an account or of all accounts, newest first.",
  roles: EVERYBODY,
  query: entriesQuery,
  output: pageOf(ledgerEntryOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller: { mode }, query }) => {
    const now = deps.clock.now();
    const days = daysOf(query, now);
    if (days === null) return wrongFields(NO_DAYS);
    const { entries, next } = await browseEntries(deps.sql, filterOf(query, mode, days, now));
    const accounts = entries.map((entry) => entry.account_id);
    const names = await readNames(deps.sql, accounts);
    const items = entries.map((entry) =>
      withCursor(entryFields(entry, names.get(entry.account_id) ?? entry.account_id), () =>
        writeEntryCursor({ at: entry.at.getTime(), accountId: entry.account_id, seq: entry.seq }),
      ),
    );
    return { ok: true as const, items, next: next === null ? null : writeEntryCursor(next) };
  },
});

const showEntry = action({
  path: "GET /ledger/entries/:entry_id",
  summary: "Shows an entry.",
  roles: EVERYBODY,
  params: z.object({ entry_id: id }),
  output: ledgerEntryOutput,
  handler: async ({ deps: { sql }, params }) => {
    const [, accountId, seq] = /^([A-Z0-9]{1,40})-([1-9][0-9]{0,17})$/.exec(params.entry_id) ?? [];
    const entry = accountId !== undefined && seq !== undefined ? await findEntry(sql, accountId, BigInt(seq)) : null;
    if (entry === null) return noSuch("ledger line");
    const names = await readNames(sql, [entry.account_id]);
    return entryFields(entry, names.get(entry.account_id) ?? entry.account_id);
  },
});

function filterOf(query: z.output<typeof entriesQuery>, mode: AccountMode | null, days: Days, now: number): EntriesFilter {
  return {
    mode,
    accountId: query.account_id ?? null,
    orderId: query.order_id ?? null,
    kind: query.kind ?? null,
    fromMilliseconds: days.fromMilliseconds,
    toMilliseconds: Math.min(days.toMilliseconds, now + SOON_MILLISECONDS),
    after: query.after ?? null,
    limit: query.limit,
  };
}

/** Checks of the ledger, its sums, wallets and entries. */
export const ledgerActions: readonly Action[] = [
  showLedgerCheck,
  showContinuousCheck,
  showTrialBalance,
  listLedgerWallets,
  listEntries,
  showEntry,
  showArchivedMonths,
];
