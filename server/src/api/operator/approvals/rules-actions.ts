import { z } from "zod";
import { changeRules } from "../../../domain/approvals/change-rules.ts";
import { rulesView } from "../../../domain/approvals/rules.ts";
import { readRules } from "../../../domain/approvals/rules-store.ts";
import { ADMINS, EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { amount, reason } from "../fields.ts";
import { conflict } from "../refusal.ts";
import { Held } from "./held.ts";
import { approvalRulesOutput } from "./outputs.ts";

const rulesBody = z.strictObject({
  wallet_threshold: amount.nullable().optional(),
  order_threshold: amount.nullable().optional(),
  keys_included: z.boolean().optional(),
  pricing_included: z.boolean().optional(),
  providers_included: z.boolean().optional(),
  expire_hours: z.int().min(1).max(720).optional(),
  new_person_hours: z.int().min(0).max(8760).optional(),
  reason,
});

const showRules = action({
  path: "GET /approval-rules",
  summary: "Shows which actions need a second person's approval.",
  roles: EVERYBODY,
  output: approvalRulesOutput,
  handler: async ({ deps }) => rulesView(await readRules(deps.sql)),
});

const updateRules = action({
  path: "POST /approval-rules",
  summary: "Changes which actions need approval. Stricter rules apply at once, laxer rules after an approval.",
  roles: ADMINS,
  proof: "recent",
  body: rulesBody,
  output: approvalRulesOutput,
  approval: { kinds: ["rules"], ask: "handler" },
  handler: async ({ deps, caller, body }) => {
    const change = {
      walletThreshold: body.wallet_threshold,
      orderThreshold: body.order_threshold,
      keysIncluded: body.keys_included,
      pricingIncluded: body.pricing_included,
      providersIncluded: body.providers_included,
      expireHours: body.expire_hours,
      newPersonHours: body.new_person_hours,
    };
    const result = await changeRules(deps.approvals, caller, { change, reason: body.reason });
    if (result.kind === "done") return rulesView(result.rules);
    return result.kind === "conflict" ? conflict(result.reason) : new Held(result.approval);
  },
});

/** The rules of approvals. */
export const approvalRulesActions: readonly Action[] = [showRules, updateRules];
