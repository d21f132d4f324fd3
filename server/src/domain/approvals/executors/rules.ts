import { type Money, parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { approvedDetails } from "../approval.ts";
import { writeRules } from "../change-rules.ts";
import type { Executor } from "../context.ts";
import { type ApprovalRules, rulesView } from "../rules.ts";
import { lockRules } from "../rules-store.ts";

/** Applies laxer rules. It fails when the rules have changed since the request. */
export const rulesExecutor: Executor = {
  run: async (tx, approval, at) => {
    const rules = await lockRules(tx);
    const changes = (approval.input["changes"] ?? {}) as JsonObject;
    const now = rulesView(rules) as JsonObject;
    const moved = Object.entries(changes).some(([name, change]) => (change as JsonObject)["from"] !== now[name]);
    if (moved) return { kind: "failed", reason: "The rules were changed in the meantime." };
    const to = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, (change as JsonObject)["to"]]));
    const changed = readRulesView({ ...now, ...to });
    await writeRules(tx, changed, at, approval.decidedBy, { ...approval.input, ...approvedDetails(approval) });
    return { kind: "done", result: rulesView(changed) };
  },
};

function readRulesView(view: Readonly<Record<string, JsonValue | undefined>>): ApprovalRules {
  return {
    walletThreshold: amountOf(view["wallet_threshold"]),
    orderThreshold: amountOf(view["order_threshold"]),
    keysIncluded: view["keys_included"] === true,
    pricingIncluded: view["pricing_included"] === true,
    providersIncluded: view["providers_included"] === true,
    expireHours: Number(view["expire_hours"]),
    newPersonHours: Number(view["new_person_hours"]),
  };
}

function amountOf(value: JsonValue | undefined): Money | null {
  if (value === null) return null;
  const amount = typeof value === "string" ? parseMoney(value) : null;
  // An invalid threshold must not count as none.
  if (amount === null) throw new Error("An approval of rules contains an invalid threshold.");
  return amount;
}
