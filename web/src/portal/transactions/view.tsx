import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Status } from "../../ui/badge.tsx";
import { Code } from "../../ui/copy.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import type { Posting, TransactionDetail } from "./data.ts";
import { Timeline } from "./timeline.tsx";

/** Everything about one transaction; its callbacks are given by whoever may do something with them. */
export function TransactionView({ detail, children }: { readonly detail: TransactionDetail; readonly children?: ReactNode }): ReactNode {
  const { transaction, timeline, ledger, complaints } = detail;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-2xl font-semibold tracking-tight">
          <Money value={transaction.amount} />
        </p>
        <Status value={transaction.shown} />
      </div>
      {transaction.shown === "Reversed" && (
        <Notice tone="accent">
          It had succeeded and was taken back later: <b>FAILED after SUCCESS</b>. The money is in your wallet again.
        </Notice>
      )}
      {transaction.waiting !== null && transaction.status === "pending" && (
        <Notice>
          The operator has not given a final answer yet. It is asked again at <Time value={transaction.waiting.next_at} />.
          {transaction.waiting.needs_human && " Somebody of the operator's staff looks at it."}
        </Notice>
      )}
      <Facts facts={factsOf(detail)} />
      <Section title="Timeline">
        <Timeline events={timeline} />
      </Section>
      {children}
      {complaints.length > 0 && (
        <Section title="Complaints">
          <ul className="space-y-2">
            {complaints.map((complaint) => (
              <li key={complaint.complaint_ref} className="flex flex-wrap items-center justify-between gap-2">
                <Link to="/complaints/$complaintRef" params={{ complaintRef: complaint.complaint_ref }} className="link font-mono">
                  {complaint.complaint_ref}
                </Link>
                <Status value={complaint.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {ledger.length > 0 && (
        <Section title="Ledger lines">
          <Ledger postings={ledger} />
        </Section>
      )}
    </>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <h3 className="mb-3 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function factsOf({ transaction }: TransactionDetail): readonly (readonly [string, ReactNode])[] {
  const { operator_ref: operatorRef, reason, refunded, fee, commission } = transaction;
  return [
    ["Account", <Code key="account" text={transaction.account} />],
    ["Operator", `${transaction.operator_name} (${transaction.operator})`],
    ["Service", transaction.service],
    ["Your urid", <Code key="urid" text={transaction.urid} />],
    ["Order id", <Code key="order" text={transaction.order_id} />],
    ...(operatorRef === null ? [] : [["Operator reference", <Code key="ref" text={operatorRef} />] as const]),
    ...(reason === null || reason === "" ? [] : [["Reason", reason] as const]),
    ...(/[1-9]/.test(fee) ? [["Fee", <Money key="fee" value={fee} />] as const] : []),
    ...(/[1-9]/.test(commission) ? [["Commission", <Money key="commission" value={commission} />] as const] : []),
    ...(refunded === null ? [] : [["Refunded", <Money key="refunded" value={refunded} />] as const]),
    ["Accepted", <Time key="created" value={transaction.created_at} />],
    ["Last change", <Time key="updated" value={transaction.updated_at} />],
  ];
}

const KINDS: Readonly<Record<string, string>> = {
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
};

function Ledger({ postings }: { readonly postings: readonly Posting[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section aria-label="Lines" tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-left">
        <thead>
          <tr className="bg-sunken text-soft text-xs">
            <th scope="col" className="px-3 py-2 font-medium">
              Line
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              From, to
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Amount
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Balance after
            </th>
          </tr>
        </thead>
        <tbody>
          {postings.map((posting) => (
            <tr key={posting.entry_id} className="border-line border-t" title={posting.entry_id}>
              <td className="px-3 py-2">{KINDS[posting.kind] ?? posting.kind}</td>
              <td className="px-3 py-2 text-soft">
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
