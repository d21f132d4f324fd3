import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, type Option, Select, showFieldErrors } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { type Company, ENTITY_NAMES, optionsOf, statesQuery, useShowChange } from "./onboarding.ts";
import type { StepProps } from "./step.tsx";

type Values = {
  name: string;
  legal_name: string;
  entity_type: Company["entity_type"];
  pan: string;
  gstin: string;
  unregistered: boolean;
  line: string;
  city: string;
  state_code: string;
  pincode: string;
};
const FIELDS = ["name", "legal_name", "entity_type", "pan", "gstin", "line", "city", "state_code", "pincode"] as const;

/** Name, tax numbers and address. The service checks PAN and GSTIN. */
export function CompanyStep(props: StepProps): ReactNode {
  const states = useQuery(statesQuery);
  // The options load before the form, because a select without its options would lose its value.
  return (
    <QueryView query={states} skeleton={<SkeletonCard lines={8} />}>
      {(items) => (
        <CompanyForm {...props} states={items.map((one) => ({ value: one.state_code, label: `${one.state_code} ${one.name}` }))} />
      )}
    </QueryView>
  );
}

function CompanyForm({ onboarding, mayEdit, onNext, states }: StepProps & { readonly states: readonly Option[] }): ReactNode {
  const form = useForm<Values>({ defaultValues: valuesOf(onboarding.name, onboarding.company) });
  const { busy, error, attempt } = useAttempt();
  const show = useShowChange();
  const save = async (values: Values) => {
    try {
      const { account_id: accountId, version } = onboarding;
      await show(await post("/accounts/:account_id/onboarding", { account_id: accountId, version, ...detailsOf(values) }));
      onNext();
    } catch (refused) {
      if (!showFieldErrors<Values>(withShortNames(refused), FIELDS, form.setError)) throw refused;
    }
  };
  return (
    <Card title="Company" hint="As on the certificates. The numbers are checked when you save.">
      <form onSubmit={form.handleSubmit((values) => attempt(() => save(values)))} noValidate>
        <fieldset disabled={!mayEdit} className="space-y-4">
          <Names form={form} />
          <TaxNumbers form={form} />
          <Address form={form} states={states} />
          {error !== null && <ErrorCard error={error} />}
          {mayEdit && (
            <div className="flex justify-end">
              <Button type="submit" look="primary" busy={busy}>
                Save and continue
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  );
}

type Part = { readonly form: UseFormReturn<Values> };

function Names({ form: { register, formState } }: Part): ReactNode {
  const { errors } = formState;
  return (
    <>
      <Field label="Client name" maxLength={120} error={errors.name?.message} {...register("name", { required: "Enter a name." })} />
      <Field
        label="Legal name"
        maxLength={200}
        autoComplete="off"
        error={errors.legal_name?.message}
        {...register("legal_name", { required: "Enter the name on the PAN card." })}
      />
      <Select label="Kind of entity" options={optionsOf(ENTITY_NAMES)} error={errors.entity_type?.message} {...register("entity_type")} />
    </>
  );
}

function TaxNumbers({ form: { register, watch, formState } }: Part): ReactNode {
  const { errors } = formState;
  const unregistered = watch("unregistered");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="PAN"
          hint="Its fourth letter must fit the kind of entity."
          maxLength={10}
          autoComplete="off"
          spellCheck={false}
          error={errors.pan?.message}
          {...register("pan", { required: "Enter the PAN." })}
        />
        <Field
          label="GSTIN"
          hint="Contains the PAN; the last character is a check digit."
          maxLength={15}
          autoComplete="off"
          spellCheck={false}
          disabled={unregistered}
          error={errors.gstin?.message}
          {...register("gstin", { validate: (text, { unregistered: none }) => none || text.trim() !== "" || "Enter the GSTIN." })}
        />
      </div>
      <Checkbox label="The client is not registered for GST" {...register("unregistered")} />
    </>
  );
}

function Address({ form: { register, formState }, states }: Part & { readonly states: readonly Option[] }): ReactNode {
  const { errors } = formState;
  return (
    <>
      <Field
        label="Registered address"
        maxLength={300}
        error={errors.line?.message}
        {...register("line", { required: "Enter the address." })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="City" maxLength={100} error={errors.city?.message} {...register("city", { required: "Enter the city." })} />
        <Select
          label="State"
          options={[{ value: "", label: "Choose a state" }, ...states]}
          error={errors.state_code?.message}
          {...register("state_code", { required: "Choose a state." })}
        />
        <Field
          label="PIN code"
          inputMode="numeric"
          maxLength={6}
          error={errors.pincode?.message}
          {...register("pincode", { required: "Enter the PIN code." })}
        />
      </div>
    </>
  );
}

function valuesOf(name: string, company: Company | null): Values {
  return {
    name,
    legal_name: company?.legal_name ?? "",
    entity_type: company?.entity_type ?? "company",
    pan: company?.pan ?? "",
    gstin: company?.gstin ?? "",
    unregistered: company !== null && company.gstin === null,
    line: company?.address.line ?? "",
    city: company?.address.city ?? "",
    state_code: company?.address.state_code ?? "",
    pincode: company?.address.pincode ?? "",
  };
}

function detailsOf({ name, unregistered, gstin, line, city, state_code, pincode, ...company }: Values) {
  return { name, company: { ...company, gstin: unregistered ? null : gstin, address: { line, city, state_code, pincode } } };
}

/** The service names a field by its whole path, such as company.address.city. */
function withShortNames(refused: unknown): unknown {
  if (!(refused instanceof ApiError)) return refused;
  const fields = Object.fromEntries(Object.entries(refused.fields).map(([path, why]) => [path.split(".").at(-1) ?? path, why]));
  return new ApiError(refused.status, refused.error, refused.message, refused.requestId, fields);
}
