const LEDGER_KINDS: Readonly<Record<string, string>> = {
  hold: "Held",
  capture: "Captured",
  fee: "Fee",
  void: "Hold released",
  reversal: "Reversed",
  fee_return: "Fee returned",
  refund: "Refunded",
  credit: "Credited",
  credit_back: "Credit reversed",
  commission: "Commission",
  commission_back: "Commission reversed",
  topup: "Top-up",
  debit: "Debit",
};

/** The name of a ledger transfer kind, such as "Top-up". */
export function ledgerKindText(kind: string): string {
  return LEDGER_KINDS[kind] ?? kind;
}

export const LEDGER_KIND_OPTIONS = Object.entries(LEDGER_KINDS).map(([value, label]) => ({ value, label }));
