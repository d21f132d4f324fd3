import { type Money, moneyOf } from "../../platform/core/money.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { ACCOUNT_MOVED, failure } from "../../platform/db/database-errors.ts";

export type WalletRow = {
  readonly account_id: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly overdraft: bigint;
  readonly day: string;
  readonly day_total: bigint;
};

/** Creates missing wallets and locks all of them in key order. `accountIds` must be sorted. */
export async function lockWallets(sql: Queryable, accountIds: readonly string[]): Promise<readonly WalletRow[]> {
  await sql`
    insert into wallets (account_id) select account_id from unnest(${accountIds as string[]}::text[]) as a (account_id)
    order by account_id on conflict do nothing`;
  const rows = await sql<(WalletRow & { moved_to: number | null })[]>`
    select account_id, available, held, overdraft, day::text as day, day_total, moved_to
    from wallets where account_id = any(${accountIds as string[]}) order by account_id for update`;
  const moved = rows.find(({ moved_to: cell }) => cell !== null);
  if (moved) throw failure(ACCOUNT_MOVED, `The account ${moved.account_id} is in cell ${moved.moved_to} now, or on its way there.`);
  return rows;
}

/**
 * Throws unless this cell has the account and is not the one that a move leaves. Called after a write that does not touch the
 * wallet: a move that begins later copies what was written, and otherwise the write is lost and must be made in the other cell.
 */
export async function requireInThisCell(sql: Queryable, accountId: string): Promise<void> {
  const rows = await sql`select from wallets where account_id = ${accountId} and moved_to is null`;
  if (rows.length === 0) throw movedAway(accountId);
}

/**
 * Throws if the account has left this cell or is about to. Called when everything is committed and before it is acknowledged: a
 * move that begins later copies what was written, and what was read until then was not outdated.
 */
export async function requireNotMoved(sql: Queryable, accountId: string): Promise<void> {
  // An account may have no wallet yet, unlike one that has moved.
  const rows = await sql`select from wallets where account_id = ${accountId} and moved_to is not null`;
  if (rows.length > 0) throw movedAway(accountId);
}

/** The error of a write about an account that this cell does not serve, or not any more. */
export function movedAway(accountId: string): Error {
  return failure(ACCOUNT_MOVED, `The account ${accountId} is in another cell now, or on its way there.`);
}

/** Returns the wallets that another session has locked at this moment. */
export async function findLockedWallets(sql: Queryable, accountIds: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string }[]>`
    with free as (select account_id from wallets where account_id = any(${accountIds as string[]}) for no key update skip locked)
    select account_id from wallets where account_id = any(${accountIds as string[]}) except select account_id from free`;
  return rows.map((row) => row.account_id);
}

/** Limits how long the transaction waits for each lock. A transaction that exceeds it has written nothing. */
export async function boundLockWaits(tx: Queryable, milliseconds: number): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
}

export type WalletView = { readonly available: Money; readonly held: Money };

/** Available and held money of an account; zero before its first transfer. */
export async function readWallet(sql: Queryable, accountId: string): Promise<WalletView> {
  const [row] = await sql<{ available: bigint; held: bigint }[]>`select available, held from wallets where account_id = ${accountId}`;
  return { available: moneyOf(row?.available ?? 0n), held: moneyOf(row?.held ?? 0n) };
}

/** The same for several accounts; accounts without a transfer are missing. */
export async function readWallets(sql: Queryable, accountIds: readonly string[]): Promise<ReadonlyMap<string, WalletView>> {
  const rows = await sql<{ account_id: string; available: bigint; held: bigint }[]>`
    select account_id, available, held from wallets where account_id = any(${accountIds as string[]}::text[])`;
  return new Map(rows.map((row) => [row.account_id, { available: moneyOf(row.available), held: moneyOf(row.held) }]));
}

/** The largest amount that can be debited now, including the overdraft. */
export async function readSpendable(sql: Queryable, accountId: string): Promise<Money> {
  const [row] = await sql<{ spendable: bigint }[]>`select available + overdraft as spendable from wallets where account_id = ${accountId}`;
  return moneyOf(row?.spendable ?? 0n);
}

/** The sum of today's recharges that are not FAILED. */
export async function readDayTotal(sql: Queryable, accountId: string, today: string): Promise<Money> {
  const [row] = await sql<{ day_total: bigint }[]>`select day_total from wallets where account_id = ${accountId} and day = ${today}`;
  return moneyOf(row?.day_total ?? 0n);
}

export type FoundTopUp = { readonly accountId: string; readonly reference: string; readonly amount: bigint; readonly entry: string };

/** Finds top-ups and debits with these references. */
export async function findTopUps(
  sql: Queryable,
  wanted: readonly { readonly accountId: string; readonly reference: string }[],
): Promise<readonly FoundTopUp[]> {
  if (wanted.length === 0) return [];
  const rows = await sql<{ account_id: string; reference: string; kind: string; amount: bigint; seq: bigint }[]>`
    select t.account_id, t.reference, t.kind, t.amount, t.seq from transfer_references t
    join unnest(${wanted.map((one) => one.accountId)}::text[], ${wanted.map((one) => one.reference)}::text[]) as w (account_id, reference)
      on t.account_id = w.account_id and t.reference = w.reference and t.kind <> 'refund'`;
  return rows.map((row) => ({
    accountId: row.account_id,
    reference: row.reference,
    amount: row.kind === "debit" ? -row.amount : row.amount,
    entry: entryId(row.account_id, row.seq),
  }));
}

/** A transfer's id in statements. */
export function entryId(accountId: string, seq: bigint): string {
  return `${accountId}-${seq}`;
}
