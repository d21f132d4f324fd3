export type Bucket = "available" | "held" | "cleared" | "funding" | "fees";

// Every way money can move. A transfer is one of these: a debit and a credit in one.
export const MOVES = {
  /** An order is accepted: its money is set aside. */
  hold: { from: "available", to: "held" },
  /** It succeeded: the money is owed upstream. */
  capture: { from: "held", to: "cleared" },
  fee: { from: "held", to: "fees" },
  /** It failed: the money is free again. */
  void: { from: "held", to: "available" },
  /** A success is taken back. */
  reversal: { from: "cleared", to: "available" },
  fee_return: { from: "fees", to: "available" },
  /** A part of it is cancelled, or all of it less what that costs. */
  refund: { from: "cleared", to: "available" },
  /** An order that pays the wallet succeeded; or such a success is taken back. */
  credit: { from: "cleared", to: "available" },
  credit_back: { from: "available", to: "cleared" },
  /** A success earned something beside; it goes when the success does. */
  commission: { from: "fees", to: "available" },
  commission_back: { from: "available", to: "fees" },
  topup: { from: "funding", to: "available" },
  debit: { from: "available", to: "funding" },
} as const satisfies Record<string, { readonly from: Bucket; readonly to: Bucket }>;

export type MoveKind = keyof typeof MOVES;
