import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";
import type { WorkKind } from "./work-item.ts";

/** Filters a list by who handles an item: a user id, or this for items that nobody handles. Null: every item. */
export const NOBODY = "nobody";
export type AssigneeFilter = string | null;

/** Matches rows by their assignee. `accountId` and `itemId` are columns, such as `o.account_id`. */
export function matchesAssignee(
  sql: Queryable,
  assignedTo: AssigneeFilter,
  { kind, accountId, itemId }: { readonly kind: WorkKind; readonly accountId: Fragment; readonly itemId: Fragment },
): Fragment {
  if (assignedTo === null) return sql`true`;
  const rows = sql`select from work_items i where i.account_id = ${accountId} and i.kind = ${kind} and i.item_id = ${itemId}`;
  if (assignedTo === NOBODY) return sql`not exists (${rows} and i.assigned_to is not null)`;
  return sql`exists (${rows} and i.assigned_to = ${assignedTo})`;
}
