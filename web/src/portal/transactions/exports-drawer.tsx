import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileDown } from "lucide-react";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { readStatus, type ShownStatus, STATUS_OPTIONS } from "../../orders/statuses.ts";
import type { Schemas } from "../../portal-api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, showFieldErrors } from "../../ui/field.tsx";
import { JobCard } from "../../ui/job-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { useServiceOptions } from "../catalogue.ts";
import { useMay } from "../session.ts";

type Values = { from: string; to: string; status: ShownStatus | ""; service: string };

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const INDIA_MILLISECONDS = 5.5 * 60 * 60 * 1000;
const JOBS = ["/jobs", "list"];

function indiaDay(ago: number): string {
  return new Date(Date.now() + INDIA_MILLISECONDS - ago * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Starts an export and lists recent ones. The service stores them, so a reload loses nothing. */
export function ExportsDrawer(): ReactNode {
  const navigate = useNavigate();
  const may = useMay("workers");
  return (
    <Drawer title="Export as CSV" onClose={() => void navigate({ to: "/transactions", search: true })}>
      {may ? (
        <>
          <ExportForm />
          <Exports />
        </>
      ) : (
        <Notice>Your role is read-only. Ask an owner of the account to change your role.</Notice>
      )}
    </Drawer>
  );
}

function ExportForm(): ReactNode {
  const search = useSearch({ from: "/shell/transactions" });
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      from: search.from ?? indiaDay(6),
      to: search.to ?? indiaDay(0),
      status: readStatus(search.status) ?? "",
      service: search.service ?? "",
    },
  });
  const start = async ({ from, to, status, service }: Values) => {
    try {
      await post("/exports", { from, to, status: status || null, service: service || null });
      await queries.invalidateQueries({ queryKey: JOBS });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["from", "to", "status", "service"], setError)) throw refused;
    }
  };
  const all = { value: "", label: "All" };
  const { errors } = formState;
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => start(values)))} className="grid grid-cols-2 gap-4" noValidate>
      <Field label="From" type="date" error={errors.from?.message} {...register("from", { required: "Choose a day." })} />
      <Field label="To" type="date" error={errors.to?.message} {...register("to", { required: "Choose a day." })} />
      <Select label="Status" options={[all, ...STATUS_OPTIONS]} error={errors.status?.message} {...register("status")} />
      <Select label="Service" options={[all, ...useServiceOptions()]} error={errors.service?.message} {...register("service")} />
      {error !== null && (
        <div className="col-span-2">
          <ErrorCard error={error} />
        </div>
      )}
      <div className="col-span-2 flex justify-end">
        <Button type="submit" look="primary" icon={FileDown} busy={busy}>
          Start export
        </Button>
      </div>
    </form>
  );
}

function Exports(): ReactNode {
  const { data, error } = useQuery({
    queryKey: JOBS,
    queryFn: async ({ signal }) => (await get("/jobs", { limit: "50" }, signal)).items,
  });
  if (error) return <ErrorCard error={error} />;
  if (data === undefined) return <SkeletonCard />;
  const jobs = data.filter((job) => job.kind === "export").slice(0, 10);
  if (jobs.length === 0) {
    return <EmptyState icon={FileDown}>Exports will appear here with their progress. Files can be downloaded for seven days.</EmptyState>;
  }
  return (
    <ul className="space-y-3" aria-label="Exports">
      {jobs.map((job) => (
        <li key={job.job_id}>
          <JobCard jobId={job.job_id} title={titleOf(job)} />
        </li>
      ))}
    </ul>
  );
}

function titleOf({ input }: Schemas["Job"]): string {
  const { from, to, status } = input;
  const days = from === to ? from : `${from} to ${to}`;
  return `Transactions ${days}${status === null ? "" : `, ${status}`}`;
}
