import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { get } from "../../ui/api.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Card, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { type Check, type Watch, watchQuery } from "./data.ts";

/** The rules that must hold at every moment: as they are checked all the time, and now when somebody asks. */
export function Invariants(): ReactNode {
  const watch = useQuery(watchQuery);
  const check = useMutation({ mutationFn: () => get<Check>("/ledger/check") });
  return (
    <Card
      title="Invariants"
      hint="Ten rules that hold whatever happens. They are checked all the time, a few accounts after the other."
      actions={
        <Button icon={ShieldCheck} busy={check.isPending} onClick={() => check.mutate()}>
          Check everything now
        </Button>
      }
    >
      <div className="space-y-4">
        <QueryView query={watch} skeleton={<Skeleton className="w-2/3" />}>
          {(found) => <Watched watch={found} />}
        </QueryView>
        {check.isPending && (
          <p role="status" className="text-soft">
            Every wallet, transfer and order is looked at. With many of them that takes a while.
          </p>
        )}
        {check.error && <ErrorCard error={check.error} onRetry={() => check.mutate()} />}
        {check.data && !check.isPending && <Checked check={check.data} />}
      </div>
    </Card>
  );
}

function Watched({ watch }: { readonly watch: Watch }): ReactNode {
  if (watch.processes.length === 0) return <p className="text-soft">No process has begun its running check yet.</p>;
  return (
    <ul className="space-y-3">
      {watch.processes.map((process) => (
        <li key={process.process_id} className="space-y-2">
          <p className="flex flex-wrap items-center gap-2">
            <Verdict violations={process.violations} />
            <span>
              The running check found {process.violations === 0 ? "nothing" : countText(process.violations)}.{" "}
              {process.round_ended_at === null ? (
                "Its first round is under way: "
              ) : (
                <>
                  Its last whole round ended at <Time value={process.round_ended_at} />, in this one:{" "}
                </>
              )}
              {countText(process.checked)} of {countText(process.wallets)} wallets.
            </span>
          </p>
          {process.broken.map((one) => (
            <Notice key={`${one.account_id} ${one.check}`} tone="bad">
              <Link to="/ledger/accounts/$accountId" params={{ accountId: one.account_id }} className="link font-mono">
                {one.account_id}
              </Link>
              : {one.check}, broken {one.violations === 1 ? "once" : `${countText(one.violations)} times`}.
            </Notice>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Checked({ check }: { readonly check: Check }): ReactNode {
  return (
    <section aria-label="Check of everything" className="space-y-3">
      <p role="status">
        {check.ok ? "Every rule holds" : "Not every rule holds"}, checked at <Time value={check.checked_at} /> in{" "}
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
    <Badge tone="good">Holds</Badge>
  ) : (
    <Badge tone="bad">Broken {violations === 1 ? "once" : `${countText(violations)} times`}</Badge>
  );
}
