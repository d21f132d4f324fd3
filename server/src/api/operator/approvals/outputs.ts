import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATES } from "../../../domain/approvals/approval.ts";
import { anyObject, moneyText, timeText } from "../../sites/outputs/output-fields.ts";

/** A request for approval, as its viewer sees it. */
export const approvalOutput = z
  .strictObject({
    approval_id: z.string(),
    kind: z.enum(APPROVAL_KINDS),
    state: z.enum(APPROVAL_STATES),
    amount: moneyText.nullable().describe("Negative for a debit; null for actions without money."),
    account_id: z.string().nullable(),
    account_name: z.string().nullable(),
    order_id: z.string().nullable(),
    input: anyObject.describe("What was requested; its fields depend on the kind."),
    made_by: z.string().describe("The requester, as in the audit log."),
    made_by_name: z.string().nullable(),
    decided_by: z.string().nullable(),
    decided_by_name: z.string().nullable(),
    reason: z.string().nullable().describe("The reason of the decision."),
    result: anyObject.nullable().describe("What the approved action did; its fields depend on the kind."),
    created_at: timeText,
    expires_at: timeText,
    decided_at: timeText.nullable(),
    finished_at: timeText.nullable(),
    mine: z.boolean().describe("Whether the viewer requested it."),
    may_decide: z.boolean().describe("Whether the viewer's role may approve or reject it."),
    barred: z.string().nullable().describe("Why the viewer cannot approve it, although they may reject it; null if they can."),
    may_withdraw: z.boolean(),
  })
  .meta({ id: "Approval" });

/** An approval with its effect on the wallet's balance. */
export const approvalDetailOutput = approvalOutput
  .extend({
    balance_before: moneyText.nullable().optional().describe("Only for a wallet; null if it was not carried out."),
    balance_after: moneyText.nullable().optional().describe("Only for a wallet; null if it was not carried out."),
  })
  .meta({ id: "ApprovalDetail" });

/** Which actions need approval. */
export const approvalRulesOutput = z
  .strictObject({
    wallet_threshold: moneyText.nullable().describe("Top-ups and debits of at least this amount need approval; null means never."),
    order_threshold: moneyText
      .nullable()
      .describe("Manual settlements, reversals and refunds of at least this amount need approval; null means never."),
    keys_included: z.boolean().describe("Whether actions by operator keys need approval too."),
    pricing_included: z.boolean().describe("Whether fee and commission rules need approval."),
    providers_included: z.boolean().describe("Whether new providers, descriptions and provider secrets need approval."),
    expire_hours: z.int(),
    new_person_hours: z.int().describe("For this long after one person gave another access, neither can approve for the other."),
  })
  .meta({ id: "ApprovalRules" });

/** The reply 202: the action waits for a second person. */
export const heldOutput = z
  .strictObject({
    approval: approvalDetailOutput,
    key_id: z.string().optional().describe("Only for a new operator key."),
    api_key: z.string().optional().describe("Only for a new operator key, which works once it is approved."),
  })
  .meta({ id: "WaitingAction" });
