import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileSignature, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { Button, DownloadButton, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { dayText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { Card, Notice, PageHeader, Stat } from "../../ui/page.tsx";
import { apiUrl } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { UNMATCHED } from "../clients/account-choice.ts";
import { AccountField } from "../clients/account-field.tsx";
import { useMay, WORKERS } from "../session.ts";
import { monthText, recentMonths, type Statement, statementQuery } from "./statement.ts";
import { BalanceSteps, OperatorSums, SignedDaysTable } from "./tables.tsx";

/** The monthly statement of an account, consistent with the ledger. */
export function StatementsPage(): ReactNode {
  const { account_id: accountId = "", month: chosen } = useSearch({ from: "/console/statements" });
  const navigate = useNavigate();
  const months = recentMonths(Date.now());
  const month = chosen ?? months[0]?.value ?? "";
  const choose = (changed: { readonly account_id?: string; readonly month?: string }) =>
    void navigate({
      to: "/statements",
      search: { ...(accountId === "" ? {} : { account_id: accountId }), month, ...changed },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title="Statements">
        The amounts an account paid, earned and got back in a month, by service and operator. The balances come from the ledger.
      </PageHeader>
      <search className="mb-6 grid max-w-2xl gap-4 sm:grid-cols-2">
        <AccountField label="Account" value={accountId} onChange={(choice) => choose({ account_id: choice === UNMATCHED ? "" : choice })} />
        <Select
          label="Month"
          options={months.some(({ value }) => value === month) ? months : [{ value: month, label: monthText(month) }, ...months]}
          value={month}
          onChange={(event) => choose({ month: event.target.value })}
        />
      </search>
      {accountId === "" ? <NoAccountChosen /> : <LoadedStatement accountId={accountId} month={month} />}
    </>
  );
}

function NoAccountChosen(): ReactNode {
  return (
    <Card>
      <EmptyState icon={FileText} code={CODE} codeTitle="Read a statement with the operator API">
        The monthly statement will appear here. Choose an account to see it.
      </EmptyState>
    </Card>
  );
}

const CODE = [
  `curl "${location.origin}/api/operator/v1/accounts/A1B2C3D4E5F6/statements?month=2026-11" \\`,
  `  -H "Authorization: Bearer opk_..."`,
].join("\n");

function LoadedStatement({ accountId, month }: { readonly accountId: string; readonly month: string }): ReactNode {
  const query = useQuery(statementQuery(accountId, month));
  return (
    <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
      {(statement) => <StatementCards statement={statement} />}
    </QueryView>
  );
}

function StatementCards({ statement }: { readonly statement: Statement }): ReactNode {
  const { account_id: accountId, month, totals } = statement;
  return (
    <div className="space-y-6">
      {statement.archived && (
        <Notice>
          The entries of this month are archived. Its balances and sums are kept. An administrator finds the entries with{" "}
          <code className="break-words font-mono">
            corprail archive find FOLDER --account {accountId} --month {month}
          </code>
          .
        </Notice>
      )}
      {!statement.complete && <Notice>The month is not over yet. These figures are provisional.</Notice>}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Stat label="Opening balance" note={dayText(statement.from)}>
          <Money value={statement.opening_balance} />
        </Stat>
        <Stat label="Closing balance" note={statement.complete ? dayText(statement.to) : "As of now"}>
          <Money value={statement.closing_balance} />
        </Stat>
        <Stat label="Fees" note="Charged on successful orders">
          <Money value={totals.fees} />
        </Stat>
        <Stat label="Commission" note="Credited, before reversals">
          <Money value={totals.commission} />
        </Stat>
      </div>
      <Card title={`${statement.account_name}, ${monthText(month)}`} actions={<ExportActions statement={statement} />}>
        <BalanceSteps statement={statement} />
      </Card>
      <Card flush title="By service and operator">
        {statement.items.length === 0 ? (
          <EmptyState icon={FileText}>No order moved money in this month.</EmptyState>
        ) : (
          <OperatorSums statement={statement} />
        )}
      </Card>
      <Card flush title="Signed days" hint="The Merkle root of each day's transfers, signed after the day.">
        {statement.signed_days.length === 0 ? (
          <EmptyState icon={FileSignature}>No day of this month is signed yet. A day with transfers is signed after its end.</EmptyState>
        ) : (
          <SignedDaysTable statement={statement} />
        )}
      </Card>
    </div>
  );
}

/** Starts the export of all entries as a job, which shows its progress and keeps the file. */
function BackgroundExport({ accountId, month }: { readonly accountId: string; readonly month: string }): ReactNode {
  const navigate = useNavigate();
  const { busy, error, attempt } = useAttempt();
  const start = async () => {
    const { job } = await post("/statement-exports", { account_id: accountId, month });
    await navigate({ to: "/jobs/$jobId", params: { jobId: job.job_id } });
  };
  return (
    <>
      <Button busy={busy} onClick={() => void attempt(start)}>
        Export in the background
      </Button>
      {error !== null && <ErrorCard error={error} />}
    </>
  );
}

function ExportActions({ statement }: { readonly statement: Statement }): ReactNode {
  const { account_id: accountId, month, archived } = statement;
  const mayExport = useMay(WORKERS);
  return (
    <>
      {!archived && (
        <>
          <DownloadButton href={apiUrl(`/accounts/${accountId}/statements/${month}.csv`)}>Download CSV</DownloadButton>
          {mayExport && <BackgroundExport accountId={accountId} month={month} />}
          <DownloadButton href={apiUrl(`/accounts/${accountId}/signed-statements/${month}.jsonl`)}>Download signed file</DownloadButton>
        </>
      )}
      <LinkButton to="/statements/$accountId/$month" params={{ accountId, month }}>
        Open print view
      </LinkButton>
    </>
  );
}
