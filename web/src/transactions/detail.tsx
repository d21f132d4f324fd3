import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { reasonText } from "../complaints/labels.ts";
import { transactionsText } from "../messages/en/transactions.ts";
import { rich } from "../messages/rich.tsx";
import { serverText } from "../messages/server-text.ts";
import { Status } from "../ui/formats/badge.tsx";
import { Code } from "../ui/formats/copy.tsx";
import { isNonZero } from "../ui/formats/format.ts";
import { Money } from "../ui/formats/money.tsx";
import { Time } from "../ui/formats/time.tsx";
import { type Fact, Facts, Notice, Section } from "../ui/page.tsx";
import { type Posting, Postings } from "./postings.tsx";
import { Timeline, type TimelineEvent } from "./timeline.tsx";
import type { TransactionComplaint, TransactionFields } from "./transaction.ts";

type Props = {
  readonly amount: string;
  readonly shown: TransactionFields["shown"];
  readonly notice: ReactNode;
  readonly facts: readonly Fact[];
  readonly timeline: readonly TimelineEvent[];
  readonly complaints: readonly TransactionComplaint[];
  readonly postings: readonly Posting[];
  /** Sections of the site, between the timeline and the complaints. */
  readonly children?: ReactNode;
};

/** The details of a transaction. */
export function TransactionDetail({ amount, shown, notice, facts, timeline, complaints, postings, children }: Props): ReactNode {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-2xl font-semibold tracking-tight">
          <Money value={amount} />
        </p>
        <Status value={shown} />
      </div>
      {notice}
      <Facts facts={facts} />
      <Section title={transactionsText.timeline}>
        <Timeline events={timeline} />
      </Section>
      {children}
      <Complaints complaints={complaints} />
      {postings.length > 0 && (
        <Section title={transactionsText.ledgerLines}>
          <Postings postings={postings} />
        </Section>
      )}
    </>
  );
}

function Complaints({ complaints }: Pick<Props, "complaints">): ReactNode {
  if (complaints.length === 0) return null;
  return (
    <Section title={transactionsText.complaints}>
      <ul className="space-y-2">
        {complaints.map(({ complaint_ref: complaintRef, reason_code: reason, status }) => (
          <li key={complaintRef} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              <Link to="/complaints/$complaintRef" params={{ complaintRef }} className="link font-mono">
                {complaintRef}
              </Link>{" "}
              <span className="text-soft">{reasonText(reason)}</span>
            </span>
            <Status value={status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** `wallet` says whose: "your wallet". */
export function ReversedNotice({ wallet }: { readonly wallet: string }): ReactNode {
  return <Notice tone="accent">{rich(transactionsText.thisTransactionSucceededAndWas, { b: (text) => <b>{text}</b>, wallet })}</Notice>;
}

/** What came of a transaction, as far as it is known: reference, reason, fee, commission, refund and times. */
export function resultFacts(transaction: TransactionFields): readonly Fact[] {
  const { operator_ref: operatorRef, reason, refunded, fee, commission } = transaction;
  return [
    ...(operatorRef === null ? [] : [[transactionsText.operatorReference, <Code key="ref" text={operatorRef} />] as const]),
    ...(reason === null || reason === "" ? [] : [[transactionsText.reason, serverText(reason)] as const]),
    ...(isNonZero(fee) ? [[transactionsText.fee, <Money key="fee" value={fee} />] as const] : []),
    ...(isNonZero(commission) ? [[transactionsText.commission, <Money key="commission" value={commission} />] as const] : []),
    ...(refunded === null ? [] : [[transactionsText.refunded, <Money key="refunded" value={refunded} />] as const]),
    [transactionsText.accepted, <Time key="created" value={transaction.created_at} />],
    [transactionsText.lastChanged, <Time key="updated" value={transaction.updated_at} />],
  ];
}
