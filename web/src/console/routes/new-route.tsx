import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useMode } from "../../shell/mode.tsx";
import { Field, Select } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { type Operator, operatorsQuery } from "../operators/operators.ts";
import { type Provider, providersQuery, useProvidersChanged } from "../providers/provider.ts";
import { type Service, servicesQuery } from "../services/services.ts";
import { ConfirmRoute } from "./confirm-route.tsx";
import { ANY, isPlace, PLACE_ERROR, type Proposal, routeName, routeParams } from "./route.ts";

type NewRouteProps = {
  readonly preset: Partial<Record<"service" | "operator" | "provider", string | undefined>>;
  readonly onClose: () => void;
};

type Known = { readonly services: readonly Service[]; readonly operators: readonly Operator[]; readonly providers: readonly Provider[] };

/** Adds a route to a provider. */
export function NewRoute({ preset, onClose }: NewRouteProps): ReactNode {
  const services = useQuery(servicesQuery);
  const providers = useQuery(providersQuery);
  const operators = useQuery(operatorsQuery);
  const skeleton = <SkeletonCard lines={6} />;
  // The options load before the form, because a select without its options would lose its value.
  return (
    <Dialog title="New route" onClose={onClose}>
      <QueryView query={services} skeleton={skeleton}>
        {(known) => (
          <QueryView query={providers} skeleton={skeleton}>
            {(loaded) => (
              <QueryView query={operators} skeleton={skeleton}>
                {(codes) => <Steps preset={preset} onClose={onClose} known={{ services: known, providers: loaded, operators: codes }} />}
              </QueryView>
            )}
          </QueryView>
        )}
      </QueryView>
    </Dialog>
  );
}

type StepProps = NewRouteProps & { readonly known: Known };

/** First the form, then what the route will hit. */
function Steps({ preset, onClose, known }: StepProps): ReactNode {
  const navigate = useNavigate();
  const changed = useProvidersChanged();
  const mode = useMode();
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const form = useForm<Proposal>({
    defaultValues: {
      service: preset.service ?? "recharge",
      operator: preset.operator ?? "",
      provider: preset.provider ?? "",
      priority: "100",
      weight: "100",
    },
  });
  if (proposal === null) return <RouteFields form={form} known={known} onClose={onClose} onProposed={setProposal} />;
  const save = async (reason: string | undefined) => {
    const { priority, weight, ...key } = proposal;
    const saved = await post("/routes", { ...key, priority: Number(priority), weight: Number(weight), reason });
    await changed();
    toast(saved.notice ?? saved.warning ?? `Orders for ${routeName(saved)} now go to ${saved.provider}.`);
    await navigate({ to: "/routes/$route", params: routeParams(saved), search: true });
    onClose();
  };
  const connector = known.providers.find(({ provider }) => provider === proposal.provider)?.connector;
  return (
    <ConfirmRoute
      proposal={proposal}
      goesLive={mode === "trial" && connector !== "simulator"}
      action="Add route"
      onBack={() => setProposal(null)}
      onConfirm={save}
    />
  );
}

type FieldsProps = {
  readonly form: UseFormReturn<Proposal>;
  readonly known: Known;
  readonly onClose: () => void;
  readonly onProposed: (proposal: Proposal) => void;
};

function RouteFields({ form, known, onClose, onProposed }: FieldsProps): ReactNode {
  const { register, handleSubmit, formState } = form;
  const errorOf = (name: keyof Proposal) => formState.errors[name]?.message;
  const serviceOptions = known.services
    .map(({ service, name }) => ({ value: service, label: name }))
    .concat({ value: ANY, label: "All services" });
  const providerOptions = [
    { value: "", label: "Choose a provider" },
    ...known.providers.map(({ provider }) => ({ value: provider, label: provider })),
  ];
  return (
    <form onSubmit={handleSubmit((values) => onProposed({ ...values, operator: values.operator.trim() }))} className="space-y-4" noValidate>
      <Select label="Service" options={serviceOptions} error={errorOf("service")} {...register("service")} />
      <OperatorField form={form} operators={known.operators} />
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
          {...register("priority", { validate: (text) => isPlace(text) || PLACE_ERROR })}
        />
        <Field
          label="Weight"
          hint="1 to 1000. The share among routes of equal priority."
          inputMode="numeric"
          error={errorOf("weight")}
          {...register("weight", { validate: (text) => isPlace(text) || PLACE_ERROR })}
        />
      </div>
      <FormEnd onClose={onClose} busy={false}>
        Continue
      </FormEnd>
    </form>
  );
}

/** Recharge operators are chosen from the catalogue. Billers are the providers' own, so their codes are typed. */
function OperatorField({ form, operators }: { readonly form: FieldsProps["form"]; readonly operators: readonly Operator[] }): ReactNode {
  const { register, watch, formState } = form;
  const label = "Operator or biller";
  const error = formState.errors.operator?.message;
  if (watch("service") === "recharge") {
    const options = [
      { value: "", label: "Choose an operator" },
      ...operators.map(({ operator, name }) => ({ value: operator, label: `${name} (${operator})` })),
      { value: ANY, label: "All operators" },
    ];
    return <Select label={label} options={options} error={error} {...register("operator", { required: "Choose an operator." })} />;
  }
  return (
    <Field
      label={label}
      hint="The code, or * for all."
      autoComplete="off"
      error={error}
      {...register("operator", { required: "Enter a code, or * for all." })}
    />
  );
}
