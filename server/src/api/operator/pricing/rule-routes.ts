import type { FastifyReply } from "fastify";
import type { z } from "zod";
import { endRule } from "../../../domain/pricing/end-rule.ts";
import { IMPACT_DAYS, readImpact } from "../../../domain/pricing/impact.ts";
import { findRule, listRules } from "../../../domain/pricing/list-rules.ts";
import { agreedBy, NOTHING } from "../../../domain/pricing/rule.ts";
import { readScope, setRule } from "../../../domain/pricing/set-rule.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { toPage, writeTimeCursor } from "../../sites/lists.ts";
import { EVERYBODY, MONEY, may } from "../access.ts";
import { answerWithApproval } from "../approvals/require-approval.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import type { ZodApp } from "../zod-app.ts";
import { endBody, impactBody, previewQuery, ruleBody, ruleParams, rulesQuery } from "./fields.ts";
import { requireRuleApproval, requireRuleEndApproval } from "./require-approval.ts";
import { impactView, ruleView } from "./views.ts";

/** Rules for fees and commissions. */
export function ruleRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/pricing", { config: may(EVERYBODY), schema: { querystring: rulesQuery } }, async (request) => {
    const { limit, after, account_id: accountId, service, operator, state } = request.query;
    const filter = { accountId, service, operator: codeOf(deps, operator), state, before: after?.id ?? null, limit: limit + 1 };
    const rules = await listRules(deps.sql, filter, deps.clock.now());
    return toPage(
      rules,
      limit,
      (rule) => ruleView(deps.catalogue, rule),
      (rule) => writeTimeCursor({ at: new Date(rule.createdAt), id: rule.ruleId }),
    );
  });

  app.get("/pricing/preview", { config: may(EVERYBODY), schema: { querystring: previewQuery } }, async (request) => {
    const { account_id: accountId, service, amount } = request.query;
    const operator = codeOf(deps, request.query.operator) ?? "";
    const now = deps.clock.now();
    const rule = deps.pricing.ruleFor(accountId, service, operator, now);
    const { fee, commission } = rule ? agreedBy(rule, amount) : NOTHING;
    const shown = rule && (await findRule(deps.sql, rule.ruleId, now));
    return {
      amount: formatMoney(amount),
      fee: formatMoney(fee),
      commission: formatMoney(commission),
      rule: shown && ruleView(deps.catalogue, shown),
    };
  });

  app.post("/pricing/impact", { config: may(MONEY), schema: { body: impactBody } }, async (request, reply) => {
    const { fee, commission } = request.body;
    const scope = await readScope(deps, scopeOf(request.body));
    if ("kind" in scope) return refuseFields(reply, scope.fields);
    const impact = await readImpact(deps.sql, deps.pricing.ruleFor, { ...scope, fee, commission }, deps.clock.now());
    return reply.send({ days: IMPACT_DAYS, ...impactView(impact) });
  });

  app.get("/pricing/:rule_id", { config: may(EVERYBODY), schema: { params: ruleParams } }, async (request, reply) => {
    return await answerRule(deps, reply, request.params.rule_id);
  });

  app.post("/pricing", { config: may(MONEY, "fresh"), schema: { body: ruleBody } }, async (request, reply) => {
    const { fee, commission, valid_from: validFrom, reason } = request.body;
    const input = { ...scopeOf(request.body), fee, commission, validFrom, reason: reason ?? "" };
    const held = await requireRuleApproval({ deps, request }, input);
    if (held?.kind === "invalid") return refuseFields(reply, held.fields);
    if (held) return await answerWithApproval({ deps, request }, reply, held);
    const result = await setRule(deps, actor(request), input);
    return result.kind === "done" ? await answerRule(deps, reply, result.ruleId) : refuseFields(reply, result.fields);
  });

  app.post(
    "/pricing/:rule_id/end",
    { config: may(MONEY, "fresh"), schema: { params: ruleParams, body: endBody } },
    async (request, reply) => {
      const ruleId = request.params.rule_id;
      const reason = request.body.reason ?? "";
      const held = await requireRuleEndApproval({ deps, request }, { ruleId, reason });
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await endRule(deps, actor(request), { ruleId, reason });
      if (result.kind === "not_found") return notFound(reply, "rule");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      return await answerRule(deps, reply, ruleId);
    },
  );
}

function scopeOf(body: z.infer<typeof impactBody>) {
  return { accountId: body.account_id ?? null, service: body.service, operator: body.operator };
}

/** Resolves an alias to the recharge operator's code. */
function codeOf<Given extends string | undefined>(deps: OperatorApiDependencies, operator: Given): string | Given {
  return operator === undefined ? operator : (deps.catalogue.operator(operator)?.operator ?? operator);
}

async function answerRule(deps: OperatorApiDependencies, reply: FastifyReply, ruleId: string): Promise<FastifyReply> {
  const rule = await findRule(deps.sql, ruleId, deps.clock.now());
  return rule ? reply.send(ruleView(deps.catalogue, rule)) : notFound(reply, "rule");
}
