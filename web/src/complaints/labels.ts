import { complaintsText } from "../messages/en/complaints.ts";
import type { Option } from "../ui/forms/field.tsx";

const REASONS: Readonly<Record<string, string>> = {
  not_credited: complaintsText.notCredited,
  wrong_number: complaintsText.wrongNumber,
  wrong_benefit: complaintsText.wrongBenefit,
  wrong_amount: complaintsText.wrongAmount,
  duplicate_payment: complaintsText.paidTwice,
  service_not_received: complaintsText.serviceNotReceived,
  beneficiary_not_credited: complaintsText.beneficiaryNotCredited,
  debited_no_cash: complaintsText.debitedNoCash,
  bus_not_provided: complaintsText.busNotProvided,
  refund_not_received: complaintsText.refundNotReceived,
  other: complaintsText.somethingElse,
};

export const REASON_OPTIONS: readonly Option[] = Object.entries(REASONS).map(([value, label]) => ({ value, label }));

export function reasonText(code: string): string {
  return REASONS[code] ?? code;
}

const STAGES: Readonly<Record<string, string>> = {
  logged: complaintsText.logged,
  with_operator: complaintsText.withTheOperator,
  decided: complaintsText.decided,
  refund_blocked: complaintsText.decidedRefundNotPostedYet,
};

export function stageText(stage: string): string {
  return STAGES[stage] ?? stage;
}
