import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { type Check, type ContinuousCheckState, continuousCheckQuery } from "./data.ts";

/** The ledger invariants: the result of the continuous check, and a full check on request. */
export function Invariants(): ReactNode {
  const continuousCheck = useQuery(continuousCheckQuery);
  const check = useMutation({ mutationFn: () => get("/ledger/check") });
  return (
    <Card
      title="Invariants"
      hint="The rules that must always hold. The service checks them continuously, a few accounts at a time."
      actions={
        <Button icon={ShieldCheck} busy={check.isPending} onClick={() => check.mutate()}>
          Run full check
        </Button>
      }
    >
      <div className="space-y-4">
        <QueryView query={continuousCheck} skeleton={<Skeleton className="w-2/3" />}>
          {(found) => <ContinuousCheck check={found} />}
        </QueryView>
        {check.isPending && (
          <p role="status" className="text-soft">
            Checking every wallet, transfer and order. This can take a while.
          </p>
        )}
        {check.error && <ErrorCard error={check.error} onRetry={() => check.mutate()} />}
        {check.data && !check.isPending && <FullCheck check={check.data} />}
      </div>
    </Card>
  );
}

function ContinuousCheck({ check }: { readonly check: ContinuousCheckState }): ReactNode {
  if (check.processes.length === 0) return <p className="text-soft">No process has started the continuous check yet.</p>;
  return (
    <ul className="space-y-3">
      {check.processes.map((process) => (
        <li key={process.process_id} className="space-y-2">
          <p className="flex flex-wrap items-center gap-2">
            <Verdict violations={process.violations} />
            <span>
              The continuous check found {process.violations === 0 ? "no violations" : `${countText(process.violations)} violations`}.{" "}
              {process.round_ended_at === null ? (
                "The first round is in progress: "
              ) : (
                <>
                  The last full round ended at <Time value={process.round_ended_at} />. This round:{" "}
                </>
              )}
              {countText(process.checked)} of {countText(process.wallets)} wallets.
            </span>
          </p>
          {process.broken.map((violation) => (
            <Notice key={`${violation.account_id} ${violation.check}`} tone="bad">
              <Link to="/ledger/accounts/$accountId" params={{ accountId: violation.account_id }} className="link font-mono">
                {violation.account_id}
              </Link>
              : {violation.check}, violated {violation.violations === 1 ? "once" : `${countText(violation.violations)} times`}.
            </Notice>
          ))}
        </li>
      ))}
    </ul>
  );
}

function FullCheck({ check }: { readonly check: Check }): ReactNode {
  return (
    <section aria-label="Full check" className="space-y-3">
      <p role="status">
        {check.ok ? "All checks passed" : "Some rules are violated"}, checked at <Time value={check.checked_at} /> in{" "}
        {countText(check.milliseconds)} ms.
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {check.checks.map(({ name, violations }) => (
          <li key={name} className="flex items-center justify-between gap-4 px-4 py-2">
            <span className="first-letter:uppercase">{name}</span>
            <Verdict violations={violations} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verdict({ violations }: { readonly violations: number }): ReactNode {
  return violations === 0 ? (
    <Badge tone="good">Passed</Badge>
  ) : (
    <Badge tone="bad">Violated {violations === 1 ? "once" : `${countText(violations)} times`}</Badge>
  );
}
