import { HOME_CELL } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Change } from "../audit/feed.ts";
import { type AccountPlace, readAccountCells } from "./store.ts";

/** Which cell holds each account, in memory. */
export type AccountCells = {
  readonly cellOf: (accountId: string) => number;
  /** Whether the account is being moved, so that nothing may be written for it. */
  readonly isHeld: (accountId: string) => boolean;
  /** How many accounts each cell beside home has. */
  readonly counts: () => ReadonlyMap<number, number>;
  /** Reads accounts again: their cells have changed, or they are new. */
  readonly reload: (accountIds: readonly string[]) => Promise<void>;
};

const AT_HOME: AccountPlace = { cell: HOME_CELL, held: false };

export async function loadAccountCells(home: Sql): Promise<AccountCells> {
  const places = new Map(await readAccountCells(home, "all"));
  return {
    cellOf: (accountId) => places.get(accountId)?.cell ?? HOME_CELL,
    isHeld: (accountId) => places.get(accountId)?.held ?? false,
    counts: () => {
      const counts = new Map<number, number>();
      for (const { cell } of places.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      return counts;
    },
    reload: async (accountIds) => {
      const found = await readAccountCells(home, accountIds);
      for (const accountId of accountIds) places.set(accountId, found.get(accountId) ?? AT_HOME);
    },
  };
}

/** Reads the cells of accounts that a change at home mentions, so that a moved account is known before it is used. */
export function accountCellChanges(cells: AccountCells): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    const accountIds = changes.filter(({ kind }) => kind === "account").map(({ id }) => id);
    if (accountIds.length > 0) await cells.reload([...new Set(accountIds)]);
  };
}
