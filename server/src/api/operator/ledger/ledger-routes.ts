import { z } from "zod";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { browseEntries, type EntriesFilter, findEntry } from "../../../domain/ledger/browse-entries.ts";
import { readCheckStates } from "../../../domain/ledger/check-state-store.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import { MOVES, type MoveKind } from "../../../domain/ledger/moves.ts";
import { largestWallets, listWallets, sumOf, sumWallets } from "../../../domain/ledger/trial-balance.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { type Days, dayField, daysOf, NO_DAYS } from "../../sites/days.ts";
import { idListQuery, toPage, writeIdCursor } from "../../sites/lists.ts";
import { EVERYBODY, may } from "../access.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuseFields } from "../errors.ts";
import { id } from "../fields.ts";
import { left, word } from "../filters.ts";
import type { ZodApp } from "../zod-app.ts";
import { entryCursor, writeEntryCursor } from "./entry-cursor.ts";
import { checkStateFields, entryFields, sideFields, walletFields } from "./ledger-fields.ts";

const MAX_LARGEST_WALLETS = 10;
// The clocks of processes differ slightly.
const SOON_MILLISECONDS = 60 * 60 * 1000;

export function ledgerRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/ledger/check", { config: may(EVERYBODY) }, async () => {
    const began = performance.now();
    const checks = await checkLedger(deps.longWork ?? deps.sql);
    const took = Math.round(performance.now() - began);
    const ok = checks.every((check) => check.violations === 0);
    return { ok, checks, checked_at: indiaDateTime(deps.clock.now()), milliseconds: took };
  });

  app.get("/ledger/continuous-check", { config: may(EVERYBODY) }, async () => {
    const states = await readCheckStates(deps.sql);
    return { ok: states.every((state) => state.violations === 0), processes: states.map(checkStateFields) };
  });

  app.get("/ledger/trial-balance", { config: may(EVERYBODY) }, async () => await trialBalance(deps));
  walletRoutes(app, deps);
  entryRoutes(app, deps);
}

/** Reads everything in one snapshot. */
async function trialBalance({ sql, longWork = sql, clock }: OperatorApiDependencies) {
  return await longWork.begin("isolation level repeatable read read only", async (tx) => {
    const sides = await sumWallets(tx);
    const available = await largestWallets(tx, "available", MAX_LARGEST_WALLETS);
    const held = await largestWallets(tx, "held", MAX_LARGEST_WALLETS);
    const overdraft = await largestWallets(tx, "overdraft", MAX_LARGEST_WALLETS);
    return {
      ok: sides.every((side) => side.unbalanced === 0 && sumOf(side) === 0n),
      at: indiaDateTime(clock.now()),
      live: sideFields(sides.find((side) => !side.sandbox)),
      sandbox: sideFields(sides.find((side) => side.sandbox)),
      heaviest: { available: available.map(walletFields), held: held.map(walletFields), overdraft: overdraft.map(walletFields) },
    };
  });
}

const walletsQuery = idListQuery.extend({ search: left(z.string().trim().min(1).max(120)) });

function walletRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/ledger/wallets", { config: may(EVERYBODY), schema: { querystring: walletsQuery } }, async (request) => {
    const { limit, after, search } = request.query;
    const wallets = await listWallets(deps.sql, { search: search ?? null, after: after ?? null, limit: limit + 1 });
    return toPage(wallets, limit, walletFields, (wallet) => writeIdCursor(wallet.account_id));
  });
}

const kinds = Object.keys(MOVES) as [MoveKind, ...MoveKind[]];
const entriesQuery = idListQuery.extend({
  after: entryCursor.optional(),
  account_id: word,
  order_id: word,
  kind: left(z.enum(kinds)),
  from: left(dayField),
  to: left(dayField),
});
const entryParams = z.object({ entry_id: id });

function entryRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const { sql } = deps;

  app.get("/ledger/entries", { config: may(EVERYBODY), schema: { querystring: entriesQuery } }, async (request, reply) => {
    const now = deps.clock.now();
    const days = daysOf(request.query, now);
    if (days === null) return refuseFields(reply, NO_DAYS);
    const { entries, next } = await browseEntries(sql, filterOf(request.query, days, now));
    const names = await readNames(
      sql,
      entries.map((entry) => entry.account_id),
    );
    const items = entries.map((entry) => entryFields(entry, names.get(entry.account_id) ?? entry.account_id));
    return { ok: true, items, next: next === null ? null : writeEntryCursor(next) };
  });

  app.get("/ledger/entries/:entry_id", { config: may(EVERYBODY), schema: { params: entryParams } }, async (request, reply) => {
    const [, accountId, seq] = /^([A-Z0-9]{1,40})-([1-9][0-9]{0,17})$/.exec(request.params.entry_id) ?? [];
    const entry = accountId !== undefined && seq !== undefined ? await findEntry(sql, accountId, BigInt(seq)) : null;
    if (entry === null) return notFound(reply, "ledger line");
    const names = await readNames(sql, [entry.account_id]);
    return entryFields(entry, names.get(entry.account_id) ?? entry.account_id);
  });
}

function filterOf(query: z.infer<typeof entriesQuery>, days: Days, now: number): EntriesFilter {
  return {
    accountId: query.account_id ?? null,
    orderId: query.order_id ?? null,
    kind: query.kind ?? null,
    fromMilliseconds: days.fromMilliseconds,
    toMilliseconds: Math.min(days.toMilliseconds, now + SOON_MILLISECONDS),
    after: query.after ?? null,
    limit: query.limit,
  };
}
