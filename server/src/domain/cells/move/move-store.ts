import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import { appendAudit } from "../../audit/append.ts";

export type Phase = "held" | "copied" | "switched" | "done" | "cancelled";

export type Move = {
  readonly moveId: string;
  readonly accountId: string;
  readonly accountIds: readonly string[];
  readonly fromCell: number;
  readonly toCell: number;
  readonly phase: Phase;
  readonly pausedBefore: readonly string[];
};

type MoveRow = {
  readonly move_id: string;
  readonly account_id: string;
  readonly account_ids: string[];
  readonly from_cell: number;
  readonly to_cell: number;
  readonly phase: Phase;
  readonly callbacks_paused: string[];
};

/** The unfinished move of an account; null when there is none. */
export async function findOpenMove(home: Queryable, accountId: string): Promise<Move | null> {
  const [row] = await home<MoveRow[]>`
    select move_id, account_id, account_ids, from_cell::int as from_cell, to_cell::int as to_cell, phase, callbacks_paused
    from account_moves where ${accountId} = any(account_ids) and phase not in ('done', 'cancelled')`;
  if (!row) return null;
  const { move_id: moveId, account_id, account_ids: accountIds, from_cell: fromCell, to_cell: toCell, phase } = row;
  return { moveId, accountId: account_id, accountIds, fromCell, toCell, phase, pausedBefore: row.callbacks_paused };
}

/** Begins a move: from now on every process refuses requests about the accounts. */
export async function beginMove(home: Transaction, move: Move, actor: string, at: Date): Promise<void> {
  const { moveId, accountId, fromCell, toCell } = move;
  const ids = move.accountIds as string[];
  await home`
    insert into account_moves (move_id, account_id, account_ids, from_cell, to_cell, phase, callbacks_paused, started_by, started_at, phase_at)
    values (${moveId}, ${accountId}, ${ids}, ${fromCell}, ${toCell}, 'held', ${move.pausedBefore as string[]}, ${actor}, ${at}, ${at})`;
  await home`
    insert into account_cells (account_id, cell, since, held) select id, ${fromCell}, ${at}, true from unnest(${ids}::text[]) as a (id)
    on conflict (account_id) do update set held = true`;
  await auditMove(home, move, actor, "account.held", at);
}

const BEFORE: Readonly<Record<Phase, readonly Phase[]>> = {
  ...{ held: ["held", "copied"], copied: ["held"], switched: ["copied"], done: ["switched"], cancelled: ["held"] },
};

/** Throws if another command has taken the move further, or cancelled it: going on would destroy what was written since. */
export async function recordPhase(home: Transaction, { moveId }: Move, phase: Phase, at: Date): Promise<void> {
  const { count } = await home`
    update account_moves set phase = ${phase}, phase_at = ${at} where move_id = ${moveId} and phase = any(${BEFORE[phase] as string[]})`;
  if (count !== 1) throw new Error("Another command has changed the move of the account meanwhile. Nothing more was done.");
}

/** Records whose callbacks stay paused after the move. */
export async function recordPaused(home: Transaction, { moveId, pausedBefore }: Move): Promise<void> {
  await home`update account_moves set callbacks_paused = ${pausedBefore as string[]} where move_id = ${moveId} and phase = 'held'`;
}

/** The one moment in which the account changes its cell. */
export async function switchCell(home: Transaction, move: Move, actor: string, at: Date): Promise<void> {
  const ids = move.accountIds as string[];
  await recordPhase(home, move, "switched", at);
  await home`update account_cells set cell = ${move.toCell}, since = ${at}, held = false where account_id = any(${ids})`;
  await auditMove(home, move, actor, "account.moved", at);
}

/** Lets the old cell serve the accounts again. */
export async function releaseMove(home: Transaction, move: Move, actor: string, at: Date): Promise<void> {
  await recordPhase(home, move, "cancelled", at);
  await home`update account_cells set held = false where account_id = any(${move.accountIds as string[]})`;
  await auditMove(home, move, actor, "account.move_cancelled", at);
}

/** Processes follow the audit log of every cell, so the entries also make them read again what the cell says of the accounts. */
export async function auditMove(tx: Transaction, move: Move, actor: string, action: string, at: Date): Promise<void> {
  const details = { from_cell: move.fromCell, to_cell: move.toCell };
  for (const id of move.accountIds) await appendAudit(tx, at, { actor, action, subject: { kind: "account", id }, details });
}
