import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Postings } from "../../orders/postings.tsx";
import { Timeline } from "../../orders/timeline.tsx";
import { Status } from "../../ui/badge.tsx";
import { Code } from "../../ui/copy.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice, Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import type { TransactionDetail } from "./data.ts";

/** The details of a transaction. The page passes the callbacks as children, with its own actions. */
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
          This transaction succeeded and was reversed later: <b>FAILED after SUCCESS</b>. The money was returned to your wallet.
        </Notice>
      )}
      {transaction.waiting !== null && transaction.status === "pending" && (
        <Notice>
          The operator has not confirmed the final status yet. The next check is at <Time value={transaction.waiting.next_at} />.
          {transaction.waiting.needs_human && " Our staff are reviewing it."}
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
          <Postings postings={ledger} />
        </Section>
      )}
    </>
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
    ["Last changed", <Time key="updated" value={transaction.updated_at} />],
  ];
}
