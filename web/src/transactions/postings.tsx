import type { ReactNode } from "react";
import { transactionsText } from "../messages/en/transactions.ts";
import type { Schemas } from "../portal-api.ts";
import { Money } from "../ui/formats/money.tsx";
import { ledgerKindText } from "./ledger-labels.ts";

export type Posting = Schemas["Posting"];

/** The ledger lines of an order. */
export function Postings({ postings }: { readonly postings: readonly Posting[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label={transactionsText.lines} tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-left">
        <thead>
          <tr className="bg-sunken text-soft text-xs">
            <th scope="col" className="px-3 py-2 font-medium">
              {transactionsText.line}
            </th>
            <th scope="col" className="hidden px-3 py-2 font-medium sm:table-cell">
              {transactionsText.fromTo}
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              {transactionsText.amount}
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              {transactionsText.balanceAfter}
            </th>
          </tr>
        </thead>
        <tbody>
          {postings.map((posting) => (
            <tr key={posting.entry_id} className="border-line border-t" title={posting.entry_id}>
              <td className="px-3 py-2">
                {ledgerKindText(posting.kind)}
                <span className="block text-soft text-xs sm:hidden">
                  {posting.from} → {posting.to}
                </span>
              </td>
              <td className="hidden px-3 py-2 text-soft sm:table-cell">
                {posting.from} → {posting.to}
              </td>
              <td className="px-3 py-2 text-right">
                <Money value={posting.amount} />
              </td>
              <td className="px-3 py-2 text-right">
                <Money value={posting.balance_after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
