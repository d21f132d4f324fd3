import type { Money } from "../../platform/core/money.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

export const APPROVAL_KINDS = [
  ...(["wallet", "settle", "reverse", "refund", "cancel", "complaint_refund", "rules", "reconcile"] as const),
  ...(["pricing", "pricing_end", "provider", "provider_secret", "operator_key", "transfer_settings"] as const),
];
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATES = ["waiting", "approved", "rejected", "withdrawn", "expired", "done", "failed"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export type ApprovalCause = "approve" | "reject" | "withdraw" | "expire" | "finish" | "fail";

// The same table is in the trigger keep_approval of 0033_two_people.sql.
const NEXT: Record<ApprovalState, Partial<Record<ApprovalCause, ApprovalState>>> = {
  waiting: { approve: "approved", reject: "rejected", withdraw: "withdrawn", expire: "expired" },
  approved: { finish: "done", fail: "failed" },
  rejected: {},
  withdrawn: {},
  expired: {},
  done: {},
  failed: {},
};

/** The state a cause leads to; null where it leads nowhere. */
export function nextApprovalState(state: ApprovalState, cause: ApprovalCause): ApprovalState | null {
  return NEXT[state][cause] ?? null;
}

/** Who asks or decides. */
export type Asker = {
  readonly kind: "key" | "staff";
  /** As the audit trail names them. */
  readonly actor: string;
  /** Who stands behind it: a key belongs to whoever made it. */
  readonly person: string;
};

/** What somebody wants done. */
export type Asked = {
  readonly kind: ApprovalKind;
  /** Of this, one approval at a time can be open: a second one that asks for the same is answered with the first. */
  readonly about: string;
  /** Everything its executor needs, as JSON. */
  readonly input: JsonObject;
  /** Negative for a debit; null where no money is meant. */
  readonly amount: Money | null;
  readonly accountId: string | null;
  readonly orderId: string | null;
};

/** What counts towards a threshold: an amount on one account. The same `about` again is counted once. */
export type Act = { readonly accountId: string; readonly about: string; readonly amount: Money };

export type AskedWithPayload = Asked & {
  /** What must not be read from the approval or the audit trail: sealed, and deleted when the approval ends. */
  readonly payload?: string;
  /** What it does to each account, where it is about several. */
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

/** One that somebody else has agreed to. */
export type Agreed = Approval & { readonly decidedBy: string };

/** What the audit entries of an approved action carry beside their own: who asked for it, and where both are on record. */
export function approvedDetails(one: Pick<Approval, "approvalId" | "madeBy">): { readonly approval_id: string; readonly made_by: string } {
  return { approval_id: one.approvalId, made_by: one.madeBy };
}
