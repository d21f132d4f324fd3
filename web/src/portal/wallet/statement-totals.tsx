import type { ReactNode } from "react";
import { amountInWords } from "../../messages/amount-in-words.ts";
import { walletText } from "../../messages/en/wallet.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import type { Line } from "./data.ts";
import { sumAmounts } from "./sum-amounts.ts";

type Props = {
  /** Newest first. */
  readonly rows: readonly Line[];
  /** Whether all lines that match the filters are loaded. Without them there are no totals. */
  readonly isWhole: boolean;
  /** Whether the newest line has the closing balance. A list of one type of lines has none. */
  readonly hasClosing: boolean;
};

/** The closing balance and the totals of a statement, in figures and in words, as an Indian statement ends. */
export function StatementTotals({ rows, isWhole, hasClosing }: Props): ReactNode {
  const amounts = rows.map(({ amount }) => amount);
  const facts: readonly (readonly [string, string])[] = [
    ...(hasClosing ? [[walletText.closingBalance, rows[0]?.balance_after ?? "0"] as const] : []),
    ...(isWhole
      ? [
          [walletText.totalCredits, sumAmounts(amounts.filter((amount) => !amount.startsWith("-")))] as const,
          [walletText.totalDebits, sumAmounts(amounts.filter((amount) => amount.startsWith("-"))).replace("-", "")] as const,
        ]
      : []),
  ];
  if (facts.length === 0) return null;
  return (
    <Card className="mt-4">
      <Facts facts={facts.map(([name, value]) => [name, <MoneyAndWords key={name} value={value} />] as const)} />
    </Card>
  );
}

/** An amount in figures and below it in words. */
export function MoneyAndWords({ value }: { readonly value: string }): ReactNode {
  return (
    <>
      <Money value={value} />
      <span className="block text-soft text-xs">{amountInWords(value)}</span>
    </>
  );
}
