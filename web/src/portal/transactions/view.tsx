import type { ReactNode } from "react";
import { transactionsText } from "../../messages/en/transactions.ts";
import { rich } from "../../messages/rich.tsx";
import { ReversedNotice, resultFacts, TransactionDetail } from "../../transactions/detail.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Fact, Notice } from "../../ui/page.tsx";
import { useServiceName } from "../catalogue.ts";
import type { Detail } from "./data.ts";

/** The details of a transaction of the account or its sandbox. The page passes the callbacks as children, with its own actions. */
export function TransactionView({ detail, children }: { readonly detail: Detail; readonly children?: ReactNode }): ReactNode {
  const { transaction, timeline, ledger, complaints } = detail;
  const serviceName = useServiceName(transaction.service);
  return (
    <TransactionDetail
      amount={transaction.amount}
      shown={transaction.shown}
      notice={<StatusNotice transaction={transaction} />}
      facts={factsOf(transaction, serviceName)}
      timeline={timeline}
      complaints={complaints}
      postings={ledger}
    >
      {children}
    </TransactionDetail>
  );
}

function StatusNotice({ transaction: { shown, status, waiting } }: Pick<Detail, "transaction">): ReactNode {
  if (shown === "Reversed") return <ReversedNotice wallet={transactionsText.yourWallet} />;
  if (waiting === null || status !== "pending") return null;
  return (
    <Notice>
      {rich(transactionsText.theOperatorHasNotConfirmed, { time: <Time value={waiting.next_at} /> })}{" "}
      {waiting.needs_human && transactionsText.ourStaffAreReviewingIt}
    </Notice>
  );
}

function factsOf(transaction: Detail["transaction"], serviceName: string): readonly Fact[] {
  return [
    [transactionsText.number, <Code key="account" text={transaction.account} />],
    [transactionsText.operator, `${transaction.operator_name} (${transaction.operator})`],
    [transactionsText.service, serviceName],
    [transactionsText.yourUrid, <Code key="urid" text={transaction.urid} />],
    [transactionsText.orderId, <Code key="order" text={transaction.order_id} />],
    ...resultFacts(transaction),
  ];
}
