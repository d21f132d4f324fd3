import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

export const APPROVAL_KINDS = [
  ...(["wallet", "settle", "reverse", "refund", "cancel", "complaint_refund", "rules", "reconcile", "bulk_settle"] as const),
  ...(["pricing", "pricing_end", "provider", "provider_secret", "operator_key", "transfer_settings", "single_sign_on"] as const),
];
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATES = ["waiting", "approved", "rejected", "withdrawn", "expired", "done", "failed"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export type ApprovalCause = "approve" | "reject" | "withdraw" | "expire" | "finish" | "fail";

// The trigger function server/schema/functions/protect_approval.sql has the same table.
const NEXT: Record<ApprovalState, Partial<Record<ApprovalCause, ApprovalState>>> = {
  waiting: { approve: "approved", reject: "rejected", withdraw: "withdrawn", expire: "expired" },
  approved: { finish: "done", fail: "failed" },
  rejected: {},
  withdrawn: {},
  expired: {},
  done: {},
  failed: {},
};

/** The state that follows; null when the transition is not allowed. */
export function nextApprovalState(state: ApprovalState, cause: ApprovalCause): ApprovalState | null {
  return NEXT[state][cause] ?? null;
}

/** The person or key that requests or decides. */
export type Asker = {
  readonly kind: "key" | "staff";
  /** The actor in the audit log. */
  readonly actor: string;
  /** The person behind the actor: a key belongs to the person who created it. */
  readonly person: string;
};

/** A requested action. */
export type Asked = {
  readonly kind: ApprovalKind;
  /** Only one approval with this value can be open: an identical second request gets the first approval. */
  readonly about: string;
  /** Everything its executor needs, as JSON. */
  readonly input: JsonObject;
  /** Negative for a debit; null for actions without money. */
  readonly amount: Money | null;
  readonly accountId: string | null;
  readonly orderId: string | null;
};

/** An amount on one account that counts towards a threshold. The same `about` counts once. */
export type Act = { readonly accountId: string; readonly about: string; readonly amount: Money };

export type AskedWithPayload = Asked & {
  /** Confidential data, which is sealed and deleted when the approval ends. It never appears in the approval or the audit log. */
  readonly payload?: string;
  /** The effect on each account, for actions on several accounts. */
  readonly acts?: readonly Act[];
};

export type Approval = Asked & {
  readonly approvalId: string;
  readonly madeBy: string;
  readonly makerPerson: string;
  readonly state: ApprovalState;
  readonly decidedBy: string | null;
  readonly checkerPerson: string | null;
  readonly reason: string | null;
  readonly result: JsonObject | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
  readonly begunAt: number | null;
  readonly finishedAt: number | null;
};

/** An approval that a second person has granted. */
export type Agreed = Approval & { readonly decidedBy: string };

/** Additional audit details of an approved action: who requested it, and the approval. */
export function approvedDetails(approval: Pick<Approval, "approvalId" | "madeBy">): {
  readonly approval_id: string;
  readonly made_by: string;
} {
  return { approval_id: approval.approvalId, made_by: approval.madeBy };
}
