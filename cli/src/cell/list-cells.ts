import { cellName } from "@corprail/server/domain/cells/cell";
import { shownDatabaseUrl } from "@corprail/server/platform/db/servers/database-url";
import { done, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";
import { withCells } from "./find-cells.ts";

/** Lists the cells with their accounts. */
export async function listCells(ctx: CommandContext): Promise<Outcome> {
  return await withCells(ctx, async (cells) => {
    const rows = await Promise.all(
      cells.map(async ({ cell, url, sql }) => {
        const [row] = await sql<{ accounts: number; orders_bytes: string }[]>`
          select (select count(*)::int from accounts) as accounts, pg_size_pretty(pg_database_size(current_database())) as orders_bytes`;
        return { cell, name: cellName(cell), database: shownDatabaseUrl(url), accounts: row?.accounts ?? 0, size: row?.orders_bytes ?? "" };
      }),
    );
    const report = table(
      ["CELL", "ACCOUNTS", "SIZE", "DATABASE"],
      rows.map((row) => [row.name, String(row.accounts), row.size, row.database]),
    );
    return done(rows.length === 1 ? "Home is the only cell." : `${rows.length} cells.`, { cells: rows }, report);
  });
}
