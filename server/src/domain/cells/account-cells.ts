import { setTimeout as delay } from "node:timers/promises";
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
  const read = async (accountIds: readonly string[]) => {
    const found = await readAccountCells(home, accountIds);
    for (const accountId of accountIds) places.set(accountId, found.get(accountId) ?? AT_HOME);
  };
  let last: Promise<void> = Promise.resolve();
  return {
    cellOf: (accountId) => places.get(accountId)?.cell ?? HOME_CELL,
    isHeld: (accountId) => places.get(accountId)?.held ?? false,
    counts: () => {
      const counts = new Map<number, number>();
      for (const { cell } of places.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      return counts;
    },
    // One after the other, so that what an earlier reading found never replaces what a later one found.
    reload: (accountIds) => {
      const reading = last.then(() => read(accountIds));
      last = reading.catch(() => {});
      return reading;
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

const PATIENCE_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Looks accounts up at home that a cell's change feed mentions and that are not known to be in the cell. While home does not
 * answer, it is asked again from time to time, and the cell's other accounts do not wait for it.
 */
export function newAccountChanges(cells: AccountCells, cell: number, onError: (error: unknown) => void) {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const lookUp = async (): Promise<void> => {
    const accountIds = [...waiting];
    try {
      await cells.reload(accountIds);
      for (const accountId of accountIds) waiting.delete(accountId);
    } catch (error) {
      onError(error);
      clearTimeout(timer);
      if (!isClosed) timer = setTimeout(() => void lookUp(), RETRY_MILLISECONDS).unref();
    }
  };
  return {
    apply: async (changes: readonly Change[]): Promise<void> => {
      const unknown = changes.filter(({ kind, id }) => kind === "account" && cells.cellOf(id) !== cell);
      for (const { id } of unknown) waiting.add(id);
      if (unknown.length > 0) await Promise.race([lookUp(), delay(PATIENCE_MILLISECONDS, undefined, { ref: false })]);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
