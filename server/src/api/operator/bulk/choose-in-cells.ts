import type { Chosen } from "../../../domain/bulk/choose-orders.ts";
import type { Candidate, FoundItem } from "../../../domain/bulk/selection.ts";
import type { ItemCell } from "../../../domain/bulk/store.ts";
import { cellName } from "../../../domain/cells/cell.ts";
import { cellOfId, HOME_CELL } from "../../../platform/core/ids.ts";
import { databaseTrouble } from "../../../platform/db/database-errors.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { Refusal } from "../refusal.ts";

export type ChosenInCells = {
  readonly candidates: readonly Candidate[];
  readonly hasMore: boolean;
  /** The cells whose items are not among the candidates, because they do not answer. */
  readonly missing: readonly number[];
};

/** In which order items are carried out, and the most that a selection holds: the newest ones. */
type Limits = { readonly order: "ascending" | "newest first"; readonly most: number };

/** Chooses items in the account's cell, or in all cells that answer. */
export async function chooseInCells(
  deps: OperatorApiDependencies,
  accountId: string | null,
  limits: Limits,
  choose: (deps: OperatorApiDependencies) => Promise<Chosen | Refusal>,
): Promise<ChosenInCells | Refusal> {
  const { cells } = deps;
  if (!cells) {
    const chosen = await choose(deps);
    return chosen instanceof Refusal ? chosen : { ...chosen, candidates: chosen.candidates.map(inCell(HOME_CELL)), missing: [] };
  }
  const asked = accountId === null ? cells.all() : [cells.ofAccount(accountId)];
  const answers = await Promise.all(
    asked.map(async (cell) => ({ cell: numberOf(cell), chosen: await nullIfUnavailable(() => choose(cell)) })),
  );
  const refused = answers.find(({ chosen }) => chosen instanceof Refusal)?.chosen;
  if (refused instanceof Refusal) return refused;
  const found = answers.flatMap(({ cell, chosen }) => (chosen === null || chosen instanceof Refusal ? [] : [{ cell, ...chosen }]));
  const silent = answers.filter(({ chosen }) => chosen === null).map(({ cell }) => cell);
  const missing = [...new Set([...(accountId === null ? cells.missing() : []), ...silent])].sort((one, other) => one - other);
  const items = found.flatMap(({ cell, candidates }) => candidates.map(inCell(cell)));
  const merged = mergeItems(deps, items, limits);
  return {
    candidates: merged.slice(0, limits.most),
    hasMore: found.some(({ hasMore }) => hasMore) || merged.length > limits.most,
    missing,
  };
}

/** The databases of all cells that have been reached, home first. */
export function cellsOfItems({ cells, sql }: OperatorApiDependencies): readonly ItemCell[] {
  return cells?.all().map((cell) => ({ cell: numberOf(cell), sql: cell.sql })) ?? [{ cell: HOME_CELL, sql }];
}

export function numberOf({ ids }: Pick<OperatorApiDependencies, "ids">): number {
  return cellOfId(ids.order(0));
}

/** What a preview says about cells that do not answer. Their items cannot be counted. */
export function missingReasons(missing: readonly number[]): readonly { readonly reason: string; readonly count: number }[] {
  return missing.map((cell) => ({
    reason: `The database of ${cellName(cell)} does not answer. Its items are not part of the selection.`,
    count: 0,
  }));
}

const inCell =
  (cell: number) =>
  (item: FoundItem): Candidate => ({ ...item, cell });

/** The result of the work, or null if its database does not answer. */
async function nullIfUnavailable<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (databaseTrouble(error) === null) throw error;
    return null;
  }
}

/** Every item once. An id that one cell does not know may be another cell's, and a moving account is in two of them. */
function mergeItems(deps: OperatorApiDependencies, items: readonly Candidate[], { order }: Limits): readonly Candidate[] {
  const byId = new Map<string, Candidate>();
  for (const item of items.filter(({ accountId }) => accountId === "")) byId.set(item.itemId, item);
  for (const item of items.filter(({ accountId }) => accountId !== "")) {
    const owner = ownerOf(deps, item.accountId);
    if (owner === null) byId.set(item.itemId, { ...item, skip: item.skip ?? "The account is being moved to another cell." });
    else if (owner === item.cell) byId.set(item.itemId, item);
  }
  const direction = order === "ascending" ? 1 : -1;
  return [...byId.values()].sort((one, other) => (one.itemId < other.itemId ? -direction : direction));
}

/** The account's cell; null while it is being moved. */
function ownerOf({ cells }: OperatorApiDependencies, accountId: string): number | null {
  try {
    return cells ? numberOf(cells.ofAccount(accountId)) : HOME_CELL;
  } catch (error) {
    if (databaseTrouble(error) === null) throw error;
    return null;
  }
}
