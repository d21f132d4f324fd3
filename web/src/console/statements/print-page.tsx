import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { Button, LinkButton } from "../../ui/button.tsx";
import { dayText } from "../../ui/formats/format.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { monthText, type Statement, statementQuery } from "./statement.ts";
import { BalanceSteps, OperatorSums, SignedDaysTable } from "./tables.tsx";

/** The statement as a page for printing. */
export function PrintStatement(): ReactNode {
  const { accountId, month } = useParams({ from: "/console/statements/$accountId/$month" });
  const query = useQuery(statementQuery(accountId, month));
  return (
    <>
      <div className="mb-6 flex flex-wrap justify-between gap-2 print:hidden">
        <LinkButton to="/statements" search={{ account_id: accountId, month }}>
          Back to statement
        </LinkButton>
        <Button look="primary" icon={Printer} disabled={query.data === undefined} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(statement) => <Sheet statement={statement} />}
      </QueryView>
    </>
  );
}

function Sheet({ statement }: { readonly statement: Statement }): ReactNode {
  return (
    <article className="mx-auto max-w-[210mm] space-y-8 rounded-xl border border-line bg-surface p-6 sm:p-10 print:max-w-none print:rounded-none print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-4 border-line border-b pb-5">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">Statement of account</h1>
          <p className="mt-1 text-base">{monthText(statement.month)}</p>
        </div>
        <dl className="sm:text-right print:text-right">
          <dt className="sr-only">Account</dt>
          <dd className="text-base font-semibold">{statement.account_name}</dd>
          <dd className="font-mono text-soft">{statement.account_id}</dd>
          <dt className="sr-only">Period</dt>
          <dd className="text-soft">
            {dayText(statement.from)} to {dayText(statement.to)}, India time
          </dd>
        </dl>
      </header>
      {!statement.complete && <p className="font-medium text-wait">Provisional: the month is not over yet.</p>}
      <section aria-labelledby="balance">
        <h2 id="balance" className="mb-2 text-base font-semibold">
          Balance
        </h2>
        <BalanceSteps statement={statement} />
      </section>
      {statement.items.length > 0 && (
        <section aria-labelledby="operators">
          <h2 id="operators" className="mb-2 text-base font-semibold">
            Orders
          </h2>
          <OperatorSums statement={statement} />
        </section>
      )}
      {statement.signed_days.length > 0 && (
        <section aria-labelledby="signed-days">
          <h2 id="signed-days" className="mb-2 text-base font-semibold">
            Signed days
          </h2>
          <SignedDaysTable statement={statement} />
        </section>
      )}
      <footer className="border-line border-t pt-4 text-soft text-xs">
        <p>
          All amounts are in rupees and moved within the month. Net is the change of the balance: returned amounts and commission, less
          value and fees.
        </p>
      </footer>
    </article>
  );
}
