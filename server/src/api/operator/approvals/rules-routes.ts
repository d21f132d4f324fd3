import { z } from "zod";
import { changeRules } from "../../../domain/approvals/change-rules.ts";
import { rulesView } from "../../../domain/approvals/rules.ts";
import { readRules } from "../../../domain/approvals/rules-store.ts";
import { ADMINS, EVERYBODY, may } from "../access.ts";
import { caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { amount, reason } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { answerWithApproval } from "./require-approval.ts";

const rulesBody = z.strictObject({
  wallet_threshold: amount.nullable().optional(),
  order_threshold: amount.nullable().optional(),
  keys_included: z.boolean().optional(),
  pricing_included: z.boolean().optional(),
  providers_included: z.boolean().optional(),
  expire_hours: z.int().min(1).max(720).optional(),
  new_person_hours: z.int().min(0).max(8760).optional(),
  reason,
});

export function approvalRulesRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/approval-rules", { config: may(EVERYBODY) }, async () => rulesView(await readRules(deps.sql)));

  app.post("/approval-rules", { config: may(ADMINS, "fresh"), schema: { body: rulesBody } }, async (request, reply) => {
    const { reason, ...wanted } = request.body;
    const change = {
      walletThreshold: wanted.wallet_threshold,
      orderThreshold: wanted.order_threshold,
      keysIncluded: wanted.keys_included,
      pricingIncluded: wanted.pricing_included,
      providersIncluded: wanted.providers_included,
      expireHours: wanted.expire_hours,
      newPersonHours: wanted.new_person_hours,
    };
    const result = await changeRules(deps.approvals, caller(request), { change, reason });
    return result.kind === "done" ? reply.send(rulesView(result.rules)) : await answerWithApproval({ deps, request }, reply, result);
  });
}
