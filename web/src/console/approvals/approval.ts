import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { post } from "../api.ts";
import { OTHERS } from "../audit/entry.ts";

export type Approval = Schemas["ApprovalDetail"];

export type ApprovalKind = Approval["kind"];

/** The response to a call that needs approval first. */
export type WaitingAction = Schemas["WaitingAction"];

export function isWaitingAction(answer: object): answer is WaitingAction {
  return "approval" in answer;
}

export type Rules = Schemas["ApprovalRules"];

const KINDS: Readonly<Record<ApprovalKind, string>> = {
  wallet: "Top-up",
  settle: "Settle an order",
  reverse: "Reverse an order",
  refund: "Refund a transfer",
  cancel: "Cancel a bus ticket",
  complaint_refund: "Refund a complaint",
  rules: "Relax approval rules",
  reconcile: "Settle from reconciliation",
  bulk_settle: "Settle many orders",
  pricing: "Set a fee or commission",
  pricing_end: "End a fee or commission",
  provider: "Add or change a provider",
  provider_secret: "Set a provider’s secret",
  operator_key: "Create an operator key",
  transfer_settings: "Limits and fees of transfers",
  single_sign_on: "Change single sign-on of staff",
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({
  value,
  label: value === "wallet" ? "Top-up or debit" : label,
}));

export function kindText(approval: Pick<Approval, "kind" | "amount">): string {
  return approval.kind === "wallet" && approval.amount?.startsWith("-") ? "Debit" : KINDS[approval.kind];
}

/** The actor's name, or the actor's id when the name is unknown. */
export function whoText(actor: string, name: string | null): string {
  return name ?? OTHERS[actor] ?? actor;
}

const STATES: Readonly<Record<Approval["state"], { readonly value: string; readonly label: string }>> = {
  waiting: { value: "waiting", label: "Waiting" },
  approved: { value: "running", label: "Approved" },
  rejected: { value: "rejected", label: "Rejected" },
  withdrawn: { value: "off", label: "Withdrawn" },
  expired: { value: "off", label: "Expired" },
  done: { value: "done", label: "Done" },
  failed: { value: "failed", label: "Failed" },
};

export function stateOf(approval: Pick<Approval, "state">): { readonly value: string; readonly label: string } {
  return STATES[approval.state];
}

/** Posts and then reads everything again that an approval may change. */
export function useApprovalPost(): typeof post {
  const queries = useQueryClient();
  return async (path, ...args) => {
    const answer = await post(path, ...args);
    await Promise.all(
      ["/approvals", "/approval-rules", "/accounts", "/pricing", "/providers", "/keys", "/services", "/single-sign-on"].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
    return answer;
  };
}
