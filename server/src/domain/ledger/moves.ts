export type Bucket = "available" | "held" | "cleared" | "funding" | "fees";

// All kinds of transfers. Each one debits one bucket and credits another.
export const MOVES = {
  /** An order is accepted: its money is held. */
  hold: { from: "available", to: "held" },
  /** The order succeeded: the money is owed to the provider. */
  capture: { from: "held", to: "cleared" },
  fee: { from: "held", to: "fees" },
  /** The order failed: the money is available again. */
  void: { from: "held", to: "available" },
  /** A success is reversed. */
  reversal: { from: "cleared", to: "available" },
  fee_return: { from: "fees", to: "available" },
  /** An order is cancelled partly, or wholly for less than it cost. */
  refund: { from: "cleared", to: "available" },
  /** An order that credits the wallet succeeded; or such a success is reversed. */
  credit: { from: "cleared", to: "available" },
  credit_back: { from: "available", to: "cleared" },
  /** A success earned a commission; a reversal takes it back. */
  commission: { from: "fees", to: "available" },
  commission_back: { from: "available", to: "fees" },
  topup: { from: "funding", to: "available" },
  debit: { from: "available", to: "funding" },
} as const satisfies Record<string, { readonly from: Bucket; readonly to: Bucket }>;

export type MoveKind = keyof typeof MOVES;
