import { hash } from "node:crypto";
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
    summary: "Lists an operator's plans, optionally of one circle",
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
      const plans = withNames((given ?? numbering.plansOf(operator.operator, circle)).map(planFields));
      const page = pageOf(plans, input, ({ name }) => name);
      return page.kind === "refused" ? page : { kind: "list", items: page.items.map(({ fields }) => fields), next: page.next };
    },
  });
}

/** Names each plan for the cursor. A provider can have several plans of one price and category, and list one twice. */
function withNames(plans: readonly JsonObject[]): readonly { readonly fields: JsonObject; readonly name: string }[] {
  const seen = new Map<string, number>();
  return plans.map((fields) => {
    const digest = hash("sha256", JSON.stringify(fields), "base64url");
    const position = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, position);
    return { fields, name: `${digest} ${position}` };
  });
}

function planFields(plan: Plan): JsonObject {
  return { ...plan, amount: formatMoney(plan.amount) };
}
