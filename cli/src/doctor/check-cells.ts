import { type CellAddress, cellName } from "@corprail/server/domain/cells/cell";
import { readCellNumbers } from "@corprail/server/domain/cells/store";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { errorText } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { checkDatabase, checkSpace } from "./check-database.ts";
import { type Finding, fail } from "./finding.ts";

/** Checks the database of every cell beside home. The other checks are of home. */
export async function checkCells({ config }: CommandContext, home: Sql): Promise<readonly Finding[]> {
  const named = config.cells.map(({ cell }) => cell);
  const missing = (await readCellNumbers(home)).filter((cell) => !named.includes(cell));
  const unnamed = missing.map((cell) =>
    fail(cellName(cell), "CORPRAIL_CELLS does not name it", "Set CORPRAIL_CELLS as the service has it, and run this again."),
  );
  return [...unnamed, ...(await Promise.all(config.cells.map(checkCell))).flat()];
}

async function checkCell({ cell, url }: CellAddress): Promise<readonly Finding[]> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const findings = [...(await checkDatabase(sql)), ...(await checkSpace(sql))];
    return findings.map((finding) => ({ ...finding, about: `${cellName(cell)} ${finding.about}` }));
  } catch (error) {
    return [fail(cellName(cell), errorText(error), "The accounts of this cell are answered 503 until its database works.")];
  } finally {
    await close();
  }
}
