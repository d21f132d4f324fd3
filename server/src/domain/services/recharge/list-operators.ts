import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Account } from "../../accounts/account.ts";
import type { Operator } from "../../catalog/catalogue.ts";
import { type Route, route } from "../../client-api/route.ts";
import type { OperatorHealth } from "../../providers/health/health.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { replyAmount } from "../fields.ts";
import { type Page, pageInput, pageOf } from "../page.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

/** An operator as clients see it. */
export const operatorItem = z.object({
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

export const listOperatorsInput = z.object({ ...pageInput, kind: z.string().optional() });

type OperatorsContext = Pick<RechargeContext, "catalogue" | "health">;

export function listOperators(ctx: OperatorsContext): Route {
  return route({
    method: "GET",
    path: "/operators",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the recharge operators with their number formats and amounts",
    input: listOperatorsInput,
    reply: z.object({ ok: z.literal(true), items: z.array(operatorItem), next: z.string().nullable() }),
    handle: ({ account, input }) => {
      const page = readOperators(ctx, account, input);
      return page.kind === "refused" ? page : { kind: "list", items: page.items, next: page.next };
    },
  });
}

/** A page of the operators, with their health for the account. */
export function readOperators(
  ctx: OperatorsContext,
  account: Pick<Account, "sandbox">,
  input: z.output<typeof listOperatorsInput>,
): Page<z.output<typeof operatorItem>> | Refusal {
  const operators = ctx.catalogue.operators().filter((one) => input.kind === undefined || one.kind === input.kind);
  const page = pageOf(operators, input, (one) => one.operator);
  if (page.kind === "refused") return page;
  return { ...page, items: page.items.map((one) => operatorItemOf(one, ctx.health(one.operator, account.sandbox))) };
}

function operatorItemOf(operator: Operator, health: OperatorHealth): z.output<typeof operatorItem> {
  return { ...operatorFields(operator), status: operator.enabled ? health.status : "off", success_rate_1h: health.successRate1h };
}

/** What the catalogue says about an operator, for clients and staff. */
export function operatorFields(operator: Operator) {
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
  };
}
