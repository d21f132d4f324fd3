import type { z } from "zod";
import type { Catalogue } from "../../../domain/catalog/catalogue.ts";
import { IMPACT_DAYS, type Impact } from "../../../domain/pricing/impact.ts";
import type { ShownRule } from "../../../domain/pricing/list-rules.ts";
import type { MonthStatement, StatementItem } from "../../../domain/pricing/month-statement.ts";
import type { SignedDayRow } from "../../../domain/signing/store.ts";
import { indiaDate, indiaDateTime, type Span } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Rate } from "../../../platform/core/rate.ts";
import { signedDayView } from "../../sites/outputs/signing-outputs.ts";
import type { pricingImpactOutput, ruleOutput, statementOutput } from "./outputs.ts";

type RuleFields = z.output<typeof ruleOutput>;
type StatementFields = z.output<typeof statementOutput>;

export function ruleView(catalogue: Catalogue, rule: ShownRule): RuleFields {
  return {
    rule_id: rule.ruleId,
    account_id: rule.accountId,
    account_name: rule.accountName,
    service: rule.service,
    operator: rule.operator,
    operator_name: rule.operator === null ? null : operatorName(catalogue, rule.operator),
    fee: rateView(rule.fee),
    commission: rateView(rule.commission),
    state: rule.state,
    valid_from: indiaDateTime(rule.validFrom),
    ended_at: rule.until === null ? null : indiaDateTime(rule.until),
    reason: rule.reason,
    created_by: rule.createdBy,
    created_at: indiaDateTime(rule.createdAt),
    ended_by: rule.endedBy,
  };
}

function rateView(rate: Rate): RuleFields["fee"] {
  return {
    percent: `${rate.basisPoints / 100n}.${(rate.basisPoints % 100n).toString().padStart(2, "0")}`,
    flat: formatMoney(rate.flat),
    min: rate.least === undefined ? null : formatMoney(rate.least),
    max: rate.most === undefined ? null : formatMoney(rate.most),
  };
}

export function impactView(impact: Impact): z.output<typeof pricingImpactOutput> {
  return {
    days: IMPACT_DAYS,
    since: indiaDateTime(impact.since),
    complete: impact.complete,
    orders: impact.orders,
    accounts: impact.accounts,
    value: money(impact.value),
    fee: money(impact.proposed.fee),
    commission: money(impact.proposed.commission),
    current_fee: money(impact.current.fee),
    current_commission: money(impact.current.commission),
  };
}

type AccountMonth = {
  readonly accountId: string;
  readonly name: string;
  readonly month: string;
  readonly span: Span;
  readonly isOver: boolean;
  readonly isArchived: boolean;
};

export function statementView(
  catalogue: Catalogue,
  of: AccountMonth,
  statement: MonthStatement,
  signedDays: readonly SignedDayRow[],
): StatementFields {
  return {
    account_id: of.accountId,
    account_name: of.name,
    month: of.month,
    from: indiaDate(of.span.fromMilliseconds),
    to: indiaDate(of.span.toMilliseconds - 1),
    complete: of.isOver,
    archived: of.isArchived,
    opening_balance: money(statement.opening),
    topups: money(statement.topUps),
    adjustments: money(statement.adjustments),
    held_change: money(statement.heldChange),
    closing_balance: money(statement.closing),
    items: statement.items.map((item) => ({
      service: item.service,
      service_name: catalogue.hasService(item.service) ? catalogue.service(item.service).name : item.service,
      operator: item.operator,
      operator_name: operatorName(catalogue, item.operator),
      credit: item.credit,
      ...sumsView(item),
    })),
    totals: { ...sumsView(statement.totals), paid: money(statement.totals.paid), received: money(statement.totals.received) },
    signed_days: signedDays.map(signedDayView),
  };
}

function sumsView(sums: Omit<StatementItem, "service" | "operator" | "credit">): Omit<StatementFields["totals"], "paid" | "received"> {
  return {
    orders: sums.orders,
    value: money(sums.value),
    fees: money(sums.fees),
    refunds: money(sums.refunds),
    taken_back: money(sums.takenBack),
    commission: money(sums.commission),
    commission_back: money(sums.commissionBack),
    net: money(sums.net),
  };
}

function operatorName(catalogue: Catalogue, operator: string): string {
  return catalogue.operator(operator)?.name ?? operator;
}

function money(amount: bigint): string {
  return formatMoney(amount);
}
