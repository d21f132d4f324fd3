import { CELLS_BUSY, withMovesLock } from "@corprail/server/domain/cells/move/moves-lock";
import type { Sql } from "@corprail/server/platform/db/connection";
import { failed, type Outcome } from "../shared/outcome.ts";

/** Runs a command that reads or changes several cells while no account is between two of them. */
export async function withoutMoves(home: Sql, run: () => Promise<Outcome>): Promise<Outcome> {
  const runUnlessOpen = async (): Promise<Outcome> => {
    const open = await home`select from account_moves where phase not in ('done', 'cancelled') limit 1`;
    if (open.length > 0) return failed("The move of an account to another cell was not completed. Complete or cancel it first.");
    return await run();
  };
  return (await withMovesLock(home, runUnlessOpen)) ?? failed(CELLS_BUSY);
}
