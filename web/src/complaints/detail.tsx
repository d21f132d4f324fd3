import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { complaintsText } from "../messages/en/complaints.ts";
import { rich } from "../messages/rich.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { Money } from "../ui/formats/money.tsx";
import { Time } from "../ui/formats/time.tsx";
import { type Fact, Notice } from "../ui/page.tsx";
import { type Complaint, shownStatus } from "./complaint.ts";
import { reasonText } from "./labels.ts";

/** The reason of a complaint and, beside it, its state. */
export function ComplaintHead({ complaint, children }: { readonly complaint: Complaint; readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-lg font-semibold">{reasonText(complaint.reason_code)}</p>
      {children}
    </div>
  );
}

/** The decision and the refund. `wallet` says whose: "your wallet". */
export function DecisionNotice({ complaint, wallet }: { readonly complaint: Complaint; readonly wallet: string }): ReactNode {
  return (
    <Notice tone="good">
      <p className="break-words">{complaint.reason === "" ? complaintsText.theComplaintWasDecided : complaint.reason}</p>
      {complaint.status === "REFUNDED" && (
        <p className="mt-1">{rich(complaintsText.wasRefundedTo, { money: <Money value={complaint.refund_amount} />, wallet })}</p>
      )}
    </Notice>
  );
}

export function transactionFacts(complaint: Complaint): readonly Fact[] {
  return [
    [
      complaintsText.transaction,
      <Link key="order" to="/transactions/$orderId" params={{ orderId: complaint.order_id }} className="link font-mono">
        {complaint.order_id}
      </Link>,
    ],
    [complaintsText.transactionStatus, <Status key="now" value={shownStatus(complaint)} />],
  ];
}

export function timeFacts(complaint: Complaint): readonly Fact[] {
  return [
    [complaintsText.raised, <Time key="raised" value={complaint.raised_at} />],
    [complaintsText.dueBy, <Time key="due" value={complaint.due_by} />],
    [complaintsText.decided, <Time key="resolved" value={complaint.resolved_at} none={complaintsText.notYet} />],
  ];
}
