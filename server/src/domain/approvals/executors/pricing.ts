import { type Money, parseMoney } from "../../../platform/core/money.ts";
import type { Rate } from "../../../platform/core/rate.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import type { PricingContext } from "../../pricing/context.ts";
import { endRuleIn } from "../../pricing/end-rule.ts";
import { type SetRule, setRuleIn } from "../../pricing/set-rule.ts";
import { approvedDetails } from "../approval.ts";
import type { Executor } from "../context.ts";
import { text } from "./input.ts";

/** Sets a fee or commission rule. A rule without a start day begins when it is approved. */
export function pricingExecutor(ctx: PricingContext): Executor {
  return {
    run: async (tx, approval) => {
      const set = await setRuleIn(ctx, tx, approval.decidedBy, ruleOf(approval.input), approvedDetails(approval));
      if (set.kind === "done") return { kind: "done", result: { rule_id: set.ruleId } };
      return { kind: "failed", reason: Object.values(set.fields).join(" ") };
    },
    after: () => ctx.refresh(),
  };
}

export function pricingEndExecutor(ctx: PricingContext): Executor {
  return {
    run: async (tx, approval) => {
      const request = { ruleId: text(approval.input, "rule_id"), reason: text(approval.input, "reason") };
      const ended = await endRuleIn(ctx, tx, approval.decidedBy, request, approvedDetails(approval));
      if (ended.kind === "done") return { kind: "done", result: { rule_id: request.ruleId } };
      return { kind: "failed", reason: ended.kind === "conflict" ? ended.reason : "The rule does not exist." };
    },
    after: () => ctx.refresh(),
  };
}

function ruleOf(input: JsonObject): SetRule {
  const validFrom = input["valid_from"];
  return {
    accountId: text(input, "account_id") || null,
    service: text(input, "service") || null,
    operator: text(input, "operator") || null,
    fee: rateOf(input["fee"]),
    commission: rateOf(input["commission"]),
    validFrom: typeof validFrom === "number" ? validFrom : null,
    reason: text(input, "reason"),
  };
}

/** The inverse of `rateDetails`. */
function rateOf(value: JsonValue | undefined): Rate {
  const rate = value as JsonObject;
  const [least, most] = [rate["min"], rate["max"]];
  return {
    flat: amountOf(rate["flat"]),
    basisPoints: BigInt(String(rate["basis_points"])),
    ...(least === undefined ? {} : { least: amountOf(least) }),
    ...(most === undefined ? {} : { most: amountOf(most) }),
  };
}

function amountOf(value: JsonValue | undefined): Money {
  const amount = typeof value === "string" ? parseMoney(value) : null;
  if (amount === null) throw new Error("An approval of a pricing rule contains an invalid amount.");
  return amount;
}
