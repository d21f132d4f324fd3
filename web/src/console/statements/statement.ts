import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { indiaDay, isNonZero } from "../../ui/formats/format.ts";
import type { Option } from "../../ui/forms/field.tsx";
import { get } from "../api.ts";

export type Statement = Schemas["MonthStatement"];

export type StatementItem = Statement["items"][number];

export const statementQuery = (accountId: string, month: string) =>
  queryOptions({
    queryKey: ["/accounts", accountId, "statements", month],
    queryFn: ({ signal }) => get("/accounts/:account_id/statements", { account_id: accountId, month }, signal),
  });

const SHOWN_MONTHS = 36;
const NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** A month's name, such as "November 2026". */
export function monthText(month: string): string {
  const [year, number] = month.split("-");
  return `${NAMES[Number(number) - 1] ?? month} ${year ?? ""}`;
}

/** The current month in India and the months before it, latest first. */
export function recentMonths(now: number): readonly Option[] {
  const [year = 0, month = 1] = indiaDay(now).split("-").map(Number);
  return Array.from({ length: SHOWN_MONTHS }, (_, ago) => {
    const months = year * 12 + month - 1 - ago;
    const value = `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
    return { value, label: monthText(value) };
  });
}

export type Step = { readonly name: string; readonly amount: string; readonly sign: "" | "+" | "-" };

/** The steps from the opening to the closing balance. Steps of zero are left out, except the first and the last. */
export function stepsOf(statement: Statement): readonly Step[] {
  const { totals } = statement;
  const less = statement.held_change.startsWith("-");
  const between: readonly Step[] = [
    { name: "Top-ups", amount: statement.topups, sign: "+" },
    { name: "Adjustments", amount: statement.adjustments, sign: "-" },
    { name: "Paid for successful orders", amount: totals.paid, sign: "-" },
    { name: "Fees", amount: totals.fees, sign: "-" },
    { name: "Returned: reversals, refunds, cancellations", amount: totals.refunds, sign: "+" },
    { name: "Received for AEPS", amount: totals.received, sign: "+" },
    { name: "AEPS reversed", amount: totals.taken_back, sign: "-" },
    { name: "Commission", amount: totals.commission, sign: "+" },
    { name: "Commission reversed", amount: totals.commission_back, sign: "-" },
    {
      name: less ? "Released from pending orders" : "Held for pending orders",
      amount: statement.held_change.replace("-", ""),
      sign: less ? "+" : "-",
    },
  ];
  return [
    { name: "Opening balance", amount: statement.opening_balance, sign: "" },
    ...between.filter((step) => isNonZero(step.amount)),
    { name: "Closing balance", amount: statement.closing_balance, sign: "" },
  ];
}
