import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileDown } from "lucide-react";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { get, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, showFieldErrors } from "../../ui/field.tsx";
import { type Job, JobCard } from "../../ui/job-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useMay, WORKERS } from "../session.ts";
import type { OrderSearch } from "./filter-names.ts";
import { orderQueryOf } from "./filters.ts";

type Values = { from: string; to: string };
type ExportJob = Job & { readonly input: Readonly<Record<string, string | number>> };

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const INDIA_MILLISECONDS = 5.5 * 60 * 60 * 1000;
const JOBS = ["/jobs", "orders_export"];

function indiaDay(ago: number): string {
  return new Date(Date.now() + INDIA_MILLISECONDS - ago * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Starts an export of the filtered orders and lists recent ones. The service stores them, so a reload loses nothing. */
export function OrderExportsDrawer(): ReactNode {
  const navigate = useNavigate();
  const may = useMay(WORKERS);
  return (
    <Drawer title="Export as CSV" onClose={() => void navigate({ to: "/transactions", search: true })}>
      {may ? <ExportForm /> : <Notice>Your role is read-only. Ask an admin or finance colleague to export.</Notice>}
      <Exports />
    </Drawer>
  );
}

function ExportForm(): ReactNode {
  const search: OrderSearch = useSearch({ from: "/console/transactions" });
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { from: search.from ?? indiaDay(6), to: search.to ?? indiaDay(0) },
  });
  const start = async (days: Values) => {
    try {
      await post("/orders/export", { ...orderQueryOf(search), ...days });
      await queries.invalidateQueries({ queryKey: JOBS });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["from", "to"], setError)) throw refused;
    }
  };
  const { errors } = formState;
  const { from: _from, to: _to, ...others } = search;
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => start(values)))} className="space-y-4" noValidate>
      <p className="text-soft">{filterText(others) ?? "All transactions of these days, for all clients."}</p>
      <div className="grid grid-cols-2 gap-4">
        <Field label="From" type="date" error={errors.from?.message} {...register("from", { required: "Choose a day." })} />
        <Field label="To" type="date" error={errors.to?.message} {...register("to", { required: "Choose a day." })} />
      </div>
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" icon={FileDown} busy={busy}>
          Start export
        </Button>
      </div>
    </form>
  );
}

/** The active filters in one sentence; null when there are none. */
function filterText(filters: Readonly<Record<string, string | number | undefined>>): string | null {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : `Only where ${given.map(([name, value]) => `${name.replaceAll("_", " ")} is ${value}`).join(", ")}.`;
}

const SHOWN_JOBS = 10;

function Exports(): ReactNode {
  const query = useQuery({
    queryKey: JOBS,
    queryFn: async ({ signal }) =>
      (await get<{ items: readonly ExportJob[] }>("/jobs", { kind: "orders_export", limit: SHOWN_JOBS }, signal)).items,
  });
  return (
    <QueryView query={query} skeleton={<SkeletonCard />}>
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyState icon={FileDown}>Exports will appear here with their progress. Files can be downloaded for seven days.</EmptyState>
        ) : (
          <ul className="space-y-3" aria-label="Exports">
            {jobs.map((job) => (
              <li key={job.job_id}>
                <JobCard jobId={job.job_id} title={titleOf(job)} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function titleOf({ input: { from, to, at: _at, ...filters } }: ExportJob): string {
  const days = from === to ? String(from) : `${from} to ${to}`;
  const narrowed = Object.values(filters);
  return `Transactions ${days}${narrowed.length === 0 ? "" : `, ${narrowed.join(", ")}`}`;
}
