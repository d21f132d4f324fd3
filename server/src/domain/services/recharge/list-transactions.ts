import { z } from "zod";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import { type Route, route } from "../../client-api/route.ts";
import { archivedMonthsIn } from "../../ledger/archived-months.ts";
import { readWallet } from "../../ledger/store.ts";
import { type Order, stateNumber } from "../../orders/order.ts";
import { listOrders } from "../../orders/store.ts";
import { invalidFields, type Refusal } from "../../shared/refusals.ts";
import { orderReply } from "../fields.ts";
import { nounOf, orderAnswer } from "../order-answer.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import { type Period, periodInput, periodPage, readPeriod } from "./period.ts";

const input = z.object({
  ...periodInput,
  service: z.string().max(64, "is too long").optional(),
  status: z.enum(["SUCCESS", "FAILED", "pending"], "must be SUCCESS, FAILED or pending").optional(),
});
type Input = z.infer<typeof input>;

const item = orderReply.extend({ service: z.string(), created_at: z.string(), updated_at: z.string() });

const ORDER_ID = /^[A-Z0-9]{12,32}$/;

export function listTransactions(ctx: RechargeContext): Route {
  return route({
    method: "GET",
    path: "/transactions",
    service: SERVICE,
    scope: "account",
    kind: "plain",
    summary: "Lists the account's transactions of all services, newest first",
    input,
    reply: z.object({ ok: z.literal(true), items: z.array(item), next: z.string().nullable() }),
    handle: async ({ account, input: asked }) => {
      if (asked.service !== undefined && !ctx.catalogue.hasService(asked.service)) return unknownService(ctx.catalogue);
      const now = ctx.clock.now();
      const period = readPeriod(asked, now, ORDER_ID);
      if (period.kind === "refused") return period;
      const [orders, { available }] = await Promise.all([
        readOrders(ctx, account.accountId, asked, period),
        readWallet(ctx.sql, account.accountId),
      ]);
      const { shown, next } = periodPage(orders, asked.limit, period, (order) => order.orderId);
      return {
        kind: "orders",
        items: shown.map((order) => ({ order: orderAnswer(order, nounOf(ctx.catalogue, order.service), available), more: moreOf(order) })),
        next,
        archivedMonths: await archivedMonthsIn(ctx.sql, period, now),
      };
    },
  });
}

function readOrders(ctx: RechargeContext, accountId: string, asked: Input, period: Period): Promise<readonly Order[]> {
  return listOrders(ctx.sql, {
    accountId,
    fromMilliseconds: period.fromMilliseconds,
    toMilliseconds: period.toMilliseconds,
    service: asked.service ?? null,
    state: asked.status === undefined ? null : stateNumber(asked.status),
    before: period.last,
    limit: asked.limit + 1,
  });
}

function unknownService(catalogue: Catalogue): Refusal {
  return invalidFields({
    service: `must be one of ${catalogue
      .services()
      .map((one) => one.service)
      .join(", ")}`,
  });
}

function moreOf(order: Order): JsonObject {
  return { service: order.service, created_at: indiaDateTime(order.createdAt), updated_at: indiaDateTime(order.updatedAt) };
}
