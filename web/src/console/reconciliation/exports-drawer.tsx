import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { FileDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ExportList } from "../../exports/export-list.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { jobsQuery, jobTitle, useMayJob } from "../jobs/job.ts";
import { isOutcome, OUTCOMES, useReconciliationPost } from "./data.ts";

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
  const start = () =>
    attempt(() =>
      send("/reconciliations/:reconciliation_id/export", {
        reconciliation_id: reconciliationId,
        outcome: isOutcome(outcome) ? outcome : undefined,
      }),
    );
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
  const query = useQuery({
    ...jobsQuery(KIND, SHOWN),
    select: (jobs) => jobs.filter((job) => job.input["reconciliation_id"] === reconciliationId),
  });
  return <ExportList query={query} title={jobTitle} isAllowed={useMayJob(KIND)} />;
}
