import { countRollUpDifferences, rebuildRollUps } from "@corprail/server/domain/reporting/analytics/rebuild";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { withDatabase } from "./find-database.ts";
import { done, failed, type Outcome } from "./outcome.ts";
import type { CommandContext } from "./run-command.ts";
import { schemaFault } from "./schema.ts";

const NOTE_EVERY_ORDERS = 200_000;

/** Counts the roll-ups of orders again from the orders. */
export async function rebuildAnalytics(ctx: CommandContext): Promise<Outcome> {
  return await onDatabase(ctx, async (sql) => {
    let noted = 0;
    const orders = await rebuildRollUps(sql, Date.now, (count) => {
      if (count < noted + NOTE_EVERY_ORDERS) return;
      noted = count;
      ctx.note(`${count} orders counted`);
    });
    return done(`The roll-ups were built again from ${orders} orders.`, { orders });
  });
}

/** Compares the roll-ups with the orders. */
export async function verifyAnalytics(ctx: CommandContext): Promise<Outcome> {
  return await onDatabase(ctx, async (sql) => {
    const differences = await countRollUpDifferences(sql);
    if (differences === 0) return done("The roll-ups equal a recount of the orders.", { differences });
    return failed("Some roll-ups differ from the orders. Run corprail analytics rebuild.", { differences });
  });
}

async function onDatabase(ctx: CommandContext, work: (sql: Sql) => Promise<Outcome>): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (url) => {
    const { sql, close } = connect({ url, connections: 1, role: null });
    try {
      const fault = await schemaFault(sql);
      return fault === null ? await work(sql) : failed(fault);
    } finally {
      await close();
    }
  });
}
