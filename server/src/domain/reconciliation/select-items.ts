import { createHash } from "node:crypto";
import type { Queryable } from "../../platform/db/connection.ts";
import { type ItemFilter, listSettleable, type SettleableOrder } from "./item.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** An item as it was when it was selected. */
export type SelectedItem = { readonly item: number; readonly version: number };

/** The items that a settlement is about, as they were counted. The same items have the same id. */
export type ItemSelection = { readonly selectionId: string; readonly orders: readonly SettleableOrder[] };

/** Stores which items can be settled now. What appears or changes later is not part of the selection. */
export async function selectItems(sql: Queryable, of: Reconciliation, filter: ItemFilter): Promise<ItemSelection> {
  const { reconciliationId: id, jobId } = of;
  const orders = await listSettleable(sql, id, filter);
  const content = orders.map(({ item, version }) => `${item}.${version}`).join(" ");
  const selectionId = createHash("sha256").update(`${jobId} ${content}`).digest("hex").slice(0, 32);
  await sql`
    insert into reconciliation_selected_items (reconciliation_id, selection_id, item, version)
    select ${id}, ${selectionId}, item, version
    from unnest(${orders.map((one) => one.item)}::integer[], ${orders.map((one) => one.version)}::integer[]) as s (item, version)
    on conflict do nothing`;
  return { selectionId, orders };
}

export type SelectionQuery = {
  readonly reconciliationId: string;
  readonly selectionId: string;
  readonly after: number;
  readonly limit: number;
};

export async function listSelected(sql: Queryable, query: SelectionQuery): Promise<readonly SelectedItem[]> {
  return await sql<SelectedItem[]>`
    select item, version from reconciliation_selected_items
    where reconciliation_id = ${query.reconciliationId} and selection_id = ${query.selectionId} and item > ${query.after}
    order by item limit ${query.limit}`;
}
