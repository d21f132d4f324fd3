import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { TransactionCallbacks } from "../../callbacks/transaction-callbacks.tsx";
import { ReversedNotice, resultFacts, TransactionDetail } from "../../transactions/detail.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Fact, Notice } from "../../ui/page.tsx";
import { useActorNames } from "../audit/entry.ts";
import { useServiceName } from "../names.ts";
import { SUPPORT, useMay } from "../session.ts";
import { Attempts } from "./attempts.tsx";
import { CallbackAttempts } from "./callback-attempts.tsx";
import { type OrderDetail, orderQuery } from "./order.ts";

/** The details of an order. */
export function OrderView({ detail }: { readonly detail: OrderDetail }): ReactNode {
  const { order, attempts, callbacks, complaints } = detail;
  const serviceName = useServiceName(order.service);
  return (
    <TransactionDetail
      amount={order.amount_exact}
      shown={order.shown}
      notice={<StatusNotice detail={detail} />}
      facts={factsOf(order, serviceName)}
      timeline={useTimelineWithNames(detail)}
      complaints={complaints}
      postings={detail.postings.map((posting) => ({ ...posting, entry_id: `${order.account_id}-${posting.seq}` }))}
    >
      <Attempts attempts={attempts} operatorRef={order.operator_ref} orderId={order.order_id} />
      <TransactionCallbacks callbacks={callbacks} mayResend={useMay(SUPPORT)} transaction={orderQuery(order.order_id).queryKey}>
        {(callback) => <CallbackAttempts callback={callback} />}
      </TransactionCallbacks>
    </TransactionDetail>
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

function StatusNotice({ detail: { order, cancellations } }: { readonly detail: OrderDetail }): ReactNode {
  if (order.shown === "Reversed") return <ReversedNotice wallet="the client's wallet" />;
  if (cancellations.length > 0) return cancellations.map((one) => <CancellationNotice key={one.cancel_id} cancellation={one} />);
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

/** A cancellation of seats that the provider has not confirmed or refused. */
function CancellationNotice({ cancellation }: { readonly cancellation: OrderDetail["cancellations"][number] }): ReactNode {
  const { seats, doubt, asked_times: calls, next_at: nextAt } = cancellation;
  return (
    <Notice tone={doubt === null ? "wait" : "bad"}>
      <p>
        The cancellation of {seats.join(", ")} has no result yet. The provider was called {calls === 1 ? "once" : `${calls} times`}; the
        next call is due at <Time value={nextAt} />.
      </p>
      <p className="break-words">
        {doubt === null
          ? "If it does not answer, ask it yourself and decide the cancellation."
          : `${doubt}. Ask the provider whether the seats are cancelled, then decide the cancellation.`}
      </p>
    </Notice>
  );
}

function whyText(why: string): string {
  const [, kind, rest] = /^(pending|unknown): (.*)$/.exec(why) ?? [];
  if (kind === "pending") return `The provider reports that it is pending: ${rest}`;
  return kind === "unknown" ? `The result is unknown: ${rest}` : `The transaction is pending: ${why}`;
}

function factsOf(order: OrderDetail["order"], serviceName: string): readonly Fact[] {
  return [
    [
      "Client",
      <Link key="client" to="/accounts/$accountId" params={{ accountId: order.account_id }} className="link">
        {order.account_name}
      </Link>,
    ],
    ["Number", <Code key="account" text={order.account} />],
    ["Operator", `${order.operator_name} (${order.operator})${order.circle === null ? "" : `, circle ${order.circle}`}`],
    ["Service", order.call === "" ? serviceName : `${serviceName}, ${order.call}`],
    ["Client's urid", <Code key="urid" text={order.urid} />],
    ["Order id", <Code key="order" text={order.order_id} />],
    ["Provider", order.provider],
    ...resultFacts(order),
  ];
}
