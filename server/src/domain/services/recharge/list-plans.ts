import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Plan } from "../../catalog/numbering.ts";
import { type Route, route } from "../../client-api/route.ts";
import { invalidFields, refused } from "../../shared/refusals.ts";
import { operatorField, replyAmount } from "../fields.ts";
import { pageInput, pageOf } from "../page.ts";
import { createRechargeQueries } from "./ask-provider.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

const planItem = z.object({
  amount: replyAmount,
  validity: z.string(),
  data: z.string(),
  talktime: z.string(),
  category: z.string(),
  description: z.string(),
});

export function listPlans(ctx: RechargeContext): Route {
  const ask = createRechargeQueries(ctx);
  return route({
    method: "GET",
    path: "/plans",
    service: SERVICE,
    kind: "plain",
    summary: "What an operator sells everywhere, and in a circle when one is given",
    input: z.object({ ...pageInput, operator: operatorField, circle: z.string().optional() }),
    reply: z.object({ ok: z.literal(true), items: z.array(planItem), next: z.string().nullable() }),
    refusals: ["unknown_operator"],
    handle: async ({ account, input }) => {
      const operator = ctx.catalogue.operator(input.operator);
      const numbering = ctx.catalogue.numbering();
      if (input.circle !== undefined && !numbering.circle(input.circle)) return invalidFields({ circle: "is not a telecom circle" });
      if (!operator) return refused("unknown_operator", `There is no operator ${input.operator}.`);
      const circle = input.circle ?? null;
      const given = await ask(account, operator.operator, ({ plans }) => plans?.(operator.operator, circle) ?? null);
      const page = pageOf(given ?? numbering.plansOf(operator.operator, circle), input, nameOf);
      return page.kind === "refused" ? page : { kind: "list", items: page.items.map(planFields), next: page.next };
    },
  });
}

function nameOf(plan: Plan): string {
  return `${plan.amount} ${plan.category}`;
}

function planFields(plan: Plan): JsonObject {
  return { ...plan, amount: formatMoney(plan.amount) };
}
