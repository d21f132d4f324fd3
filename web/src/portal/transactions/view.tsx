import type { ReactNode } from "react";
import { ReversedNotice, resultFacts, TransactionDetail } from "../../transactions/detail.tsx";
import { Code } from "../../ui/copy.tsx";
import { type Fact, Notice } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import type { Detail } from "./data.ts";

/** The details of a transaction of the account or its sandbox. The page passes the callbacks as children, with its own actions. */
export function TransactionView({ detail, children }: { readonly detail: Detail; readonly children?: ReactNode }): ReactNode {
  const { transaction, timeline, ledger, complaints } = detail;
  return (
    <TransactionDetail
      amount={transaction.amount}
      shown={transaction.shown}
      notice={<StatusNotice transaction={transaction} />}
      facts={factsOf(transaction)}
      timeline={timeline}
      complaints={complaints}
      postings={ledger}
    >
      {children}
    </TransactionDetail>
  );
}

function StatusNotice({ transaction: { shown, status, waiting } }: Pick<Detail, "transaction">): ReactNode {
  if (shown === "Reversed") return <ReversedNotice wallet="your wallet" />;
  if (waiting === null || status !== "pending") return null;
  return (
    <Notice>
      The operator has not confirmed the final status yet. The next check is at <Time value={waiting.next_at} />.
      {waiting.needs_human && " Our staff are reviewing it."}
    </Notice>
  );
}

function factsOf(transaction: Detail["transaction"]): readonly Fact[] {
  return [
    ["Account", <Code key="account" text={transaction.account} />],
    ["Operator", `${transaction.operator_name} (${transaction.operator})`],
    ["Service", transaction.service],
    ["Your urid", <Code key="urid" text={transaction.urid} />],
    ["Order id", <Code key="order" text={transaction.order_id} />],
    ...resultFacts(transaction),
  ];
}
