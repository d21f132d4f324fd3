import { z } from "zod";
import { readNames } from "../../accounts/read-names.ts";
import type { BrowseFilter } from "../../orders/browse-filter.ts";
import { browseOrders, findReversed } from "../../orders/browse-orders.ts";
import { requeryOrder } from "../../orders/requery-order.ts";
import { type Days, dayField, daysOf, NO_DAYS } from "../../site-kit/days.ts";
import { idListQuery, writeIdCursor } from "../../site-kit/lists.ts";
import { EVERYBODY, may, SETTLERS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import { noBody, orderParams } from "../fields.ts";
import { left, word } from "../filters.ts";
import type { ZodApp } from "../zod-app.ts";
import { answerOrder } from "./answer-order.ts";
import { aroundOrder, orderFields } from "./order-fields.ts";

const MINUTES = /^[1-9][0-9]{0,5}$/;
const MINUTE_MILLISECONDS = 60_000;

const ordersQuery = idListQuery.extend({
  account_id: word,
  service: word,
  operator: word,
  provider: word,
  status: left(z.enum(["SUCCESS", "FAILED", "pending", "Reversed"])),
  in_doubt: left(z.literal("true")),
  needs_human: left(z.literal("true")),
  min_age: left(z.string().regex(MINUTES, "Must be a whole number of minutes.").transform(Number)),
  search: left(z.string().trim().min(1).max(64)),
  from: left(dayField),
  to: left(dayField),
});

type OrdersQuery = z.infer<typeof ordersQuery>;

export function orderRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/orders", { config: may(EVERYBODY), schema: { querystring: ordersQuery } }, async (request, reply) => {
    const { query } = request;
    const now = deps.clock.now();
    const days = daysOf(query, now);
    if (days === null) return refuseFields(reply, NO_DAYS);
    const { orders, next } = await browseOrders(deps.sql, filterOf(query, days, now), now);
    const accounts = orders.map((order) => order.accountId);
    const [names, reversed] = await Promise.all([readNames(deps.sql, accounts), findReversed(deps.sql, null, orders)]);
    const items = orders.map((order) => orderFields(order, aroundOrder(deps.catalogue, names, reversed, order)));
    return { ok: true, items, next: next === null ? null : writeIdCursor(next) };
  });

  app.post(
    "/orders/:order_id/requery",
    { config: may(SETTLERS), schema: { params: orderParams, body: noBody } },
    async (request, reply) => {
      const orderId = request.params.order_id;
      const result = await requeryOrder(deps.orders, actor(request), orderId);
      if (result.kind === "not_found") return notFound(reply, "order");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      const { provider, said, detail, applied } = result;
      return await answerOrder(deps, reply, orderId, { finding: { provider, said, detail, applied } });
    },
  );
}

function filterOf(query: OrdersQuery, days: Days, now: number): BrowseFilter {
  const youngest = query.min_age === undefined ? days.toMilliseconds : now - query.min_age * MINUTE_MILLISECONDS;
  return {
    accountId: query.account_id ?? null,
    fromMilliseconds: days.fromMilliseconds,
    toMilliseconds: Math.min(days.toMilliseconds, youngest),
    service: query.service ?? null,
    operator: query.operator ?? null,
    provider: query.provider ?? null,
    status: query.status ?? null,
    doubt: doubtOf(query),
    search: query.search ?? null,
    before: query.after ?? null,
    limit: query.limit,
  };
}

function doubtOf({ in_doubt: inDoubt, needs_human: needsHuman }: OrdersQuery): BrowseFilter["doubt"] {
  if (needsHuman !== undefined) return "for a person";
  return inDoubt === undefined ? null : "any";
}
