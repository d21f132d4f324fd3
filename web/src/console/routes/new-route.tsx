import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useMode } from "../../shell/mode.tsx";
import { useAttempt } from "../../ui/attempt.ts";
import { Dialog, FormEnd } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, showFieldErrors } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { post } from "../api.ts";
import { operatorsQuery } from "../operators/operators.ts";
import { type Provider, providersQuery, useProvidersChanged } from "../providers/provider.ts";
import { type Service, servicesQuery } from "../services/services.ts";
import { GoingLive } from "./going-live.tsx";
import { ANY, routeName, routeParams } from "./route.ts";

type Values = { service: string; operator: string; provider: string; priority: string; weight: string; understood: boolean };
const NAMES = ["service", "operator", "provider", "priority", "weight"] as const;

type NewRouteProps = {
  readonly preset: Partial<Record<"service" | "operator" | "provider", string | undefined>>;
  readonly onClose: () => void;
};

/** Adds a route to a provider. */
export function NewRoute({ preset, onClose }: NewRouteProps): ReactNode {
  const services = useQuery(servicesQuery);
  const providers = useQuery(providersQuery);
  const skeleton = <SkeletonCard lines={6} />;
  // The options load before the form, because a select without its options would lose its value.
  return (
    <Dialog title="New route" onClose={onClose}>
      <QueryView query={services} skeleton={skeleton}>
        {(known) => (
          <QueryView query={providers} skeleton={skeleton}>
            {(loaded) => <RouteFields preset={preset} onClose={onClose} services={known} providers={loaded} />}
          </QueryView>
        )}
      </QueryView>
    </Dialog>
  );
}

type RouteFieldsProps = NewRouteProps & { readonly services: readonly Service[]; readonly providers: readonly Provider[] };

function RouteFields({ preset, onClose, services, providers }: RouteFieldsProps): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const mode = useMode();
  const { data: operators = [] } = useQuery(operatorsQuery);
  const { register, handleSubmit, setError, formState, watch } = useForm<Values>({
    defaultValues: {
      service: preset.service ?? "recharge",
      operator: preset.operator ?? "",
      provider: preset.provider ?? "",
      priority: "100",
      weight: "100",
      understood: false,
    },
  });
  const { busy, error, attempt } = useAttempt();
  const save = async ({ priority, weight, understood: _, ...key }: Values) => {
    try {
      const saved = await post("/routes", {
        ...key,
        priority: Number(priority),
        weight: Number(weight),
      });
      await changed();
      toast(saved.notice ?? saved.warning ?? `Orders for ${routeName(saved)} now go to ${saved.provider}.`);
      await navigate({ to: "/routes/$route", params: routeParams(saved), search: true });
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, NAMES, setError)) throw refused;
    }
  };
  const chosen = providers.find(({ provider }) => provider === watch("provider"));
  const goesLive = mode === "trial" && chosen !== undefined && chosen.connector !== "simulator";
  const errorOf = (name: keyof Values) => formState.errors[name]?.message;
  const serviceOptions = services
    .map(({ service, name }) => ({ value: service, label: name }))
    .concat({ value: ANY, label: "All services" });
  const providerOptions = [
    { value: "", label: "Choose a provider" },
    ...providers.map(({ provider }) => ({ value: provider, label: provider })),
  ];
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-4" noValidate>
      <Select label="Service" options={serviceOptions} error={errorOf("service")} {...register("service")} />
      <Field
        label="Operator or biller"
        hint="The code, or * for all."
        list="route-operators"
        autoComplete="off"
        error={errorOf("operator")}
        {...register("operator", { required: "Enter a code, or * for all." })}
      />
      <datalist id="route-operators">
        {operators.map(({ operator, name }) => (
          <option key={operator} value={operator} label={name} />
        ))}
      </datalist>
      <Select
        label="Provider"
        options={providerOptions}
        error={errorOf("provider")}
        {...register("provider", { required: "Choose a provider." })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Priority"
          hint="1 to 1000. Lower priorities are tried first."
          inputMode="numeric"
          error={errorOf("priority")}
          {...register("priority")}
        />
        <Field
          label="Weight"
          hint="1 to 1000. The share among routes of equal priority."
          inputMode="numeric"
          error={errorOf("weight")}
          {...register("weight")}
        />
      </div>
      {goesLive && (
        <GoingLive error={errorOf("understood")} {...register("understood", { required: "Confirm that the installation goes live." })} />
      )}
      {error !== null && <ErrorCard error={error} />}
      <FormEnd onClose={onClose} busy={busy}>
        Add route
      </FormEnd>
    </form>
  );
}
