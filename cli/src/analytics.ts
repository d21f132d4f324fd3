import { cellName } from "@corprail/server/domain/cells/cell";
import { countRollUpDifferences, rebuildRollUps } from "@corprail/server/domain/reporting/analytics/rebuild";
import { withCells } from "./cell/find-cells.ts";
import { done, failed, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";

const NOTE_EVERY_ORDERS = 200_000;

/** Counts the roll-ups of orders again from the orders, in every cell. */
export async function rebuildAnalytics(ctx: CommandContext): Promise<Outcome> {
  return await withCells(ctx, async (cells) => {
    let orders = 0;
    for (const { cell, sql } of cells) {
      let noted = 0;
      orders += await rebuildRollUps(sql, Date.now, (count) => {
        if (count < noted + NOTE_EVERY_ORDERS) return;
        noted = count;
        ctx.note(`${cellName(cell)}: ${count} orders counted`);
      });
    }
    return done(`The roll-ups were built again from ${orders} orders.`, { orders });
  });
}

/** Compares the roll-ups of every cell with the orders. */
export async function verifyAnalytics(ctx: CommandContext): Promise<Outcome> {
  return await withCells(ctx, async (cells) => {
    let differences = 0;
    for (const { sql } of cells) differences += await countRollUpDifferences(sql);
    if (differences === 0) return done("The roll-ups equal a recount of the orders.", { differences });
    return failed("Some roll-ups differ from the orders. Run corprail analytics rebuild.", { differences });
  });
}
