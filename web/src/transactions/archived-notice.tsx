import type { ReactNode } from "react";
import { transactionsText } from "../messages/en/transactions.ts";
import { fill } from "../messages/fill.ts";
import { Notice } from "../ui/page.tsx";

type Props = {
  /** The archived months as YYYY-MM, newest first. Undefined while they are loaded. */
  readonly months: readonly string[] | undefined;
  /** The days that the list is filtered by, as YYYY-MM-DD. */
  readonly days: { readonly from?: string | undefined; readonly to?: string | undefined };
  /** What the list shows, as the subject of a sentence: "Transactions". */
  readonly what: string;
  /** Where the archived records are. */
  readonly children: ReactNode;
};

/** Says that a list lacks records of archived months, if its days reach into one. */
export function ArchivedNotice({ months, days: { from, to }, what, children }: Props): ReactNode {
  const latest = months?.[0];
  const touches = (day: string | undefined) => day !== undefined && latest !== undefined && day.slice(0, 7) <= latest;
  if (latest === undefined || !(touches(from) || touches(to))) return null;
  return (
    <div className="mb-4">
      <Notice>
        {fill(transactionsText.upToTheEndOf, { records: what, latest })} {children}
      </Notice>
    </div>
  );
}
