import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../jobs/job.ts";
import { JobCard } from "../../jobs/job-card.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { countText, dayText } from "../../ui/formats/format.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { Notice, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { jobTitle, useMayJob } from "../jobs/job.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { SETTLERS, useMay } from "../session.ts";
import { bytesText, type ReconciliationDetail, reconciliationQuery, useReconciliationPost } from "./data.ts";
import { MappingStep } from "./mapping-step.tsx";
import { Result } from "./result.tsx";

/** A reconciliation: its column mapping, progress and result. */
export function ReconciliationPage(): ReactNode {
  const { reconciliationId } = useParams({ from: "/console/reconciliation/$reconciliationId" });
  const query = useQuery(reconciliationQuery(reconciliationId));
  return (
    <>
      <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
        {(reconciliation) => <ReconciliationView reconciliation={reconciliation} />}
      </QueryView>
      <Outlet />
    </>
  );
}

function ReconciliationView({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const { step } = useSearch({ from: "/console/reconciliation/$reconciliationId" });
  const isAllowed = useMay(SETTLERS);
  const showsMapping =
    reconciliation.state === "uploaded" || reconciliation.state === "failed" || reconciliation.state === "cancelled" || step === "mapping";
  return (
    <>
      <Head reconciliation={reconciliation} isAllowed={isAllowed} />
      {reconciliation.same_as !== null && <SameAs id={reconciliation.same_as} />}
      {reconciliation.state === "running" && <Running reconciliation={reconciliation} />}
      {reconciliation.state === "failed" && (
        <Ended>{(reconciliation.job && messageOf(reconciliation.job)) ?? "The run failed."} Run it again.</Ended>
      )}
      {reconciliation.state === "cancelled" && <Ended>The run was cancelled. Run it again, or delete the file.</Ended>}
      {showsMapping &&
        reconciliation.state !== "running" &&
        (isAllowed ? (
          <MappingStep reconciliation={reconciliation} />
        ) : (
          <Notice>This file is waiting to be run. Ask an admin, finance or operations colleague.</Notice>
        ))}
      {reconciliation.state === "done" && !showsMapping && <Result reconciliation={reconciliation} />}
    </>
  );
}

function Head({ reconciliation, isAllowed }: { readonly reconciliation: ReconciliationDetail; readonly isAllowed: boolean }): ReactNode {
  const params = { reconciliationId: reconciliation.reconciliation_id };
  return (
    <PageHeader
      title={`${reconciliation.provider}, ${dayText(reconciliation.day)}`}
      {...(isAllowed
        ? {
            actions: (
              <>
                {reconciliation.state === "done" && (
                  <LinkButton to="/reconciliation/$reconciliationId/exports" params={params} search={true}>
                    Export as CSV
                  </LinkButton>
                )}
                {reconciliation.state !== "running" && <Delete reconciliation={reconciliation} />}
              </>
            ),
          }
        : {})}
    >
      <span className="inline-flex flex-wrap items-center gap-2">
        <Status value={reconciliation.state} />
        <span className="wrap-anywhere">
          {reconciliation.name}, {countText(reconciliation.rows)} rows, {bytesText(reconciliation.bytes)}
        </span>
      </span>
    </PageHeader>
  );
}

function SameAs({ id }: { readonly id: string }): ReactNode {
  return (
    <div className="mb-5">
      <Notice>
        The same file was uploaded before:{" "}
        <Link to="/reconciliation/$reconciliationId" params={{ reconciliationId: id }} className="link">
          show the earlier upload
        </Link>
        .
      </Notice>
    </div>
  );
}

function Ended({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="mb-5">
      <Notice>{children}</Notice>
    </div>
  );
}

function Running({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const queries = useQueryClient();
  const mayStop = useMayJob(reconciliation.job?.kind);
  if (reconciliation.job === null) return <SkeletonCard />;
  const reload = () => void queries.invalidateQueries({ queryKey: ["/reconciliations"] });
  return (
    <div className="max-w-3xl space-y-3">
      <JobCard jobId={reconciliation.job.job_id} title={jobTitle(reconciliation.job)} isAllowed={mayStop} onEnd={reload} />
      <p className="text-soft">The file is loaded and compared with our orders. Then the day's orders are looked up in the file.</p>
    </div>
  );
}

function Delete({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const [asking, setAsking] = useState(false);
  const send = useReconciliationPost();
  const navigate = useNavigate();
  const remove = async (reason: string | undefined) => {
    await send("/reconciliations/:reconciliation_id/delete", { reconciliation_id: reconciliation.reconciliation_id, reason });
    toast(`The file ${reconciliation.name} was deleted.`);
    await navigate({ to: "/reconciliation" });
  };
  return (
    <>
      <Button look="danger" icon={Trash2} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <ReasonDialog title="Delete this upload?" action="Delete upload" danger onClose={() => setAsking(false)} run={remove}>
          Deletes the file, its lines and their notes. Orders do not change. A file that orders were settled from cannot be deleted.
        </ReasonDialog>
      )}
    </>
  );
}
