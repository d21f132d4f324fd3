import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useMode } from "../../shell/mode.tsx";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Dialog, FormEnd } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, showFieldErrors } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { operatorsQuery } from "../operators/operators.ts";
import { type Provider, providersQuery, type Route, useProvidersChanged } from "../providers/provider.ts";
import { type Service, servicesQuery } from "../services/services.ts";
import { GoingLive } from "./going-live.tsx";
import { ANY, routeName, routeParams } from "./route.ts";

type Values = { service: string; operator: string; provider: string; priority: string; weight: string; understood: boolean };
const NAMES = ["service", "operator", "provider", "priority", "weight"] as const;

type NewRouteProps = {
  readonly given: Partial<Record<"service" | "operator" | "provider", string | undefined>>;
  readonly onClose: () => void;
};

/** Leads orders to a provider. */
export function NewRoute({ given, onClose }: NewRouteProps): ReactNode {
  const services = useQuery(servicesQuery);
  const providers = useQuery(providersQuery);
  const waiting = <SkeletonCard lines={6} />;
  // What is chosen from is there before the form is: a choice without its options would forget what it stands at.
  return (
    <Dialog title="New route" onClose={onClose}>
      <QueryView query={services} skeleton={waiting}>
        {(known) => (
          <QueryView query={providers} skeleton={waiting}>
            {(leading) => <RouteFields given={given} onClose={onClose} services={known} providers={leading} />}
          </QueryView>
        )}
      </QueryView>
    </Dialog>
  );
}

type RouteFieldsProps = NewRouteProps & { readonly services: readonly Service[]; readonly providers: readonly Provider[] };

function RouteFields({ given, onClose, services, providers }: RouteFieldsProps): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const mode = useMode();
  const { data: operators = [] } = useQuery(operatorsQuery);
  const { register, handleSubmit, setError, formState, watch } = useForm<Values>({
    defaultValues: {
      service: given.service ?? "recharge",
      operator: given.operator ?? "",
      provider: given.provider ?? "",
      priority: "100",
      weight: "100",
      understood: false,
    },
  });
  const { busy, error, attempt } = useAttempt();
  const save = async ({ priority, weight, understood: _, ...key }: Values) => {
    try {
      const saved = await post<Route & { readonly warning: string | null; readonly notice: string | null }>("/routes", {
        ...key,
        priority: Number(priority),
        weight: Number(weight),
      });
      await changed();
      toast(saved.notice ?? saved.warning ?? `${routeName(saved)} now leads to ${saved.provider}.`);
      await navigate({ to: "/routes/$route", params: routeParams(saved), search: true });
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, NAMES, setError)) throw refused;
    }
  };
  const chosen = providers.find((one) => one.provider === watch("provider"));
  const goesLive = mode === "trial" && chosen !== undefined && chosen.connector !== "simulator";
  const wrong = (name: keyof Values) => formState.errors[name]?.message;
  const serviceOptions = services.map((one) => ({ value: one.service, label: one.name })).concat({ value: ANY, label: "Every service" });
  const providerOptions = [{ value: "", label: "Choose one" }, ...providers.map((one) => ({ value: one.provider, label: one.provider }))];
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-4" noValidate>
      <Select label="Service" options={serviceOptions} error={wrong("service")} {...register("service")} />
      <Field
        label="Operator or biller"
        hint="Its code, or * for every one."
        list="route-operators"
        autoComplete="off"
        error={wrong("operator")}
        {...register("operator", { required: "Enter a code, or *." })}
      />
      <datalist id="route-operators">
        {operators.map((one) => (
          <option key={one.operator} value={one.operator} label={one.name} />
        ))}
      </datalist>
      <Select
        label="Leads to"
        options={providerOptions}
        error={wrong("provider")}
        {...register("provider", { required: "Choose a provider." })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Priority" hint="1 to 1000, lower first." inputMode="numeric" error={wrong("priority")} {...register("priority")} />
        <Field label="Weight" hint="1 to 1000, among equals." inputMode="numeric" error={wrong("weight")} {...register("weight")} />
      </div>
      {goesLive && (
        <GoingLive error={wrong("understood")} {...register("understood", { required: "Confirm that the installation goes live." })} />
      )}
      {error !== null && <ErrorCard error={error} />}
      <FormEnd onClose={onClose} busy={busy}>
        Add the route
      </FormEnd>
    </form>
  );
}
