import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Operator } from "../../catalog/catalogue.ts";
import { type Route, route } from "../../client-api/route.ts";
import type { OperatorHealth } from "../../providers/health/health.ts";
import { replyAmount } from "../fields.ts";
import { pageInput, pageOf } from "../page.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

const operatorItem = z.object({
  operator: z.string(),
  name: z.string(),
  kind: z.string(),
  account_label: z.string(),
  account_pattern: z.string(),
  account_example: z.string(),
  min_amount: replyAmount,
  max_amount: replyAmount,
  denominations: z.array(replyAmount),
  status: z.enum(["up", "slow", "down", "off"]),
  success_rate_1h: z.number().nullable(),
});

export function listOperators(ctx: Pick<RechargeContext, "catalogue" | "health">): Route {
  return route({
    method: "GET",
    path: "/operators",
    service: SERVICE,
    kind: "plain",
    summary: "The recharge operators, with the accounts and amounts they take",
    input: z.object({ ...pageInput, kind: z.string().optional() }),
    reply: z.object({ ok: z.literal(true), items: z.array(operatorItem), next: z.string().nullable() }),
    handle: ({ account, input }) => {
      const operators = ctx.catalogue.operators().filter((one) => input.kind === undefined || one.kind === input.kind);
      const page = pageOf(operators, input, (one) => one.operator);
      if (page.kind === "refused") return page;
      return {
        kind: "list",
        items: page.items.map((one) => operatorFields(one, ctx.health(one.operator, account.sandbox))),
        next: page.next,
      };
    },
  });
}

function operatorFields(operator: Operator, health: OperatorHealth): JsonObject {
  return {
    operator: operator.operator,
    name: operator.name,
    kind: operator.kind,
    account_label: operator.accountLabel,
    account_pattern: operator.accountPattern.source,
    account_example: operator.accountExample,
    min_amount: formatMoney(operator.minAmount),
    max_amount: formatMoney(operator.maxAmount),
    denominations: operator.denominations.map(formatMoney),
    status: operator.enabled ? health.status : "off",
    success_rate_1h: health.successRate1h,
  };
}
