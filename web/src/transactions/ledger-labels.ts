import { transactionsText } from "../messages/en/transactions.ts";

const LEDGER_KINDS: Readonly<Record<string, string>> = {
  hold: transactionsText.held,
  capture: transactionsText.captured,
  fee: transactionsText.fee,
  void: transactionsText.holdReleased,
  reversal: transactionsText.reversed,
  fee_return: transactionsText.feeReturned,
  refund: transactionsText.refunded,
  credit: transactionsText.credited,
  credit_back: transactionsText.creditReversed,
  commission: transactionsText.commission,
  commission_back: transactionsText.commissionReversed,
  topup: transactionsText.topUp,
  debit: transactionsText.debit,
};

/** The name of a ledger transfer kind, such as "Top-up". */
export function ledgerKindText(kind: string): string {
  return LEDGER_KINDS[kind] ?? kind;
}

export const LEDGER_KIND_OPTIONS = Object.entries(LEDGER_KINDS).map(([value, label]) => ({ value, label }));
