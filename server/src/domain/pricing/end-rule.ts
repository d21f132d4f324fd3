import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { appendAudit } from "../audit/append.ts";
import type { PricingContext } from "./context.ts";
import { findRule } from "./list-rules.ts";
import { markEnded } from "./store.ts";

export type EndRule = { readonly ruleId: string; readonly reason: string };
export type EndResult = { readonly kind: "done" } | { readonly kind: "not_found" } | { readonly kind: "conflict"; readonly reason: string };

/** Ends a rule now. A scheduled rule never begins, and the previous one continues. */
export async function endRule(ctx: PricingContext, actor: string, input: EndRule): Promise<EndResult> {
  const result = await ctx.sql.begin((tx) => endRuleIn(ctx, tx, actor, input));
  if (result.kind === "done") await ctx.refresh();
  return result;
}

/** The same in the caller's transaction; `extraDetails` is added to the audit entry. */
export async function endRuleIn(
  ctx: Pick<PricingContext, "clock">,
  tx: Transaction,
  actor: string,
  input: EndRule,
  extraDetails: JsonObject = {},
): Promise<EndResult> {
  const [locked] = await tx`select from pricing_rules where rule_id = ${input.ruleId} for update`;
  const now = ctx.clock.now();
  const rule = locked ? await findRule(tx, input.ruleId, now) : null;
  if (!rule) return { kind: "not_found" };
  if (rule.state === "ended" || rule.endedAt !== null) return { kind: "conflict", reason: "The rule has ended." };
  // The end is after the start, because an end before the start would mean that the rule never began.
  await markEnded(tx, rule.ruleId, rule.state === "scheduled" ? now : Math.max(now, rule.validFrom + 1), actor);
  const details = { ...(input.reason === "" ? {} : { reason: input.reason }), ...extraDetails };
  await appendAudit(tx, new Date(now), { actor, action: "commercial.ended", subject: { kind: "commercial", id: rule.ruleId }, details });
  return { kind: "done" };
}
