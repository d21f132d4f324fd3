import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { ADMINS, useMay } from "../session.ts";

type Settings = Schemas["AlertSettings"];
type Switch = "breaker_open" | "provider_float";
type Threshold = Exclude<keyof Settings, Switch>;

type ThresholdField = { readonly name: Threshold; readonly label: string; readonly hint: string; readonly needed?: boolean };

const THRESHOLDS: readonly ThresholdField[] = [
  {
    name: "provider_success_percent",
    label: "Provider success rate below, in %",
    hint: "Measured over its orders in the last 15 minutes.",
  },
  {
    name: "provider_success_orders",
    label: "Minimum number of orders",
    hint: "With fewer orders, the success rate is not meaningful.",
    needed: true,
  },
  { name: "pending_orders", label: "Orders pending over 10 minutes, more than", hint: "Counted over all accounts." },
  { name: "human_tasks", label: "Orders to settle manually, at least", hint: "Still in doubt after a day of checks." },
  { name: "callback_minutes", label: "Oldest callback overdue by, in minutes", hint: "The oldest callback that is due." },
  { name: "job_failures", label: "Background job failures in a row", hint: "Jobs that the service runs on a schedule." },
  { name: "failed_jobs", label: "Failed jobs within an hour, at least", hint: "Exports, reconciliations and recoveries." },
  { name: "provider_balance", label: "Balance at a provider below, in rupees", hint: "For providers that report the balance." },
  { name: "clock_seconds", label: "Clock difference, in seconds", hint: "Between a process and the database." },
  {
    name: "close_seconds",
    label: "Close after, in seconds",
    hint: "The alert closes after the condition has been clear for this long.",
    needed: true,
  },
];

export function AlertSettingsDrawer(): ReactNode {
  const search = useSearch({ from: "/console/alerts" });
  const navigate = useNavigate();
  const admin = useMay(ADMINS);
  const close = () => void navigate({ to: "/alerts", search });
  const query = useQuery({ queryKey: ["/alert-settings"], queryFn: ({ signal }) => get("/alert-settings", {}, signal) });
  return (
    <Drawer title="Alert settings" onClose={close}>
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
          ...THRESHOLDS.map(({ name, label }) => [label, settings[name] === null ? "Off" : String(settings[name])] as const),
          ["Provider not responding", settings.breaker_open ? "On" : "Off"],
          ["Provider declines for lack of balance", settings.provider_float ? "On" : "Off"],
        ]}
      />
      <p className="text-soft">Ask an admin to change these settings.</p>
    </>
  );
}

type Values = Record<Threshold, string> & Record<Switch, boolean>;

function SettingsForm({ settings, onSaved }: { readonly settings: Settings; readonly onSaved: () => void }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const written = Object.fromEntries(THRESHOLDS.map(({ name }) => [name, settings[name] === null ? "" : String(settings[name])]));
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      ...(written as Record<Threshold, string>),
      breaker_open: settings.breaker_open,
      provider_float: settings.provider_float,
    },
  });
  const save = async ({ breaker_open, provider_float, ...values }: Values) => {
    const numbers = Object.fromEntries(THRESHOLDS.map(({ name }) => [name, values[name].trim() === "" ? null : Number(values[name])]));
    try {
      queries.setQueryData(["/alert-settings"], await post("/alert-settings", { ...numbers, breaker_open, provider_float }));
      toast("The alert settings were saved.");
      onSaved();
    } catch (refused) {
      if (
        !showFieldErrors<Values>(
          refused,
          THRESHOLDS.map(({ name }) => name),
          setError,
        )
      )
        throw refused;
    }
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-5" noValidate>
      <Notice tone="accent">
        Leave a field empty to turn its alert off. Ledger violations and a missing master key always raise an alert.
      </Notice>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {THRESHOLDS.map(({ name, label, hint, needed = false }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            inputMode="numeric"
            autoComplete="off"
            placeholder={needed ? "" : "off"}
            error={formState.errors[name]?.message}
            {...register(name, {
              validate: (text) => /^\d{1,9}$/.test(text.trim()) || (!needed && text.trim() === "") || "Enter a whole number.",
            })}
          />
        ))}
      </div>
      <Checkbox label="Alert when a provider does not respond and orders are routed around it" {...register("breaker_open")} />
      <Checkbox label="Alert when a provider declines orders because our balance there is too low" {...register("provider_float")} />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
