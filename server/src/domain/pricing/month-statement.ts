import type { Sql } from "../../platform/db/connection.ts";
import { type MonthSum, readMonthSums } from "../ledger/month-sums.ts";

/** The sums of one operator's orders. Amounts count in the month they were posted, also for older orders. */
export type StatementItem = {
  readonly service: string;
  readonly operator: string;
  /** Whether successes credit the wallet. */
  readonly credit: boolean;
  /** The number of successful orders. */
  readonly orders: number;
  readonly value: bigint;
  readonly fees: bigint;
  /** Amounts and fees returned to the wallet. */
  readonly refunds: bigint;
  /** Credits that were reversed. */
  readonly takenBack: bigint;
  readonly commission: bigint;
  readonly commissionBack: bigint;
  /** The total change of the balance. */
  readonly net: bigint;
};

/** An account's month: `closing = opening + topUps - adjustments + the items' net - heldChange`, exactly. */
export type MonthStatement = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly topUps: bigint;
  readonly adjustments: bigint;
  /** The change of the held money for pending orders during the month. */
  readonly heldChange: bigint;
  readonly items: readonly StatementItem[];
  readonly totals: Totals;
};

/** The totals, with the amounts paid from and received in the wallet. */
export type Totals = Omit<StatementItem, "service" | "operator" | "credit"> & { readonly paid: bigint; readonly received: bigint };

export async function readMonthStatement(sql: Sql, accountId: string, month: string): Promise<MonthStatement> {
  const { opening, closing, sums } = await readMonthSums(sql, accountId, month);
  const ofKind = (...kinds: readonly string[]) => total(sums, kinds);
  const items = itemsOf(sums);
  return {
    opening,
    closing,
    topUps: ofKind("topup"),
    adjustments: ofKind("debit"),
    heldChange: ofKind("hold") - ofKind("void", "capture", "fee"),
    items,
    totals: totalsOf(items),
  };
}

function total(sums: readonly MonthSum[], kinds: readonly string[]): bigint {
  return sums.reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0n);
}

function itemsOf(sums: readonly MonthSum[]): readonly StatementItem[] {
  const groups = new Map<string, MonthSum[]>();
  for (const monthSum of sums) {
    if (monthSum.service === null) continue;
    const key = JSON.stringify([monthSum.service, monthSum.operator, monthSum.credit]);
    groups.set(key, [...(groups.get(key) ?? []), monthSum]);
  }
  // Amounts that were only held or released are part of `heldChange`.
  return [...groups.values()].map(itemOf).filter((item) => item.orders > 0 || item.net !== 0n || item.refunds + item.takenBack > 0n);
}

function itemOf(sums: readonly MonthSum[]): StatementItem {
  const [first] = sums;
  const ofKind = (...kinds: readonly string[]) => total(sums, kinds);
  const credit = first?.credit ?? false;
  const [value, fees, takenBack] = [ofKind("capture", "credit"), ofKind("fee"), ofKind("credit_back")];
  const [refunds, commission, commissionBack] = [
    ofKind("reversal", "refund", "fee_return"),
    ofKind("commission"),
    ofKind("commission_back"),
  ];
  return {
    service: first?.service ?? "",
    operator: first?.operator ?? "",
    credit,
    orders: sums.reduce((sum, one) => sum + successesIn(one), 0),
    value,
    fees,
    refunds,
    takenBack,
    commission,
    commissionBack,
    net: (credit ? value : -value) - fees + refunds - takenBack + commission - commissionBack,
  };
}

/** A success has one transfer of its amount, or of its fee when it has no amount. */
function successesIn({ kind, transfers, of_nothing: ofNothing }: MonthSum): number {
  if (kind === "capture" || kind === "credit") return transfers;
  return kind === "fee" ? ofNothing : 0;
}

function totalsOf(items: readonly StatementItem[]): Totals {
  const sum = (of: (item: StatementItem) => bigint) => items.reduce((all, item) => all + of(item), 0n);
  return {
    paid: sum((item) => (item.credit ? 0n : item.value)),
    received: sum((item) => (item.credit ? item.value : 0n)),
    orders: items.reduce((all, item) => all + item.orders, 0),
    value: sum((item) => item.value),
    fees: sum((item) => item.fees),
    refunds: sum((item) => item.refunds),
    takenBack: sum((item) => item.takenBack),
    commission: sum((item) => item.commission),
    commissionBack: sum((item) => item.commissionBack),
    net: sum((item) => item.net),
  };
}
