import { setTimeout as delay } from "node:timers/promises";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import { makeWhenFree } from "../../../platform/db/partitions/make-partitions.ts";
import { historyPartitions } from "../../../platform/db/partitions/partitioned-tables.ts";
import { listPartitions } from "../../../platform/db/partitions/read-partitions.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { cellName } from "../cell.ts";
import { readAccountCells } from "../store.ts";
import { copyAccounts, openAccounts, removeAccounts, unfence } from "./copy-account.ts";
import { auditMove, beginMove, findOpenMove, type Move, recordPaused, recordPhase, releaseMove, switchCell } from "./move-store.ts";
import { readMovedTables } from "./moved-tables.ts";
import { CELLS_BUSY, changeUnderLock, type MovesLock, withMovesLock } from "./moves-lock.ts";

export type MoveContext = {
  /** Connections to the cells as the owner of their tables, home first. */
  readonly cells: readonly { readonly cell: number; readonly sql: Sql }[];
  readonly ids: Pick<Ids, "entry">;
  readonly now: () => number;
  readonly actor: string;
  /** Called before each step. A test ends the process here. */
  readonly before?: (step: Step) => Promise<void>;
  readonly note?: (text: string) => void;
  /** How long processes may need until they know that the account is held. */
  readonly knownMilliseconds?: number;
};

export const STEPS = ["begin", "wait", "fence", "copy", "record copy", "switch", "open", "clean", "record end"] as const;
export const CANCEL_STEPS = ["record cancel", "delete copy", "unfence", "release"] as const;
export type Step = (typeof STEPS)[number] | (typeof CANCEL_STEPS)[number];

export type MoveResult = { readonly kind: "done"; readonly move: Move } | { readonly kind: "refused"; readonly reason: string };

// Every process knows of a change within a second, or refuses the account.
const KNOWN_MILLISECONDS = 1_500;
const DRAIN_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 100;

type LockedContext = MoveContext & { readonly lock: MovesLock };

const RUNNING: MoveResult = { kind: "refused", reason: CELLS_BUSY };

/** Moves an account to another cell, or completes a move that was interrupted. Every step may be repeated. */
export async function moveAccount(ctx: MoveContext, accountId: string, toCell: number): Promise<MoveResult> {
  return (await withMovesLock(sqlOf(ctx, 0), (lock) => moveUnderLock({ ...ctx, lock }, accountId, toCell))) ?? RUNNING;
}

async function moveUnderLock(ctx: LockedContext, accountId: string, toCell: number): Promise<MoveResult> {
  const open = await findOpenMove(sqlOf(ctx, 0), accountId);
  if (open !== null && open.toCell !== toCell)
    return { kind: "refused", reason: `The account is on its way to ${cellName(open.toCell)}. Complete or cancel that move first.` };
  const begun = open ?? (await prepare(ctx, accountId, toCell));
  if ("kind" in begun) return begun;
  if (open === null) await step(ctx, "begin", () => change(ctx, 0, (home) => beginMove(home, begun, ctx.actor, at(ctx))));
  const move = begun.phase === "held" ? await copy(ctx, begun) : begun;
  if ("kind" in move) return move;
  if (move.phase !== "switched") await step(ctx, "switch", () => switchWhenKnown(ctx, move));
  await step(ctx, "open", () => change(ctx, toCell, (tx) => openAccounts(tx, move, at(ctx))));
  await step(ctx, "clean", () => change(ctx, move.fromCell, (tx) => empty(ctx, tx, move, toCell)));
  await step(ctx, "record end", () => change(ctx, 0, (home) => recordPhase(home, move, "done", at(ctx))));
  return { kind: "done", move };
}

/** Cancels a move that has not switched the account yet. */
export async function cancelMove(ctx: MoveContext, accountId: string): Promise<MoveResult> {
  return (await withMovesLock(sqlOf(ctx, 0), (lock) => cancelUnderLock({ ...ctx, lock }, accountId))) ?? RUNNING;
}

async function cancelUnderLock(ctx: LockedContext, accountId: string): Promise<MoveResult> {
  const move = await findOpenMove(sqlOf(ctx, 0), accountId);
  if (move === null) return { kind: "refused", reason: "The account is not being moved." };
  if (move.phase === "switched") return { kind: "refused", reason: "The new cell serves the account already. Complete the move." };
  // The copy is about to be incomplete. If this command is interrupted, the move must copy again instead of switching to it.
  await step(ctx, "record cancel", () => change(ctx, 0, (home) => recordPhase(home, move, "held", at(ctx))));
  // A copy that stayed would be counted and listed beside the account itself.
  await step(ctx, "delete copy", () => change(ctx, move.toCell, (tx) => empty(ctx, tx, move, move.fromCell)));
  await step(ctx, "unfence", () => change(ctx, move.fromCell, (tx) => unfenceSource(ctx, tx, move)));
  await step(ctx, "release", () => change(ctx, 0, (home) => releaseMove(home, move, ctx.actor, at(ctx))));
  return { kind: "done", move };
}

