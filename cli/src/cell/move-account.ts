import { cellName } from "@corprail/server/domain/cells/cell";
import { cancelMove, type MoveContext, moveAccount } from "@corprail/server/domain/cells/move/move-account";
import { createServiceClock, type ServiceClock } from "@corprail/server/platform/core/clock";
import { randomIds } from "@corprail/server/platform/core/ids";
import type { Sql } from "@corprail/server/platform/db/connection";
import { readClocks } from "@corprail/server/platform/db/database-clock";
import { actor } from "../shared/actor.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { withCells } from "./find-cells.ts";

export type MoveOptions = { readonly cancel?: boolean };

/** Moves an account with its history to another cell. An interrupted move is completed by running the command again. */
export async function moveToCell(ctx: CommandContext, accountId: string, cell: string, { cancel = false }: MoveOptions): Promise<Outcome> {
  const target = cell === "home" ? 0 : Number(cell);
  if (!Number.isInteger(target)) throw new UsageFault("The cell is a number, or home.");
  return await withCells(ctx, async (cells) => {
    const [home] = cells;
    if (!home) throw new Error("The home cell is missing.");
    if (!cells.some((one) => one.cell === target)) throw new UsageFault(`CORPRAIL_CELLS does not name a cell ${cell}.`);
    const clock = await clockOf(home.sql, ctx.config.clockOffsetSeconds);
    const moving: MoveContext = { cells, ids: randomIds(), now: () => clock.now(), actor: actor(), note: ctx.note };
    const result = cancel ? await cancelMove(moving, accountId) : await moveAccount(moving, accountId, target);
    if (result.kind === "refused") return failed(result.reason);
    const { fromCell, toCell, accountIds } = result.move;
    const words = cancel
      ? `The move was cancelled: ${cellName(fromCell)} serves ${accountId}.`
      : `${accountId} is now in ${cellName(toCell)}.`;
    return done(words, { account_id: accountId, accounts: accountIds, cell: cancel ? fromCell : toCell });
  });
}

/** The clock that the processes follow. This machine's may be wrong, and then orders in progress would be polled much later. */
export async function clockOf(home: Sql, offsetSeconds: number): Promise<ServiceClock> {
  return createServiceClock({ offsetSeconds, reading: await readClocks(home) });
}
