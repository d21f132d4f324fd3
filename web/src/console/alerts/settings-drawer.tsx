import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { get, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Checkbox, Field, showFieldErrors } from "../../ui/field.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { ADMINS, useMay } from "../session.ts";

type Settings = {
  readonly provider_success_percent: number | null;
  readonly provider_success_orders: number;
  readonly breaker_open: boolean;
  readonly pending_orders: number | null;
  readonly human_tasks: number | null;
  readonly callback_minutes: number | null;
  readonly job_failures: number | null;
  readonly failed_jobs: number | null;
  readonly clock_seconds: number | null;
  readonly close_seconds: number;
};
type Threshold = Exclude<keyof Settings, "breaker_open">;

type Line = { readonly name: Threshold; readonly label: string; readonly hint: string; readonly needed?: boolean };

const LINES: readonly Line[] = [
  { name: "provider_success_percent", label: "Success of a provider below, in %", hint: "Of its orders in the last 15 minutes." },
  { name: "provider_success_orders", label: "Of at least so many orders", hint: "With fewer their share says nothing.", needed: true },
  { name: "pending_orders", label: "Orders pending for 10 minutes, more than", hint: "Their number, over all accounts." },
  { name: "human_tasks", label: "Orders for a person, from", hint: "Still in doubt after a day of asking." },
  { name: "callback_minutes", label: "Callbacks due for, in minutes", hint: "The oldest one that is due." },
  { name: "job_failures", label: "Housekeeping failed in a row, times", hint: "Something that the service does by itself." },
  { name: "failed_jobs", label: "Failed jobs within an hour, from", hint: "Exports and the like." },
  { name: "clock_seconds", label: "A clock off by, in seconds", hint: "Of a process, against the database's." },
  { name: "close_seconds", label: "Over after, in seconds", hint: "What has not been so for this long is over.", needed: true },
];

export function AlertSettingsDrawer(): ReactNode {
  const search = useSearch({ from: "/console/alerts" });
  const navigate = useNavigate();
  const admin = useMay(ADMINS);
  const close = () => void navigate({ to: "/alerts", search });
  const query = useQuery({ queryKey: ["/alert-settings"], queryFn: ({ signal }) => get<Settings>("/alert-settings", {}, signal) });
  return (
    <Drawer title="When to tell" onClose={close}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(settings) => (admin ? <SettingsForm settings={settings} onSaved={close} /> : <SettingsFacts settings={settings} />)}
      </QueryView>
    </Drawer>
  );
}

function SettingsFacts({ settings }: { readonly settings: Settings }): ReactNode {
  return (
    <>
      <Facts
        facts={[
          ...LINES.map(({ name, label }) => [label, settings[name] === null ? "never" : String(settings[name])] as const),
          ["A provider does not answer", settings.breaker_open ? "told" : "never"],
        ]}
      />
      <p className="text-soft">An admin can change them.</p>
    </>
  );
}

type Values = Record<Threshold, string> & { breaker_open: boolean };

function SettingsForm({ settings, onSaved }: { readonly settings: Settings; readonly onSaved: () => void }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const written = Object.fromEntries(LINES.map(({ name }) => [name, settings[name] === null ? "" : String(settings[name])]));
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { ...(written as Record<Threshold, string>), breaker_open: settings.breaker_open },
  });
  const save = async ({ breaker_open, ...values }: Values) => {
    const numbers = Object.fromEntries(LINES.map(({ name }) => [name, values[name].trim() === "" ? null : Number(values[name])]));
    try {
      queries.setQueryData(["/alert-settings"], await post<Settings>("/alert-settings", { ...numbers, breaker_open }));
      toast("From now on this is told.");
      onSaved();
    } catch (refused) {
      if (
        !showFieldErrors<Values>(
          refused,
          LINES.map(({ name }) => name),
          setError,
        )
      )
        throw refused;
    }
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-5" noValidate>
      <Notice tone="accent">What is left empty is never told. A violation of the ledger and a missing master key are always told.</Notice>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {LINES.map(({ name, label, hint, needed = false }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            inputMode="numeric"
            autoComplete="off"
            placeholder={needed ? "" : "never"}
            error={formState.errors[name]?.message}
            {...register(name, {
              validate: (text) => /^\d{1,6}$/.test(text.trim()) || (!needed && text.trim() === "") || "Enter a whole number.",
            })}
          />
        ))}
      </div>
      <Checkbox label="A provider does not answer, so that orders are kept away from it" {...register("breaker_open")} />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
