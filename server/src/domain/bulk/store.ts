import { HOME_CELL } from "../../platform/core/ids.ts";
import { add, moneyOf } from "../../platform/core/money.ts";
import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { AccountMode } from "../accounts/account-mode.ts";
import type { BulkAction, BulkItem, Candidate, Selection } from "./selection.ts";

export type NewSelection = Omit<Selection, "startedAt" | "items" | "amount">;

/** The database that an item's order or callback is in, and with it the item. */
export type ItemCell = { readonly cell: number; readonly sql: Sql };

/** Stores the candidates that are not left out, each in the database of its cell, with its place among all. */
export async function insertSelection(
  cells: readonly ItemCell[],
  selection: NewSelection,
  candidates: readonly Candidate[],
): Promise<Selection> {
  const chosen = candidates.filter(({ skip }) => skip === null).map((one, place) => ({ ...one, place: place + 1 }));
  const amount = chosen.reduce((sum, one) => add(sum, one.amount), moneyOf(0n));
  const stored = { ...selection, startedAt: null, items: chosen.length, amount };
  // Home comes last: what is not there cannot be started.
  for (const { cell, sql } of cells.toReversed()) {
    const own = chosen.filter((one) => one.cell === cell);
    if (own.length > 0 || cell === HOME_CELL) await insertItems(sql, stored, own);
  }
  return stored;
}

type PlacedCandidate = Candidate & { readonly place: number };

async function insertItems(sql: Sql, selection: Selection, chosen: readonly PlacedCandidate[]): Promise<void> {
  const { selectionId, action, mode, madeBy, createdAt, items, amount } = selection;
  await sql.begin(async (tx) => {
    await tx`
      insert into bulk_selections (selection_id, action, mode, made_by, created_at, items, amount)
      values (${selectionId}, ${action}, ${mode}, ${madeBy}, ${new Date(createdAt)}, ${items}, ${amount})`;
    await tx`
      insert into bulk_items (selection_id, place, account_id, item_id, amount, attempt)
      select ${selectionId}, place, account_id, item_id, amount, attempt from unnest(
        ${chosen.map((one) => one.accountId)}::text[], ${chosen.map((one) => one.itemId)}::text[],
        ${chosen.map((one) => String(one.amount))}::bigint[],
        ${chosen.map((one) => one.attempt)}::smallint[], ${chosen.map((one) => one.place)}::int[])
        as i (account_id, item_id, amount, attempt, place)`;
  });
}

export async function findSelection(sql: Queryable, selectionId: string): Promise<Selection | null> {
  const [row] = await sql<Row<"bulk_selections">[]>`
    select selection_id, action, mode, made_by, created_at, started_at, items, amount from bulk_selections
    where selection_id = ${selectionId}`;
  return row
    ? {
        selectionId: row.selection_id,
        action: row.action as BulkAction,
        mode: row.mode as AccountMode | null,
        madeBy: row.made_by,
        createdAt: row.created_at.getTime(),
        startedAt: row.started_at?.getTime() ?? null,
        items: row.items,
        amount: moneyOf(row.amount),
      }
    : null;
}

/** False if the selection was started before. */
export async function markStarted(tx: Transaction, selectionId: string, at: Date): Promise<boolean> {
  const { count } = await tx`
    update bulk_selections set started_at = ${at} where selection_id = ${selectionId} and started_at is null`;
  return count === 1;
}

type ItemRow = Pick<Row<"bulk_items">, "place" | "account_id" | "item_id" | "amount" | "attempt" | "detail"> & {
  readonly state: BulkItem["state"];
};

function toItem(row: ItemRow): BulkItem {
  const { place, account_id: accountId, item_id: itemId, attempt, state, detail } = row;
  return { place, accountId, itemId, amount: moneyOf(row.amount), attempt, state, detail };
}

export type ItemQuery = { readonly state: BulkItem["state"] | null; readonly after: number; readonly limit: number };

/** The items of a selection in their order. */
export async function listItems(sql: Queryable, selectionId: string, { state, after, limit }: ItemQuery): Promise<readonly BulkItem[]> {
  const rows = await sql<ItemRow[]>`
    select place, account_id, item_id, amount, attempt, state, detail from bulk_items
    where selection_id = ${selectionId} and place > ${after} ${state === null ? sql`` : sql`and state = ${state}`}
    order by place limit ${limit}`;
  return rows.map(toItem);
}

/** Locks an item until the transaction ends. False if it has its result already. */
export async function lockWaiting(tx: Transaction, selectionId: string, place: number): Promise<boolean> {
  const rows = await tx`
    select 1 from bulk_items where selection_id = ${selectionId} and place = ${place} and state = 'waiting' for update`;
  return rows.length > 0;
}

export type ItemResult = { readonly place: number; readonly state: "done" | "skipped"; readonly detail: string };

/** Writes the results of items that have none yet. */
export async function writeResults(sql: Queryable, selectionId: string, results: readonly ItemResult[]): Promise<void> {
  await sql`
    update bulk_items i set state = r.state, detail = r.detail
    from unnest(${results.map((one) => one.place)}::int[], ${results.map((one) => one.state)}::text[],
      ${results.map((one) => one.detail)}::text[]) as r (place, state, detail)
    where i.selection_id = ${selectionId} and i.place = r.place and i.state = 'waiting'`;
}

export type ItemCounts = { readonly done: number; readonly skipped: number; readonly waiting: number };

export async function countItems(sql: Queryable, selectionId: string): Promise<ItemCounts> {
  const [row] = await sql<ItemCounts[]>`
    select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'skipped')::int as skipped,
      count(*) filter (where state = 'waiting')::int as waiting
    from bulk_items where selection_id = ${selectionId}`;
  return row ?? { done: 0, skipped: 0, waiting: 0 };
}

/** Deletes the selections of a person that were only previewed. */
export async function deletePreviews(sql: Sql, { madeBy, action }: Pick<Selection, "madeBy" | "action">): Promise<void> {
  await sql`delete from bulk_selections where made_by = ${madeBy} and action = ${action} and started_at is null`;
}

/** Deletes selections that were only previewed, and those whose job is deleted by then. */
export async function sweepSelections(sql: Sql, previewedBefore: Date, startedBefore: Date): Promise<void> {
  await sql`
    delete from bulk_selections where created_at < ${previewedBefore}
      and (started_at is null or started_at < ${startedBefore})
      and not exists (select from approvals a where a.about = 'bulk ' || selection_id and a.state in ('waiting', 'approved'))`;
}

/** Deletes the items in another cell of selections that home no longer has. */
export async function sweepItemsOfCell(home: Sql, cell: Sql, createdBefore: Date): Promise<void> {
  const old = await cell<{ selection_id: string }[]>`select selection_id from bulk_selections where created_at < ${createdBefore}`;
  if (old.length === 0) return;
  const ids = old.map((row) => row.selection_id);
  const known = await home<{ selection_id: string }[]>`select selection_id from bulk_selections where selection_id = any(${ids}::text[])`;
  const gone = ids.filter((id) => !known.some((row) => row.selection_id === id));
  await cell`delete from bulk_selections where selection_id = any(${gone}::text[])`;
}
