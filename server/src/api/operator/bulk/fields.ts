import { z } from "zod";
import { MAX_ORDERS } from "../../../domain/bulk/selection.ts";
import { callbackFilter, id, moment, reason } from "../fields.ts";
import { orderFilter } from "../orders/order-filter.ts";

const ids = z.array(id).min(1).max(MAX_ORDERS);
const ONE = "Give either the ids or a filter.";

/** Orders by their ids or by a filter, never both. */
export const ordersBody = z
  .strictObject({ order_ids: ids.optional(), filter: orderFilter.strict().optional() })
  .refine((body) => (body.order_ids === undefined) !== (body.filter === undefined), { path: ["filter"], message: ONE });

const { state, kind, search, account_id } = callbackFilter;

/** Callbacks by their ids or by a filter with a window of time, never both. */
export const callbacksBody = z
  .strictObject({
    callback_ids: ids.optional(),
    filter: z.strictObject({ account_id, state, kind, search, since: moment, until: moment.optional() }).optional(),
  })
  .refine((body) => (body.callback_ids === undefined) !== (body.filter === undefined), { path: ["filter"], message: ONE });

const started = { selection_id: id, count: z.int().min(1).describe("The number that the preview showed.") };

export const startBody = z.strictObject({ ...started, reason });
export const settleBody = z.strictObject({
  ...started,
  amount: z.string().describe("The sum that the preview showed."),
  status: z.enum(["SUCCESS", "FAILED"]),
  reason: z.string().trim().min(1).max(500),
});
