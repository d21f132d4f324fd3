import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { withReason } from "../accounts/account-change.ts";
import { appendAudit } from "../audit/append.ts";
import type { Asked, Asker } from "./approval.ts";
import { type AskResult, askApproval } from "./ask-approval.ts";
import type { ApprovalsContext } from "./context.ts";
import { type ApprovalRules, changesOf, described, isSubject, type RulesChange, weakens } from "./rules.ts";
import { lockRules, updateRules } from "./rules-store.ts";

export type RulesRequest = { readonly change: RulesChange; readonly reason: string | undefined };
export type ChangeRulesResult = AskResult | { readonly kind: "done"; readonly rules: ApprovalRules };

/** Stricter rules apply at once; laxer rules apply after a second person approves. */
export async function changeRules(ctx: ApprovalsContext, asker: Asker, request: RulesRequest): Promise<ChangeRulesResult> {
  const result = await ctx.sql.begin(async (tx) => {
    const rules = await lockRules(tx);
    const change = changesOf(rules, request.change);
    if (isSubject(rules, asker, "rules") && weakens(rules, change))
      return { kind: "ask", request: approvalRequest(rules, change, request.reason) } as const;
    const changed = { ...rules, ...change } as ApprovalRules;
    if (Object.keys(change).length > 0)
      await writeRules(tx, changed, ctx.clock.now(), asker.actor, detailsOf(rules, change, request.reason));
    return { kind: "done", rules: changed } as const;
  });
  return result.kind === "ask" ? await askApproval(ctx, asker, result.request) : result;
}

export async function writeRules(tx: Transaction, rules: ApprovalRules, at: number, actor: string, details: JsonObject): Promise<void> {
  await updateRules(tx, rules);
  const subject = { kind: "installation", id: "approval_rules" } as const;
  await appendAudit(tx, new Date(at), { actor, action: "approval_rules.changed", subject, details });
}

function approvalRequest(rules: ApprovalRules, change: RulesChange, reason: string | undefined): Asked {
  const input = detailsOf(rules, change, reason);
  return { kind: "rules", about: "rules", input, amount: null, accountId: null, orderId: null };
}

function detailsOf(rules: ApprovalRules, change: RulesChange, reason: string | undefined): JsonObject {
  return withReason({ changes: described(rules, change) }, reason);
}
