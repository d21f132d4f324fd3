import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { FileDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { get } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Select } from "../../ui/field.tsx";
import { JobCard } from "../../ui/job-card.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Job, jobTitle, useMayJob } from "../jobs/job.ts";
import { OUTCOMES, useReconciliationPost } from "./data.ts";

const KIND = "reconcile_export";
const SHOWN = 50;
const OPTIONS = [{ value: "", label: "All lines" }, ...Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label }))];

/** Starts an export of a reconciliation and lists the latest exports. */
export function ReconciliationExports(): ReactNode {
  const { reconciliationId } = useParams({ from: "/console/reconciliation/$reconciliationId/exports" });
  const navigate = useNavigate();
  const close = () => void navigate({ to: "/reconciliation/$reconciliationId", params: { reconciliationId }, search: true });
  return (
    <Drawer title="Export as CSV" onClose={close}>
      <ExportForm reconciliationId={reconciliationId} />
      <Exports reconciliationId={reconciliationId} />
    </Drawer>
  );
}

function ExportForm({ reconciliationId }: { readonly reconciliationId: string }): ReactNode {
  const search = useSearch({ from: "/console/reconciliation/$reconciliationId" });
  const [outcome, setOutcome] = useState(search.outcome ?? "");
  const send = useReconciliationPost();
  const { busy, error, attempt } = useAttempt();
  const start = () => attempt(() => send(`/${reconciliationId}/export`, outcome === "" ? {} : { outcome }));
  return (
    <div className="space-y-4">
      <Select label="Lines" options={OPTIONS} value={outcome} onChange={(event) => setOutcome(event.target.value)} />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button look="primary" icon={FileDown} busy={busy} onClick={() => void start()}>
          Start export
        </Button>
      </div>
    </div>
  );
}

function Exports({ reconciliationId }: { readonly reconciliationId: string }): ReactNode {
  const may = useMayJob(KIND);
  const query = useQuery({
    queryKey: ["/jobs", KIND],
    queryFn: async ({ signal }) => (await get<{ items: readonly Job[] }>("/jobs", { kind: KIND, limit: SHOWN }, signal)).items,
  });
  return (
    <QueryView query={query} skeleton={<SkeletonCard />}>
      {(jobs) => {
        const exports = jobs.filter((job) => job.input["reconciliation_id"] === reconciliationId);
        if (exports.length === 0)
          return (
            <EmptyState icon={FileDown}>Exports will appear here with their progress. Files can be downloaded for seven days.</EmptyState>
          );
        return (
          <ul className="space-y-3" aria-label="Exports">
            {exports.map((job) => (
              <li key={job.job_id}>
                <JobCard jobId={job.job_id} title={jobTitle(job)} may={may} />
              </li>
            ))}
          </ul>
        );
      }}
    </QueryView>
  );
}
