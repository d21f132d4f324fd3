import { z } from "zod";
import { RULE_STATES } from "../../../domain/pricing/list-rules.ts";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { signedDayOutput } from "../../sites/outputs/signing-outputs.ts";

const rate = z.strictObject({
  percent: z.string().meta({ description: "A percentage with two places.", example: "1.25" }),
  flat: moneyText,
  min: moneyText.nullable().describe("The least that the percentage amounts to."),
  max: moneyText.nullable().describe("The most that the percentage amounts to."),
});

/** A rule for the fee and commission of orders. */
export const ruleOutput = z
  .strictObject({
    rule_id: z.string(),
    account_id: z.string().nullable().describe("Null if the rule applies to every account."),
    account_name: z.string().nullable(),
    service: z.string().nullable().describe("Null if the rule applies to every service."),
    operator: z.string().nullable().describe("Null if the rule applies to every operator."),
    operator_name: z.string().nullable(),
    fee: rate,
    commission: rate,
    state: z.enum(RULE_STATES),
    valid_from: timeText,
    ended_at: timeText.nullable().describe("When it ended or ends, manually or by its successor."),
    reason: z.string(),
    created_by: z.string(),
    created_at: timeText,
    ended_by: z.string().nullable(),
  })
  .meta({ id: "PricingRule" });

/** The fee and commission of an order, and the rule that they come from. */
export const pricingPreviewOutput = z
  .strictObject({
    amount: moneyText,
    fee: moneyText,
    commission: moneyText,
    rule: ruleOutput.nullable().describe("Null if no rule applies."),
  })
  .meta({ id: "PricingPreview" });

/** The effect that a rule would have had on the successful orders of the last days. */
export const pricingImpactOutput = z
  .strictObject({
    days: z.int(),
    since: timeText.describe("The start of the counted period."),
    complete: z.boolean().describe("False if there were too many orders to count all days."),
    orders: z.int(),
    accounts: z.int(),
    value: moneyText,
    fee: moneyText.describe("With the proposed rule."),
    commission: moneyText.describe("With the proposed rule."),
    current_fee: moneyText,
    current_commission: moneyText,
  })
  .meta({ id: "PricingImpact" });

const sums = {
  orders: z.int().describe("The number of successful orders."),
  value: moneyText,
  fees: moneyText,
  refunds: moneyText.describe("Amounts and fees that were returned to the wallet."),
  taken_back: moneyText.describe("Credits that were reversed."),
  commission: moneyText,
  commission_back: moneyText,
  net: moneyText.describe("The total change of the balance."),
};

const statementItem = z.strictObject({
  service: z.string(),
  service_name: z.string(),
  operator: z.string(),
  operator_name: z.string(),
  credit: z.boolean().describe("Whether successes credit the wallet."),
  ...sums,
});

/** An account's month. The totals match the ledger. */
export const statementOutput = z
  .strictObject({
    account_id: z.string(),
    account_name: z.string(),
    month: z.string().meta({ description: "YYYY-MM.", example: "2026-11" }),
    from: z.string().describe("The first day, YYYY-MM-DD."),
    to: z.string().describe("The last day, YYYY-MM-DD."),
    complete: z.boolean().describe("Whether the month is over."),
    archived: z
      .boolean()
      .describe("Whether the month's entries are in the archive. Its figures are kept; `corprail archive find` shows the entries."),
    opening_balance: moneyText,
    topups: moneyText,
    adjustments: moneyText.describe("Money that was taken out manually."),
    held_change: moneyText.describe("The change of the held money for pending orders."),
    closing_balance: moneyText,
    items: z.array(statementItem).readonly(),
    totals: z.strictObject({ ...sums, paid: moneyText, received: moneyText }),
    signed_days: z.array(signedDayOutput).readonly().describe("The signed days of the month, oldest first."),
  })
  .meta({ id: "MonthStatement" });
