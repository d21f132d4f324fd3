import { readNames } from "../../../domain/accounts/read-names.ts";
import { browseOrders, findReversed } from "../../../domain/orders/queries/browse-orders.ts";
import { requeryOrder } from "../../../domain/orders/recovery/requery-order.ts";
import { dayField, daysOf, NO_DAYS } from "../../sites/days.ts";
import { idListQuery, writeIdCursor } from "../../sites/lists.ts";
import { EVERYBODY, may, SETTLERS, WORKERS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import { noBody, orderParams } from "../fields.ts";
import { startStaffJob } from "../jobs/start-staff-job.ts";
import type { ZodApp } from "../zod-app.ts";
import { answerOrder } from "./answer-order.ts";
import { aroundOrder, orderFields } from "./order-fields.ts";
import { filterOf, orderFilter } from "./order-filter.ts";

const ordersQuery = idListQuery.extend(orderFilter.shape);
const exportBody = orderFilter.extend({ from: dayField, to: dayField }).strict();
const MOST_EXPORT_MILLISECONDS = 366 * 24 * 60 * 60 * 1000;

export function orderRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/orders", { config: may(EVERYBODY), schema: { querystring: ordersQuery } }, async (request, reply) => {
    const { query } = request;
    const now = deps.clock.now();
    const days = daysOf(query, now);
    if (days === null) return refuseFields(reply, NO_DAYS);
    const { orders, next } = await browseOrders(
      deps.sql,
      { ...filterOf(query, days, now), before: query.after ?? null, limit: query.limit },
      now,
    );
    const accounts = orders.map((order) => order.accountId);
    const [names, reversed] = await Promise.all([readNames(deps.sql, accounts), findReversed(deps.sql, null, orders)]);
    const items = orders.map((order) => orderFields(order, aroundOrder(deps.catalogue, names, reversed, order)));
    return { ok: true, items, next: next === null ? null : writeIdCursor(next) };
  });

  app.post("/orders/export", { config: may(WORKERS), schema: { body: exportBody } }, async (request, reply) => {
    const now = deps.clock.now();
    const days = daysOf(request.body, now);
    if (days === null) return refuseFields(reply, NO_DAYS);
    if (days.toMilliseconds - days.fromMilliseconds > MOST_EXPORT_MILLISECONDS)
      return refuseFields(reply, { from: "Must be at most 366 days before the last day." });
    const asked = Object.entries(request.body).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const input = { ...Object.fromEntries(asked), at: now };
    return await startStaffJob(deps, request, reply, { kind: "orders_export", input, action: "orders.exported" });
  });

  app.post(
    "/orders/:order_id/requery",
    { config: may(SETTLERS), schema: { params: orderParams, body: noBody } },
    async (request, reply) => {
      const orderId = request.params.order_id;
      const result = await requeryOrder(deps.orders, actor(request), orderId, request.body.reason);
      if (result.kind === "not_found") return notFound(reply, "order");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      const { provider, said, detail, applied } = result;
      return await answerOrder(deps, reply, orderId, { finding: { provider, said, detail, applied } });
    },
  );
}
