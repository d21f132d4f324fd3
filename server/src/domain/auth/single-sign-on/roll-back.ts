import type { Transaction } from "../../../platform/db/connection.ts";
import type { Conflict, Done } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";

export type Invalid = { readonly kind: "invalid"; readonly fields: Readonly<Record<string, string>> };

/** Runs a transaction of which nothing remains unless it is done. */
export async function orRolledBack<Result extends Done | Invalid | Conflict>(
  { sql }: AuthContext,
  act: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    const ran: { readonly result: Result } = await sql.begin(async (tx) => {
      const result = await act(tx);
      if (result.kind !== "done") throw new RolledBack(result);
      return { result };
    });
    return ran.result;
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result;
    throw error;
  }
}

class RolledBack extends Error {
  readonly result: Invalid | Conflict | Done;

  constructor(result: Invalid | Conflict | Done) {
    super("The change is refused.");
    this.result = result;
  }
}