async function step(ctx: MoveContext, name: Step, run: () => Promise<unknown>): Promise<void> {
  await ctx.before?.(name);
  await run();
}

/** Every change of a move is made by this function, so that a command that has lost the lock makes none. */
async function change(ctx: LockedContext, cell: number, run: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await changeUnderLock(sqlOf(ctx, cell), ctx.lock, run);
}

function at(ctx: MoveContext): Date {
  return new Date(ctx.now());
}

function sqlOf({ cells }: MoveContext, cell: number): Sql {
  const found = cells.find((one) => one.cell === cell);
  if (!found) throw new Error(`CORPRAIL_CELLS does not name ${cellName(cell)}.`);
  return found.sql;
}

/** Checks that the account can be moved. Nothing is changed. */
async function prepare(ctx: MoveContext, accountId: string, toCell: number): Promise<Move | MoveResult> {
  const fromCell = (await readAccountCells(sqlOf(ctx, 0), [accountId])).get(accountId)?.cell ?? 0;
  const refused = (reason: string): MoveResult => ({ kind: "refused", reason });
  if (fromCell === toCell) return refused(`The account is in ${cellName(toCell)} already.`);
  const [source, target] = [sqlOf(ctx, fromCell), sqlOf(ctx, toCell)];
  const rows = await readAccountAndSandbox(source, accountId);
  if (!rows.some((row) => row.account_id === accountId)) return refused(`There is no account ${accountId}.`);
  const accountIds = rows.map((row) => row.account_id).sort();
  if (await hasOpenApproval(source, accountIds)) return refused("A request for approval about the account is open. Decide it first.");
  const archived = await unequalArchive(source, target);
  if (archived !== null) return refused(`${archived} is archived in one of the two cells only. Run corprail archive move first.`);
  const pausedBefore = rows.filter((row) => row.callbacks_paused).map((row) => row.account_id);
  return { moveId: ctx.ids.entry(ctx.now()), accountId, accountIds, fromCell, toCell, phase: "held", pausedBefore };
}

/** What was made between the checks and the fence, and cannot be moved. Nothing later is confirmed in the old cell. */
async function madeMeanwhile(source: Sql, { accountId, accountIds }: Move): Promise<string | null> {
  // Approvals stay in the old cell, where nobody could decide this one any more.
  if (await hasOpenApproval(source, accountIds))
    return "A request for approval about the account was made meanwhile. Cancel the move with --cancel, and decide it first.";
  const rows = await readAccountAndSandbox(source, accountId);
  if (rows.every((row) => accountIds.includes(row.account_id))) return null;
  return "A sandbox of the account was created meanwhile. Cancel the move with --cancel, and start it again.";
}

async function readAccountAndSandbox(source: Sql, accountId: string) {
  return await source<Pick<Row<"accounts">, "account_id" | "callbacks_paused">[]>`
    select account_id, callbacks_paused from accounts
    where account_id in (
      select ${accountId} union select account_id from sandbox_accounts where sandbox_id = ${accountId}
      union select sandbox_id from sandbox_accounts where account_id = ${accountId})`;
}

async function hasOpenApproval(sql: Queryable, accountIds: readonly string[]): Promise<boolean> {
  const open = await sql`
    select from approvals where account_id = any(${accountIds as string[]}) and state in ('waiting', 'approved') limit 1`;
  return open.length > 0;
}

/** A month that has left one database and is still in the other: the account's rows of it would be counted as archived. */
async function unequalArchive(source: Sql, target: Sql): Promise<string | null> {
  return (await archivedOnlyIn(source, target)) ?? (await archivedOnlyIn(target, source));
}

async function archivedOnlyIn(one: Sql, other: Sql): Promise<string | null> {
  const archived = await one<{ month: string }[]>`select month from archived_months order by month`;
  const known = await other<{ month: string }[]>`select month from archived_months`;
  const names = new Set((await listPartitions(other)).keys());
  const unequal = archived.find(
    ({ month }) => !known.some((row) => row.month === month) && historyPartitions(month).some(({ name }) => names.has(name)),
  );
  return unequal?.month ?? null;
}

/** Waits until every process has the account from the new cell: before, it would refuse its token as unknown. */
async function switchWhenKnown(ctx: LockedContext, move: Move): Promise<void> {
  await delay(ctx.knownMilliseconds ?? KNOWN_MILLISECONDS);
  await change(ctx, 0, (home) => switchCell(home, move, ctx.actor, at(ctx)));
}

