import { cellName } from "@corprail/server/domain/cells/cell";
import { claimCell, registerCell } from "@corprail/server/domain/cells/store";
import { connect } from "@corprail/server/platform/db/connection";
import { migrate } from "@corprail/server/platform/db/schema/migrate";
import { schemaFault } from "../schema.ts";
import { withDatabase } from "../shared/find-database.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

/** Prepares the database of a cell that CORPRAIL_CELLS names: its schema, its identity, and its entry at home. */
export async function addCell(ctx: CommandContext, number: string): Promise<Outcome> {
  const address = ctx.config.cells.find(({ cell }) => String(cell) === number);
  if (!address) throw new UsageFault(`CORPRAIL_CELLS does not name a cell ${number}. Add it, such as ${number}=postgres://host/database.`);
  const { cell, url } = address;
  return await withDatabase(ctx, "existing", async (homeUrl) => {
    const home = connect({ url: homeUrl, connections: 1, role: null });
    try {
      const fault = await schemaFault(home.sql);
      if (fault !== null) return failed(fault);
      const { applied } = await migrate(url);
      const database = connect({ url, connections: 1, role: null });
      try {
        await claimCell(home.sql, database.sql, cell);
      } finally {
        await database.close();
      }
      await registerCell(home.sql, cell, new Date());
      const words = `${cellName(cell)} is ready. Restart every process with this CORPRAIL_CELLS; new accounts then go to the cell with the fewest.`;
      return done(words, { cell, applied });
    } finally {
      await home.close();
    }
  });
}
