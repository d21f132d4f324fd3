import type { Option } from "../ui/field.tsx";

const REASONS: Readonly<Record<string, string>> = {
  not_credited: "Not credited",
  wrong_number: "Wrong number",
  wrong_benefit: "Wrong benefit",
  wrong_amount: "Wrong amount",
  duplicate_payment: "Paid twice",
  service_not_received: "Service not received",
  beneficiary_not_credited: "Beneficiary not credited",
  debited_no_cash: "Debited, no cash",
  bus_not_provided: "Bus not provided",
  refund_not_received: "Refund not received",
  other: "Something else",
};

export const REASON_OPTIONS: readonly Option[] = Object.entries(REASONS).map(([value, label]) => ({ value, label }));

export function reasonText(code: string): string {
  return REASONS[code] ?? code;
}

const STAGES: Readonly<Record<string, string>> = {
  logged: "Logged",
  with_operator: "With the operator",
  decided: "Decided",
  refund_blocked: "Decided, refund not posted yet",
};

export function stageText(stage: string): string {
  return STAGES[stage] ?? stage;
}
