import { cellName } from "@corprail/server/domain/cells/cell";
import { readAccountCells, readCellNumbers } from "@corprail/server/domain/cells/store";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { withDatabase } from "../find-database.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { schemaFault } from "../schema.ts";

/** A cell and a connection to its database, as its owner. */
export type ConnectedCell = { readonly cell: number; readonly url: string; readonly sql: Sql };

/** Connects a command to all cells, home first. None may be missing, because a result without one would look complete. */
export async function withCells(ctx: CommandContext, use: (cells: readonly ConnectedCell[]) => Promise<Outcome>): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (homeUrl) => {
    const opened = [{ cell: 0, url: homeUrl }, ...ctx.config.cells].map(({ cell, url }) => ({
      cell,
      url,
      ...connect({ url, connections: 2, role: null }),
    }));
    try {
      const [home, ...others] = opened;
      const fault = home ? ((await schemaFault(home.sql)) ?? (await unnamedCells(ctx, home.sql))) : null;
      if (fault !== null) return failed(fault);
      for (const { cell, sql } of others) {
        const why = await schemaFault(sql);
        if (why !== null) return failed(`${cellName(cell)}: ${why}`);
      }
      return await use(opened);
    } finally {
      await Promise.all(opened.map(({ close }) => close()));
    }
  });
}

/** Why a command cannot see all cells; null when it can. */
async function unnamedCells({ config }: CommandContext, home: Sql): Promise<string | null> {
  const named = config.cells.map(({ cell }) => cell);
  const missing = (await readCellNumbers(home)).filter((cell) => !named.includes(cell));
  if (missing.length === 0) return null;
  return `This installation has ${missing.map(cellName).join(", ")}: set CORPRAIL_CELLS as the service has it.`;
}

/** Why a command that knows one database only must not run; null when home is the only cell. */
export async function severalCellsFault(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ present: boolean }[]>`select to_regclass('cells') is not null as present`;
  const cells = row?.present ? await readCellNumbers(sql) : [];
  if (cells.length === 0) return null;
  return `This installation has ${cells.map(cellName).join(", ")} beside home, and this command does not cover several cells yet. Nothing was done.`;
}

/** The cell that holds an account, as home says. */
export async function cellOfAccount(home: Sql, accountId: string): Promise<number> {
  const place = (await readAccountCells(home, [accountId])).get(accountId);
  if (place?.held) throw new Error(`The account ${accountId} is being moved. Complete the move first: corprail cell move-account`);
  return place?.cell ?? 0;
}
