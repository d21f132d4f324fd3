import type { z } from "zod";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { endRule } from "../../../domain/pricing/end-rule.ts";
import { readImpact } from "../../../domain/pricing/impact.ts";
import { findRule, listRules, type ShownRule } from "../../../domain/pricing/list-rules.ts";
import { agreedBy, NOTHING } from "../../../domain/pricing/rule.ts";
import { readScope, type SetRule, setRule } from "../../../domain/pricing/set-rule.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, MONEY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../refusal.ts";
import { askForRule, askForRuleEnd } from "./ask-for-rule.ts";
import { endBody, impactBody, previewQuery, ruleBody, ruleParams, rulesQuery } from "./fields.ts";
import { pricingImpactOutput, pricingPreviewOutput, ruleOutput } from "./outputs.ts";
import { impactView, ruleView } from "./views.ts";

const listPricing = action({
  path: "GET /pricing",
  summary: "Lists the rules for fees and commissions, newest first.",
  roles: EVERYBODY,
  query: rulesQuery,
  output: pageOf(ruleOutput),
  handler: async ({ deps, query: { limit, after, account_id: accountId, service, operator, state } }) => {
    const filter = { accountId, service, operator: codeOf(deps, operator), state, before: after?.id ?? null, limit: limit + 1 };
    const rules = await withNames(deps, await listRules(deps.sql, filter, deps.clock.now()));
    return toPage(
      rules,
      limit,
      (rule) => ruleView(deps.catalogue, rule),
      (rule) => writeTimeCursor({ at: new Date(rule.createdAt), id: rule.ruleId }),
    );
  },
});

const previewPricing = action({
  path: "GET /pricing/preview",
  summary: "Shows the fee and commission that an order would have now.",
  roles: EVERYBODY,
  query: previewQuery,
  output: pricingPreviewOutput,
  handler: async ({ deps, query }) => {
    const { account_id: accountId, service, amount } = query;
    const operator = codeOf(deps, query.operator) ?? "";
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
  },
});

const showPricingImpact = action({
  path: "POST /pricing/impact",
  summary: "Computes the effect that a rule would have had on the orders of the last days. Changes nothing.",
  roles: MONEY,
  body: impactBody,
  output: pricingImpactOutput,
  cells: SUMMED,
  handler: async ({ deps, body }) => {
    const { fee, commission } = body;
    const scope = await readScope(deps, scopeOf(body));
    if ("kind" in scope) return wrongFields(scope.fields);
    return impactView(await readImpact(deps.sql, deps.pricing.ruleFor, { ...scope, fee, commission }, deps.clock.now()));
  },
});

const showRule = action({
  path: "GET /pricing/:rule_id",
  summary: "Shows a rule.",
  roles: EVERYBODY,
  params: ruleParams,
  output: ruleOutput,
  handler: async ({ deps, params }) => await readRule(deps, params.rule_id),
});

const createRule = action({
  path: "POST /pricing",
  summary: "Sets the fee and commission of orders from a time on. The previous rule for the same orders ends then.",
  roles: MONEY,
  proof: "recent",
  body: ruleBody,
  output: ruleOutput,
  approval: {
    kinds: ["pricing"],
    ask: ({ deps, caller, body }) => askForRule(deps, caller, ruleOf(body)),
  },
  handler: async ({ deps, actor, body }) => {
    const result = await setRule(deps, actor, ruleOf(body));
    return result.kind === "done" ? await readRule(deps, result.ruleId) : wrongFields(result.fields);
  },
});

const endOneRule = action({
  path: "POST /pricing/:rule_id/end",
  summary: "Ends a rule now.",
  roles: MONEY,
  proof: "recent",
  params: ruleParams,
  body: endBody,
  output: ruleOutput,
  approval: {
    kinds: ["pricing_end"],
    ask: ({ deps, caller, params, body }) => askForRuleEnd(deps, caller, { ruleId: params.rule_id, reason: body.reason ?? "" }),
  },
  handler: async ({ deps, actor, params: { rule_id: ruleId }, body }) => {
    const result = await endRule(deps, actor, { ruleId, reason: body.reason ?? "" });
    if (result.kind === "not_found") return noSuch("rule");
    return result.kind === "conflict" ? conflict(result.reason) : await readRule(deps, ruleId);
  },
});

function ruleOf(body: z.output<typeof ruleBody>): SetRule {
  const { fee, commission, valid_from: validFrom, reason = "" } = body;
  return { ...scopeOf(body), fee, commission, validFrom, reason };
}

function scopeOf(body: z.output<typeof impactBody>) {
  return { accountId: body.account_id ?? null, service: body.service, operator: body.operator };
}

/** Resolves an alias to the recharge operator's code. */
function codeOf<Given extends string | undefined>(deps: OperatorApiDependencies, operator: Given): string | Given {
  return operator === undefined ? operator : (deps.catalogue.operator(operator)?.operator ?? operator);
}

async function readRule(deps: OperatorApiDependencies, ruleId: string): Promise<z.output<typeof ruleOutput> | Refusal> {
  const found = await findRule(deps.sql, ruleId, deps.clock.now());
  const [rule] = await withNames(deps, found ? [found] : []);
  return rule ? ruleView(deps.catalogue, rule) : noSuch("rule");
}

/** Adds the names of accounts in other cells. */
async function withNames(deps: OperatorApiDependencies, rules: readonly ShownRule[]): Promise<readonly ShownRule[]> {
  const { sqlOf } = deps;
  if (!sqlOf) return rules;
  const nameOf = async ({ accountId, accountName }: ShownRule) =>
    accountId === null || accountName !== null ? accountName : ((await readNames(sqlOf(accountId), [accountId])).get(accountId) ?? null);
  return await Promise.all(rules.map(async (rule) => ({ ...rule, accountName: await nameOf(rule) })));
}

/** Rules for fees and commissions. */
export const pricingActions: readonly Action[] = [listPricing, previewPricing, showPricingImpact, showRule, createRule, endOneRule];
