import { cellName } from "@corprail/server/domain/cells/cell";
import { readAccountCells, readCellNumbers } from "@corprail/server/domain/cells/store";
import { HOME_CELL } from "@corprail/server/platform/core/ids";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { schemaFault } from "../schema.ts";
import { withDatabase } from "../shared/find-database.ts";
import { failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

// A move holds two locks on home, each on a connection of its own, reads on the third and confirms a lock on the fourth.
const CONNECTIONS = 4;

/** A cell and a connection to its database, as its owner. */
export type ConnectedCell = { readonly cell: number; readonly url: string; readonly sql: Sql };

/** Connects a command to all cells, home first. None may be missing, because a result without one would look complete. */
export async function withCells(ctx: CommandContext, use: (cells: readonly ConnectedCell[]) => Promise<Outcome>): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (url) => {
    const home = connect({ url, connections: CONNECTIONS, role: null });
    try {
      const fault = await schemaFault(home.sql);
      if (fault !== null) return failed(fault);
      return await withOtherCells(ctx, home.sql, (others) => use([{ cell: HOME_CELL, url, sql: home.sql }, ...others]));
    } finally {
      await home.close();
    }
  });
}

/** Connects a command that has home to all other cells. */
export async function withOtherCells(
  ctx: CommandContext,
  home: Sql,
  use: (others: readonly ConnectedCell[]) => Promise<Outcome>,
): Promise<Outcome> {
  const unnamed = await unnamedCells(ctx, home);
  if (unnamed !== null) return failed(unnamed);
  const opened = ctx.config.cells.map(({ cell, url }) => ({ cell, url, ...connect({ url, connections: CONNECTIONS, role: null }) }));
  try {
    for (const { cell, sql } of opened) {
      const why = (await schemaFault(sql)) ?? (await strangerFault(home, sql, cell));
      if (why !== null) return failed(`${cellName(cell)}: ${why}`);
    }
    return await use(opened);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/** Why a database is not this cell of the installation; null when it is. */
async function strangerFault(home: Sql, sql: Sql, cell: number): Promise<string | null> {
  const [[own], [found]] = await Promise.all([home<Identity[]>`select installation_id from installation`, readIdentity(sql)]);
  if (!own || !found) return "This database was not added to the installation yet. Run: corprail cell add";
  if (found.installation_id !== own.installation_id) return "This database belongs to another installation.";
  return found.cell === cell ? null : `This database is ${cellName(found.cell)}.`;
}

type Identity = { readonly installation_id: string; readonly cell: number };

async function readIdentity(sql: Sql): Promise<readonly Identity[]> {
  return await sql<Identity[]>`select installation_id, cell::int as cell from installation`;
}

/** Why a command cannot see all cells; null when it can. */
export async function unnamedCells({ config }: CommandContext, home: Sql): Promise<string | null> {
  const named = config.cells.map(({ cell }) => cell);
  const [row] = await home<{ present: boolean }[]>`select to_regclass('cells') is not null as present`;
  const missing = row?.present ? (await readCellNumbers(home)).filter((cell) => !named.includes(cell)) : [];
  if (missing.length === 0) return null;
  return `This installation has ${missing.map(cellName).join(", ")}: set CORPRAIL_CELLS as the service has it.`;
}

/** The cell that holds an account, as home says. */
export async function cellOfAccount(home: Sql, accountId: string): Promise<number> {
  const place = (await readAccountCells(home, [accountId])).get(accountId);
  if (place?.held) throw new Error(`The account ${accountId} is being moved. Complete the move first: corprail cell move-account`);
  return place?.cell ?? 0;
}
