import type { Span } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { type PeriodSum, readPeriodSums } from "../ledger/period.ts";

/** What one operator's orders came to. Amounts are as they were moved in the month, also of orders that began before it. */
export type StatementItem = {
  readonly service: string;
  readonly operator: string;
  /** Successes pay the wallet. */
  readonly credit: boolean;
  /** Successes. */
  readonly orders: number;
  readonly value: bigint;
  readonly fees: bigint;
  /** What came back to the wallet: amounts and fees. */
  readonly refunds: bigint;
  /** What successes had paid the wallet and was taken back. */
  readonly takenBack: bigint;
  readonly commission: bigint;
  readonly commissionBack: bigint;
  /** What all of that did to the balance. */
  readonly net: bigint;
};

/** A month of an account: `closing = opening + topUps - adjustments + the items' net - heldChange`, to the last place. */
export type MonthStatement = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly topUps: bigint;
  readonly adjustments: bigint;
  /** By how much more is set aside for pending orders at the end than at the beginning. */
  readonly heldChange: bigint;
  readonly items: readonly StatementItem[];
  readonly totals: Totals;
};

/** Of the value, what the wallet has paid and what it was paid. */
export type Totals = Omit<StatementItem, "service" | "operator" | "credit"> & { readonly paid: bigint; readonly received: bigint };

export async function readMonthStatement(sql: Sql, accountId: string, month: Span, now: number): Promise<MonthStatement> {
  const { opening, closing, sums } = await readPeriodSums(sql, { accountId, ...month }, now);
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

function total(sums: readonly PeriodSum[], kinds: readonly string[]): bigint {
  return sums.reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0n);
}

function itemsOf(sums: readonly PeriodSum[]): readonly StatementItem[] {
  const groups = new Map<string, PeriodSum[]>();
  for (const one of sums) {
    if (one.service === null) continue;
    const key = JSON.stringify([one.service, one.operator, one.credit]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  // What was only set aside, or set free again, is told as held.
  return [...groups.values()].map(itemOf).filter((item) => item.orders > 0 || item.net !== 0n || item.refunds + item.takenBack > 0n);
}

function itemOf(sums: readonly PeriodSum[]): StatementItem {
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

/** A success has one transfer of its amount, or of its fee alone when it has no amount. */
function successesIn({ kind, transfers, of_nothing: ofNothing }: PeriodSum): number {
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
