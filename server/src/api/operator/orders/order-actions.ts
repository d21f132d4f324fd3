import { readNames } from "../../../domain/accounts/read-names.ts";
import { isOfArchivedMonth } from "../../../domain/orders/find-known.ts";
import { browseOrders, findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { readAssignees } from "../../../domain/work/store.ts";
import { dayField, daysOf, NO_DAYS } from "../../sites/days.ts";
import { idListQuery, withCursor, writeIdCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { MERGED_LIST } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { orderParams } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { startStaffJob } from "../jobs/start-staff-job.ts";
import { noSuch, Refusal, wrongFields } from "../refusal.ts";
import { resolveAssignee } from "../work/assignee.ts";
import { exportEvidence } from "./evidence.ts";
import { aroundOrder, orderFields } from "./order-fields.ts";
import { filterOf, orderFilter } from "./order-filter.ts";
import { evidenceOutput, orderOutput, orderRowOutput } from "./outputs.ts";
import { readOrder } from "./read-order.ts";

const MAX_EXPORT_MILLISECONDS = 366 * 24 * 60 * 60 * 1000;

const listOrders = action({
  path: "GET /orders",
  summary: "Lists the orders of all accounts, newest first.",
  roles: EVERYBODY,
  query: idListQuery.extend(orderFilter.shape),
  output: pageOf(orderRowOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller, query }) => {
    const assignedTo = resolveAssignee(caller, query.assigned_to);
    if (assignedTo instanceof Refusal) return assignedTo;
    const now = deps.clock.now();
    const days = daysOf(query, now);
    if (days === null) return wrongFields(NO_DAYS);
    const filter = { ...filterOf(query, caller.mode, days, now), assignedTo, before: query.after ?? null, limit: query.limit };
    const { orders, next } = await browseOrders(deps.sql, filter, now);
    const accounts = orders.map((order) => order.accountId);
    const [names, reversed, assignees] = await Promise.all([
      readNames(deps.sql, accounts),
      findReversed(deps.sql, null, orders),
      readAssignees(
        deps.sql,
        "order",
        orders.map(({ accountId, orderId }) => ({ accountId, itemId: orderId })),
      ),
    ]);
    const items = orders.map((order) => {
      const around = { ...aroundOrder(deps.catalogue, names, reversed, order), assignedTo: assignees.get(order.orderId) ?? null };
      return withCursor(orderFields(order, around), () => writeIdCursor(order.orderId));
    });
    return { ok: true as const, items, next: next === null ? null : writeIdCursor(next) };
  },
});

const exportOrders = action({
  path: "POST /orders/export",
  summary: "Starts a job that writes the orders of a period to a CSV file.",
  roles: WORKERS,
  inTestMode: true,
  body: orderFilter.extend({ from: dayField, to: dayField }).strict(),
  output: jobOutput,
  handler: async ({ deps, caller, actor, body }) => {
    const { mode } = caller;
    const assignedTo = resolveAssignee(caller, body.assigned_to);
    if (assignedTo instanceof Refusal) return assignedTo;
    const now = deps.clock.now();
    const days = daysOf(body, now);
    if (days === null) return wrongFields(NO_DAYS);
    if (days.toMilliseconds - days.fromMilliseconds > MAX_EXPORT_MILLISECONDS)
      return wrongFields({ from: "Must be at most 366 days before the last day." });
    const given = Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const assignee = assignedTo === null ? {} : { assigned_to: assignedTo };
    const input = { ...Object.fromEntries(given), ...assignee, ...(mode === null ? {} : { mode }), at: now };
    return await startStaffJob(deps, actor, { kind: "orders_export", input, action: "orders.exported" });
  },
});

const showOrder = action({
  path: "GET /orders/:order_id",
  summary: "Shows an order with its postings, attempts, callbacks, complaints and timeline.",
  roles: EVERYBODY,
  params: orderParams,
  output: orderOutput,
  handler: async ({ deps, params }) => (await readOrder(deps, params.order_id)) ?? (await missingOrder(deps, params.order_id)),
});

/** Staff find an order of an archived month with the command line. */
async function missingOrder({ sql }: OperatorApiDependencies, orderId: string): Promise<Refusal> {
  if (!(await isOfArchivedMonth(sql, orderId))) return noSuch("order");
  const command = `corprail archive find FOLDER --order ${orderId}`;
  return new Refusal("not_found", `The month of this order is archived. Ask an administrator to find it in the archive: ${command}`);
}

const exportOrderEvidence = action({
  path: "POST /orders/:order_id/evidence",
  summary: "Exports what was said with the providers of an order, for a dispute. The export is audited.",
  roles: WORKERS,
  params: orderParams,
  output: evidenceOutput,
  handler: async ({ deps, actor, params }) => (await exportEvidence(deps, actor, params.order_id)) ?? noSuch("order"),
});

/** Reading and exporting orders. */
export const orderActions: readonly Action[] = [listOrders, exportOrders, showOrder, exportOrderEvidence];
