import type { Asked } from "../../../domain/approvals/approval.ts";
import { type AskResult, askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import type { Invalid } from "../../../domain/pricing/context.ts";
import { findRule } from "../../../domain/pricing/list-rules.ts";
import { checkRule, rateDetails, type SetRule } from "../../../domain/pricing/set-rule.ts";
import type { Call } from "../approvals/require-approval.ts";
import { caller } from "../caller.ts";

// A rule has no amount, so it needs approval whenever approvals are on and pricing is included in them.
const NO_ORDER = { amount: null, orderId: null } as const;

/** Requests approval of a new rule, if needed; null lets it be set. An invalid rule is refused here. */
export async function requireRuleApproval({ deps, request }: Call, rule: SetRule): Promise<AskResult | Invalid | null> {
  const checked = await checkRule(deps, rule);
  if (checked.kind === "invalid") return checked;
  const { accountId, service, operator } = checked.scope;
  const asked: Asked = {
    kind: "pricing",
    about: `pricing ${accountId ?? "*"} ${service ?? "*"} ${operator ?? "*"}`,
    input: {
      account_id: accountId,
      all_accounts: accountId === null,
      service,
      operator,
      fee: rateDetails(rule.fee),
      commission: rateDetails(rule.commission),
      valid_from: rule.validFrom,
      reason: rule.reason,
    },
    accountId,
    ...NO_ORDER,
  };
  return await askIfNeeded(deps.approvals, caller(request), asked);
}

type RuleEnd = { readonly ruleId: string; readonly reason: string };

/** Requests approval of ending a rule, if needed; null lets it end. */
export async function requireRuleEndApproval({ deps, request }: Call, { ruleId, reason }: RuleEnd): Promise<AskResult | null> {
  const rule = await findRule(deps.sql, ruleId, deps.clock.now());
  if (!rule || rule.state === "ended" || rule.endedAt !== null) return null;
  const input = {
    rule_id: ruleId,
    account_id: rule.accountId,
    all_accounts: rule.accountId === null,
    service: rule.service,
    operator: rule.operator,
    fee: rateDetails(rule.fee),
    commission: rateDetails(rule.commission),
    reason,
  };
  const asked: Asked = { kind: "pricing_end", about: `pricing rule ${ruleId}`, input, accountId: rule.accountId, ...NO_ORDER };
  return await askIfNeeded(deps.approvals, caller(request), asked);
}
