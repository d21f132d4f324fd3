import type { Asked } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { findRule } from "../../../domain/pricing/list-rules.ts";
import { checkRule, rateDetails, type SetRule } from "../../../domain/pricing/set-rule.ts";
import { type Held, heldOrRefusal } from "../approvals/held.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { type Refusal, wrongFields } from "../refusal.ts";

// A rule has no amount, so it needs approval whenever approvals are on and pricing is included in them.
const NO_ORDER = { amount: null, orderId: null } as const;

/** Requests approval of a new rule, if needed; null lets it be set. An invalid rule is refused here. */
export async function askForRule(deps: OperatorApiDependencies, caller: Caller, rule: SetRule): Promise<Held | Refusal | null> {
  const checked = await checkRule(deps, rule);
  if (checked.kind === "invalid") return wrongFields(checked.fields);
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
  return heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
}

type RuleEnd = { readonly ruleId: string; readonly reason: string };

/** Requests approval of ending a rule, if needed; null lets it end. */
export async function askForRuleEnd(
  deps: OperatorApiDependencies,
  caller: Caller,
  { ruleId, reason }: RuleEnd,
): Promise<Held | Refusal | null> {
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
  return heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
}
