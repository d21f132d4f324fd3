import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { reasonText } from "../../orders/complaint-labels.ts";
import { Postings } from "../../orders/postings.tsx";
import { Timeline } from "../../orders/timeline.tsx";
import { Status } from "../../ui/badge.tsx";
import { Code } from "../../ui/copy.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice, Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useActorNames } from "../audit/entry.ts";
import { Attempts } from "./attempts.tsx";
import { OrderCallbacks } from "./callbacks.tsx";
import type { OrderDetail } from "./order.ts";

/** The details of an order. */
export function OrderView({ detail }: { readonly detail: OrderDetail }): ReactNode {
  const { order, complaints } = detail;
  const postings = detail.postings.map((posting) => ({ ...posting, entry_id: `${order.account_id}-${posting.seq}` }));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-2xl font-semibold tracking-tight">
          <Money value={order.amount_exact} />
        </p>
        <Status value={order.shown} />
      </div>
      <StatusNotice detail={detail} />
      <Facts facts={factsOf(detail)} />
      <Section title="Timeline">
        <Timeline events={useTimelineWithNames(detail)} />
      </Section>
      <Attempts attempts={detail.attempts} operatorRef={order.operator_ref} />
      <OrderCallbacks callbacks={detail.callbacks} orderId={order.order_id} />
      {complaints.length > 0 && (
        <Section title="Complaints">
          <ul className="space-y-2">
            {complaints.map((complaint) => (
              <li key={complaint.complaint_ref} className="flex flex-wrap items-center justify-between gap-2">
                <span>
                  <Link to="/complaints/$complaintRef" params={{ complaintRef: complaint.complaint_ref }} className="link font-mono">
                    {complaint.complaint_ref}
                  </Link>{" "}
                  <span className="text-soft">{reasonText(complaint.reason_code)}</span>
                </span>
                <Status value={complaint.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {postings.length > 0 && (
        <Section title="Ledger lines">
          <Postings postings={postings} />
        </Section>
      )}
    </>
  );
}

const ACTOR = /by (\S+)$/;

/** Replaces the actor id of manual actions with the person's name, where it is known. */
function useTimelineWithNames({ timeline }: OrderDetail): OrderDetail["timeline"] {
  const nameOf = useActorNames();
  return timeline.map((event) =>
    event.kind === "manual" ? { ...event, detail: event.detail.replace(ACTOR, (_, actor: string) => `by ${nameOf(actor)}`) } : event,
  );
}

function StatusNotice({ detail: { order } }: { readonly detail: OrderDetail }): ReactNode {
  if (order.shown === "Reversed") {
    return (
      <Notice tone="accent">
        This transaction succeeded and was reversed later: <b>FAILED after SUCCESS</b>. The money was returned to the client's wallet.
      </Notice>
    );
  }
  if (order.status !== "pending") return null;
  if (order.waiting === null) return <Notice>The transaction is in progress. The provider has not responded yet.</Notice>;
  const { why, polls, next_at: nextAt, needs_human: needsHuman } = order.waiting;
  return (
    <Notice tone={needsHuman ? "bad" : "wait"}>
      <p className="break-words">{whyText(why)}.</p>
      <p>
        {polls > 0 && `The provider was queried ${polls === 1 ? "once" : `${polls} times`} since then. `}
        {needsHuman ? (
          "It is no longer queried automatically. Check the result with the provider, then settle the transaction."
        ) : (
          <>
            The next check is at <Time value={nextAt} />.
          </>
        )}
      </p>
    </Notice>
  );
}

function whyText(why: string): string {
  const [, kind, rest] = /^(pending|unknown): (.*)$/.exec(why) ?? [];
  if (kind === "pending") return `The provider reports that it is pending: ${rest}`;
  return kind === "unknown" ? `The result is unknown: ${rest}` : `The transaction is pending: ${why}`;
}

function factsOf({ order }: OrderDetail): readonly (readonly [string, ReactNode])[] {
  const { operator_ref: operatorRef, reason, refunded, fee, circle } = order;
  return [
    [
      "Client",
      <Link key="client" to="/accounts/$accountId" params={{ accountId: order.account_id }} className="link">
        {order.account_name}
      </Link>,
    ],
    ["Number", <Code key="account" text={order.account} />],
    ["Operator", `${order.operator_name} (${order.operator})${circle === null ? "" : `, circle ${circle}`}`],
    ["Service", order.call === "" ? order.service : `${order.service}, ${order.call}`],
    ["Client's urid", <Code key="urid" text={order.urid} />],
    ["Order id", <Code key="order" text={order.order_id} />],
    ["Provider", order.provider],
    ...(operatorRef === null ? [] : [["Operator reference", <Code key="ref" text={operatorRef} />] as const]),
    ...(reason === null || reason === "" ? [] : [["Reason", reason] as const]),
    ...(/[1-9]/.test(fee) ? [["Fee", <Money key="fee" value={fee} />] as const] : []),
    ...(refunded === null ? [] : [["Refunded", <Money key="refunded" value={refunded} />] as const]),
    ["Accepted", <Time key="created" value={order.created_at} />],
    ["Last changed", <Time key="updated" value={order.updated_at} />],
  ];
}
