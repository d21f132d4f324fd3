import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isOpen } from "../../jobs/job.ts";
import { JobCard } from "../../jobs/job-card.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Stat } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { get } from "../api.ts";
import { ArchivedIn } from "../archived.tsx";
import { useMayJob } from "../jobs/job.ts";
import { SETTLERS, useMay } from "../session.ts";
import { isOutcome, OUTCOMES, type Outcome, type ReconciliationDetail } from "./data.ts";
import { ItemsTab } from "./items-tab.tsx";
import { SettleAll } from "./settle.tsx";

/** Outcomes that are always shown; the others appear only when they occur. */
const ALWAYS: readonly Outcome[] = ["differing", "missing_here", "missing_there", "matched"];

export function Result({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const { outcome } = useSearch({ from: "/console/reconciliation/$reconciliationId" });
  const navigate = useNavigate();
  const { counts } = reconciliation;
  if (counts === null) return null;
  const shown = (Object.keys(OUTCOMES) as Outcome[]).filter((name) => ALWAYS.includes(name) || counts[name].count > 0);
  const tab = isOutcome(outcome) ? outcome : (shown.find((name) => counts[name].count > 0 && name !== "matched") ?? "matched");
  const choose = (chosen: string) => void navigate({ to: ".", search: { outcome: chosen } as never, replace: true });
  return (
    <>
      <ArchivedIn what="Orders" days={{ from: reconciliation.day }} />
      <Figures reconciliation={reconciliation} />
      <SettleJobs reconciliation={reconciliation} />
      <Tabs
        label="Outcomes"
        value={tab}
        onChange={choose}
        tabs={shown.map((name) => ({
          value: name,
          label: `${OUTCOMES[name].label} (${countText(counts[name].count)})`,
          content: <ItemsTab reconciliation={reconciliation} outcome={name} />,
        }))}
      />
    </>
  );
}

function Figures({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const isAllowed = useMay(SETTLERS);
  const { counts, to_settle: toSettle } = reconciliation;
  if (counts === null) return null;
  const named = Object.values(counts);
  const untouched = named.reduce((sum, { count }) => sum + count, 0) - counts.matched.count === reconciliation.open;
  return (
    <div className="mb-6 grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Stat label="Matched" note={<>of {countText(reconciliation.rows)} rows</>}>
        {countText(counts.matched.count)}
      </Stat>
      <Stat label="Open differences" note={reconciliation.open === 0 ? "All differences are resolved." : "Settle or resolve each one."}>
        {countText(reconciliation.open)}
      </Stat>
      <Stat label="Matched value" note="Equal on both sides.">
        <Money value={counts.matched.here} />
      </Stat>
      <Stat label="Pending here, final at the provider" note={<Money value={toSettle.amount} />}>
        {countText(toSettle.count)}
      </Stat>
      {isAllowed && (
        <div className="flex flex-wrap gap-2 col-span-2 lg:col-span-4">
          {toSettle.count > 0 && <SettleAll reconciliation={reconciliation} />}
          {untouched && (
            <LinkButton
              to="/reconciliation/$reconciliationId"
              params={{ reconciliationId: reconciliation.reconciliation_id }}
              search={{ step: "mapping" }}
            >
              Run again with different columns
            </LinkButton>
          )}
        </div>
      )}
    </div>
  );
}

const KIND = "reconcile_settle";
const SHOWN = "50";

/** The running settlement jobs and the latest finished one. The service stores them, so a reload loses nothing. */
function SettleJobs({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const queries = useQueryClient();
  const mayStop = useMayJob(KIND);
  const { data } = useQuery({
    queryKey: ["/jobs", KIND, reconciliation.reconciliation_id],
    queryFn: async ({ signal }) => (await get("/jobs", { kind: KIND, limit: SHOWN }, signal)).items,
  });
  const settleJobs = data?.filter((job) => job.input["reconciliation_id"] === reconciliation.reconciliation_id) ?? [];
  const jobs = settleJobs.filter((job, index) => isOpen(job) || index === 0);
  if (jobs.length === 0) return null;
  const reload = () =>
    void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => String(first).startsWith("/reconciliations") });
  return (
    <div className="mb-6 max-w-3xl space-y-3">
      {jobs.map((job) => (
        <JobCard key={job.job_id} jobId={job.job_id} title="Settling from this file" isAllowed={mayStop} onEnd={reload} />
      ))}
    </div>
  );
}
