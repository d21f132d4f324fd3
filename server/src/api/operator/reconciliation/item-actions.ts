import type { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById } from "../../../domain/orders/store.ts";
import { findItem, type Item, listItems } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { type Changed, reopenItem, resolveItems } from "../../../domain/reconciliation/resolve-items.ts";
import { findReconciliation } from "../../../domain/reconciliation/store.ts";
import { toPage, writeNumberCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noBody } from "../fields.ts";
import { orderView } from "../orders/order-view.ts";
import { conflict, noSuch, type Refusal } from "../refusal.ts";
import { itemParams, itemsQuery, reconciliationParams, resolveAllBody, resolveBody } from "./fields.ts";
import { reconciliationItemDetailOutput, reconciliationItemOutput, resolvedOutput } from "./outputs.ts";
import { itemView, lineView } from "./views.ts";

const listReconciliationItems = action({
  path: "GET /reconciliations/:reconciliation_id/items",
  summary: "Lists the items of a reconciliation in the order of the file.",
  roles: EVERYBODY,
  params: reconciliationParams,
  query: itemsQuery,
  output: pageOf(reconciliationItemOutput),
  handler: async ({ deps, params: { reconciliation_id: id }, query }) => {
    if (!(await findReconciliation(deps.sql, id))) return noSuch("reconciliation");
    const { limit, after, outcome, resolved, can_settle, search } = query;
    const filter = { outcome, resolved, search, canSettle: can_settle === undefined ? undefined : true };
    const items = await listItems(deps.sql, id, { ...filter, after: Number(after ?? 0n), limit: limit + 1 });
    return toPage(items, limit, itemView, (item) => writeNumberCursor(BigInt(item.item)));
  },
});

const showItem = action({
  path: "GET /reconciliations/:reconciliation_id/items/:item",
  summary: "Shows an item with its line of the file and the current state of our order.",
  roles: EVERYBODY,
  params: itemParams,
  output: reconciliationItemDetailOutput,
  handler: async ({ deps, params }) => await readItem(deps, params),
});

const resolveItem = action({
  path: "POST /reconciliations/:reconciliation_id/items/:item/resolve",
  summary: "Marks a difference as resolved, with a note.",
  roles: SETTLERS,
  params: itemParams,
  body: resolveBody,
  output: reconciliationItemDetailOutput,
  handler: async ({ deps, actor, params, body: { note } }) => {
    const asked = { reconciliationId: params.reconciliation_id, which: { item: params.item }, note };
    return await changed(deps, params, await resolveItems(deps, actor, asked));
  },
});

const reopenOneItem = action({
  path: "POST /reconciliations/:reconciliation_id/items/:item/reopen",
  summary: "Marks a resolved difference as unresolved again.",
  roles: SETTLERS,
  params: itemParams,
  body: noBody,
  output: reconciliationItemDetailOutput,
  handler: async ({ deps, actor, params, body: { reason } }) => {
    const asked = { reconciliationId: params.reconciliation_id, item: params.item, reason };
    return await changed(deps, params, await reopenItem(deps, actor, asked));
  },
});

const resolveAllItems = action({
  path: "POST /reconciliations/:reconciliation_id/resolve",
  summary: "Marks all differences with an outcome as resolved, with a note.",
  roles: SETTLERS,
  params: reconciliationParams,
  body: resolveAllBody,
  output: resolvedOutput,
  handler: async ({ deps, actor, params, body: { outcome, note } }) => {
    const asked = { reconciliationId: params.reconciliation_id, which: { outcome }, note };
    const result = await resolveItems(deps, actor, asked);
    if (result.kind === "not_found") return noSuch("reconciliation");
    return result.kind === "conflict" ? conflict(result.reason) : { resolved: result.count };
  },
});

type ItemParams = z.output<typeof itemParams>;
type ItemDetail = z.output<typeof reconciliationItemDetailOutput>;

async function changed(deps: OperatorApiDependencies, params: ItemParams, result: Changed): Promise<ItemDetail | Refusal> {
  if (result.kind === "not_found") return noSuch("line");
  return result.kind === "conflict" ? conflict(result.reason) : await readItem(deps, params);
}

/** Reads an item with its line of the file and the current state of our order. */
export async function readItem(
  deps: OperatorApiDependencies,
  { reconciliation_id: id, item: number }: ItemParams,
): Promise<ItemDetail | Refusal> {
  const of = await findReconciliation(deps.sql, id);
  const item = of && (await findItem(deps.sql, id, number));
  return of && item ? await detailOf(deps, of, item) : noSuch("line");
}

/** The dependencies of the cell that holds an item's account. */
export function inCellOf(deps: OperatorApiDependencies, accountId: string | null): OperatorApiDependencies {
  return accountId === null ? deps : (deps.cells?.ofAccount(accountId) ?? deps);
}

async function detailOf(deps: OperatorApiDependencies, of: Reconciliation, item: Item): Promise<ItemDetail> {
  const cell = inCellOf(deps, item.accountId);
  const order = item.orderId === null ? null : await findById(cell.sql, item.orderId);
  const [history, account] = order ? await Promise.all([readHistory(cell.sql, order), readAccount(cell, order.accountId)]) : [null, null];
  return {
    ...itemView(item),
    line_cells: lineView(of, item),
    account_name: account?.account.name ?? null,
    here: order && history ? orderView(order, history) : null,
  };
}

/** The differences of a reconciliation. */
export const reconciliationItemActions: readonly Action[] = [
  listReconciliationItems,
  showItem,
  resolveItem,
  reopenOneItem,
  resolveAllItems,
];