/** Returns the move when the accounts are copied, or why they cannot be. */
async function copy(ctx: LockedContext, begun: Move): Promise<Move | MoveResult> {
  const [source, target] = [sqlOf(ctx, begun.fromCell), sqlOf(ctx, begun.toCell)];
  const refused = (reason: string): MoveResult => ({ kind: "refused", reason });
  await step(ctx, "wait", () => waitForOrders(source, begun, ctx.knownMilliseconds ?? KNOWN_MILLISECONDS));
  const move = await notePaused(ctx, source, begun);
  await step(ctx, "fence", () => change(ctx, move.fromCell, (tx) => fence(ctx, tx, move)));
  const late = await madeMeanwhile(source, move);
  if (late !== null) return refused(late);
  const { accountIds, fromCell } = move;
  const copying = { source, target, accountIds, fromCell, actor: ctx.actor, at: at(ctx), lock: ctx.lock };
  // A move that was interrupted may be completed much later, when one of the cells has other partitions and archived months.
  const archived = await unequalArchive(source, target);
  if (archived !== null)
    return refused(`${archived} is archived in one of the two cells only. Cancel the move with --cancel, and run corprail archive move.`);
  await step(ctx, "copy", async () => {
    await preparePartitions(source, target);
    const rows = await copyAccounts(copying);
    ctx.note?.(`${rows} rows were copied to ${cellName(move.toCell)}.`);
  });
  await step(ctx, "record copy", () => change(ctx, 0, (home) => recordPhase(home, move, "copied", at(ctx))));
  return move;
}

/** Reads again whose callbacks are paused, which could be changed until every process knew of the move. The fence pauses all. */
async function notePaused(ctx: LockedContext, source: Sql, move: Move): Promise<Move> {
  const ids = move.accountIds as string[];
  const fenced = await source`select from wallets where account_id = any(${ids}) and moved_to is not null limit 1`;
  if (fenced.length > 0) return move;
  const rows = await source<{ id: string }[]>`select account_id as id from accounts where account_id = any(${ids}) and callbacks_paused`;
  const noted = { ...move, pausedBefore: rows.map(({ id }) => id) };
  await change(ctx, 0, (home) => recordPaused(home, noted));
  return noted;
}

/** Rows in a default partition would have to be moved out of it under a lock that holds up every account of the cell. */
async function preparePartitions(source: Sql, target: Sql): Promise<void> {
  for (const partition of (await listPartitions(source)).values()) await makeWhenFree(target, partition);
}

/** Waits until every process knows, and then a while for orders that are at a provider. The rest is polled in the new cell. */
async function waitForOrders(source: Sql, { accountIds }: Move, knownMilliseconds: number): Promise<void> {
  await delay(knownMilliseconds);
  const deadline = performance.now() + DRAIN_MILLISECONDS;
  while (performance.now() < deadline) {
    const busy = await source`
      select from orders o where o.account_id = any(${accountIds as string[]}) and o.state = 0
        and not exists (select from pending_polls p where p.account_id = o.account_id and p.order_id = o.order_id) limit 1`;
    if (busy.length === 0) return;
    await delay(LOOK_MILLISECONDS);
  }
}

/** From its commit on, no order and no money of the accounts is written in the old cell, whatever a slow process knows. */
async function fence(ctx: MoveContext, tx: Transaction, move: Move): Promise<void> {
  const { accountIds, pausedBefore, toCell } = move;
  const ids = accountIds as string[];
  await tx`select from accounts where account_id = any(${ids}) for no key update`;
  const changed = await tx`
    select from accounts a where account_id = any(${ids}) and callbacks_paused <> (account_id = any(${pausedBefore as string[]}))
      and not exists (select from wallets w where w.account_id = a.account_id and w.moved_to is not null)`;
  if (changed.length > 0) throw new Error("The account's callbacks were paused or resumed meanwhile. Nothing more was done. Run it again.");
  await tx`update accounts set callbacks_paused = true where account_id = any(${ids})`;
  await tx`insert into wallets (account_id) select unnest(${ids}::text[]) on conflict do nothing`;
  await tx`update wallets set moved_to = ${toCell} where account_id = any(${ids})`;
  await auditMove(tx, move, ctx.actor, "account.moved_out", at(ctx));
}

/** The opposite of fence. */
async function unfenceSource(ctx: MoveContext, tx: Transaction, move: Move): Promise<void> {
  await unfence(tx, move);
  await auditMove(tx, move, ctx.actor, "account.moved_back", at(ctx));
}

/** Deletes what a cell has of the accounts. An empty wallet stays, so that nothing can be written there by mistake. */
async function empty(ctx: MoveContext, tx: Transaction, move: Move, movedTo: number): Promise<void> {
  const { accountIds } = move;
  await removeAccounts(tx, await readMovedTables(tx), accountIds);
  for (const accountId of accountIds) await tx`insert into wallets (account_id, moved_to) values (${accountId}, ${movedTo})`;
  await auditMove(tx, move, ctx.actor, "account.copy_deleted", at(ctx));
}
