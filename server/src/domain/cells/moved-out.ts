import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";

/**
 * The accounts that have left a cell or are being moved out of it, as the cell's own database records. For a process that cannot
 * reach home this is the only sign that it must not serve an account from the cell's copy.
 */
export type MovedOut = {
  readonly has: (accountId: string) => boolean;
  readonly apply: (changes: readonly Change[]) => Promise<void>;
};

export async function loadMovedOut(sql: Sql, cell: number): Promise<MovedOut> {
  const movedOut = new Set(await readMovedOut(sql, cell, "all"));
  return {
    has: (accountId) => movedOut.has(accountId),
    apply: async (changes) => {
      const accountIds = [...new Set(changes.filter(({ kind }) => kind === "account").map(({ id }) => id))];
      if (accountIds.length === 0) return;
      const found = new Set(await readMovedOut(sql, cell, accountIds));
      for (const accountId of accountIds) {
        if (found.has(accountId)) movedOut.add(accountId);
        else movedOut.delete(accountId);
      }
    },
  };
}

/** A wallet that names its own cell is a copy that the move has not opened yet: the account is coming. */
async function readMovedOut(sql: Sql, cell: number, accountIds: readonly string[] | "all"): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select account_id from wallets where moved_to <> ${cell}
      ${accountIds === "all" ? sql`` : sql`and account_id = any(${accountIds as string[]})`}`;
  return rows.map(({ account_id }) => account_id);
}
