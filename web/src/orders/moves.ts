const MOVES: Readonly<Record<string, string>> = {
  hold: "Set aside",
  capture: "Paid",
  fee: "Fee",
  void: "Free again",
  reversal: "Returned",
  fee_return: "Fee returned",
  refund: "Refunded",
  credit: "Received",
  credit_back: "Taken back",
  commission: "Commission",
  commission_back: "Commission taken back",
  topup: "Top-up",
  debit: "Debit",
};

/** What a transfer of the ledger did, in a word. */
export function moveText(kind: string): string {
  return MOVES[kind] ?? kind;
}

export const MOVE_OPTIONS = Object.entries(MOVES).map(([value, label]) => ({ value, label }));
