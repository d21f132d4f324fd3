import { HOME_CELL } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";
import { readAccountCells } from "./store.ts";

/** Which cell holds each account, in memory. */
export type AccountCells = {
  readonly cellOf: (accountId: string) => number;
  /** How many accounts each cell beside home has. */
  readonly counts: () => ReadonlyMap<number, number>;
  /** Reads accounts again: their cells have changed, or they are new. */
  readonly reload: (accountIds: readonly string[]) => Promise<void>;
};

export async function loadAccountCells(home: Sql): Promise<AccountCells> {
  const cells = new Map(await readAccountCells(home, "all"));
  return {
    cellOf: (accountId) => cells.get(accountId) ?? HOME_CELL,
    counts: () => {
      const counts = new Map<number, number>();
      for (const cell of cells.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      return counts;
    },
    reload: async (accountIds) => {
      const found = await readAccountCells(home, accountIds);
      for (const accountId of accountIds) cells.set(accountId, found.get(accountId) ?? HOME_CELL);
    },
  };
}

/** Reads the cells of accounts that a change of any cell mentions, so that a new or moved account is known before it is used. */
export function accountCellChanges(cells: AccountCells): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    const accountIds = changes.filter(({ kind }) => kind === "account").map(({ id }) => id);
    if (accountIds.length > 0) await cells.reload([...new Set(accountIds)]);
  };
}
