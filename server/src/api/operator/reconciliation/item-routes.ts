import type { FastifyReply } from "fastify";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readHistory } from "../../../domain/orders/queries/read-history.ts";
import { findById } from "../../../domain/orders/store.ts";
import { findItem, type Item, listItems } from "../../../domain/reconciliation/item.ts";
import type { Reconciliation } from "../../../domain/reconciliation/reconciliation.ts";
import { type Changed, reopenItem, resolveItems } from "../../../domain/reconciliation/resolve-items.ts";
import { findReconciliation } from "../../../domain/reconciliation/store.ts";
import { toPage, writeNumberCursor } from "../../sites/lists.ts";
import { EVERYBODY, may, SETTLERS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse } from "../errors.ts";
import { noBody } from "../fields.ts";
import { orderView } from "../orders/order-view.ts";
import type { ZodApp } from "../zod-app.ts";
import { itemParams, itemsQuery, reconciliationParams, resolveAllBody, resolveBody } from "./fields.ts";
import { itemView, lineView } from "./views.ts";

const BASE = "/reconciliations/:reconciliation_id";

export function itemRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get(
    `${BASE}/items`,
    { config: may(EVERYBODY), schema: { params: reconciliationParams, querystring: itemsQuery } },
    async (request, reply) => {
      const id = request.params.reconciliation_id;
      if (!(await findReconciliation(deps.sql, id))) return notFound(reply, "reconciliation");
      const { limit, after, outcome, resolved, can_settle, search } = request.query;
      const filter = { outcome, resolved, search, canSettle: can_settle === undefined ? undefined : true };
      const items = await listItems(deps.sql, id, { ...filter, after: Number(after ?? 0n), limit: limit + 1 });
      return toPage(items, limit, itemView, (item) => writeNumberCursor(BigInt(item.item)));
    },
  );

  app.get(`${BASE}/items/:item`, { config: may(EVERYBODY), schema: { params: itemParams } }, async (request, reply) => {
    return await answerItem(deps, reply, request.params.reconciliation_id, request.params.item);
  });

  app.post(
    `${BASE}/items/:item/resolve`,
    { config: may(SETTLERS), schema: { params: itemParams, body: resolveBody } },
    async (request, reply) => {
      const { reconciliation_id: id, item } = request.params;
      const asked = { reconciliationId: id, which: { item }, note: request.body.note };
      return await answerChanged(deps, reply, { id, item }, await resolveItems(deps, actor(request), asked));
    },
  );

  app.post(
    `${BASE}/items/:item/reopen`,
    { config: may(SETTLERS), schema: { params: itemParams, body: noBody } },
    async (request, reply) => {
      const { reconciliation_id: id, item } = request.params;
      const asked = { reconciliationId: id, item, reason: request.body.reason };
      return await answerChanged(deps, reply, { id, item }, await reopenItem(deps, actor(request), asked));
    },
  );

  app.post(
    `${BASE}/resolve`,
    { config: may(SETTLERS), schema: { params: reconciliationParams, body: resolveAllBody } },
    async (request, reply) => {
      const { outcome, note } = request.body;
      const asked = { reconciliationId: request.params.reconciliation_id, which: { outcome }, note };
      const result = await resolveItems(deps, actor(request), asked);
      if (result.kind === "not_found") return notFound(reply, "reconciliation");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return reply.send({ resolved: result.count });
    },
  );
}

type ItemKey = { readonly id: string; readonly item: number };

async function answerChanged(deps: OperatorApiDependencies, reply: FastifyReply, key: ItemKey, result: Changed): Promise<FastifyReply> {
  if (result.kind === "not_found") return notFound(reply, "line");
  if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
  return await answerItem(deps, reply, key.id, key.item);
}

/** Answers with an item, its line of the file and the current state of our order. */
export async function answerItem(deps: OperatorApiDependencies, reply: FastifyReply, id: string, number: number): Promise<FastifyReply> {
  const of = await findReconciliation(deps.sql, id);
  const item = of && (await findItem(deps.sql, id, number));
  return of && item ? reply.send(await detailOf(deps, of, item)) : notFound(reply, "line");
}

async function detailOf(deps: OperatorApiDependencies, of: Reconciliation, item: Item) {
  const order = item.orderId === null ? null : await findById(deps.sql, item.orderId);
  const [history, account] = order ? await Promise.all([readHistory(deps.sql, order), readAccount(deps, order.accountId)]) : [null, null];
  return {
    ...itemView(item),
    line_cells: lineView(of, item),
    account_name: account?.account.name ?? null,
    here: order && history ? orderView(order, history) : null,
  };
}
