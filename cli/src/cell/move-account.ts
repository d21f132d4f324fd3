import { cellName } from "@corprail/server/domain/cells/cell";
import { cancelMove, type MoveContext, moveAccount } from "@corprail/server/domain/cells/move/move-account";
import { randomIds } from "@corprail/server/platform/core/ids";
import { actor } from "../actor.ts";
import { done, failed, type Outcome, UsageFault } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { withCells } from "./find-cells.ts";

export type MoveOptions = { readonly cancel?: boolean };

/** Moves an account with its history to another cell. An interrupted move is completed by running the command again. */
export async function moveToCell(ctx: CommandContext, accountId: string, cell: string, { cancel = false }: MoveOptions): Promise<Outcome> {
  const target = cell === "home" ? 0 : Number(cell);
  if (!Number.isInteger(target)) throw new UsageFault("The cell is a number, or home.");
  return await withCells(ctx, async (cells) => {
    if (!cells.some((one) => one.cell === target)) throw new UsageFault(`CORPRAIL_CELLS does not name a cell ${cell}.`);
    const moving: MoveContext = { cells, ids: randomIds(), now: Date.now, actor: actor(), note: ctx.note };
    const result = cancel ? await cancelMove(moving, accountId) : await moveAccount(moving, accountId, target);
    if (result.kind === "refused") return failed(result.reason);
    const { fromCell, toCell, accountIds } = result.move;
    const words = cancel
      ? `The move was cancelled: ${cellName(fromCell)} serves ${accountId}.`
      : `${accountId} is now in ${cellName(toCell)}.`;
    return done(words, { account_id: accountId, accounts: accountIds, cell: cancel ? fromCell : toCell });
  });
}
