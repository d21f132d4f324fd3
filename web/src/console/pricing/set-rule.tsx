import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { Controller, type UseFormReturn, useForm } from "react-hook-form";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors } from "../../ui/forms/field.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { AMOUNT } from "../../ui/forms/typed-money.ts";
import { DAY } from "../../ui/forms/typed-time.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { type Approval, isWaitingAction } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { type AccountChoice, UNMATCHED, UNMATCHED_MESSAGE } from "../clients/account-choice.ts";
import { AccountField } from "../clients/account-field.tsx";
import { operatorOptionsQuery } from "../names.ts";
import { ConfirmForAll } from "./confirm-for-all.tsx";
import { ImpactOf } from "./impact.tsx";
import { type Rule, type ServiceNames, serviceNamesQuery, useRuleChange } from "./rule.ts";
import { bodyOf, NO_TERMS, type TermsText, termsOf } from "./terms.ts";

/** Steps of the dialog: the form, the confirmation of a rule for all accounts, and the wait for approval. */
type Step =
  | { readonly kind: "form" }
  | { readonly kind: "confirm"; readonly values: Values }
  | { readonly kind: "waits"; readonly approval: Approval };

type Values = TermsText & { valid_from: string; reason: string };

const RATES = ["percent", "flat", "min", "max"] as const;
const FIELDS = [
  ...(["account_id", "service", "operator", "valid_from", "reason"] as const),
  ...RATES.map((name) => `fee.${name}` as const),
  ...RATES.map((name) => `commission.${name}` as const),
];

type SetRuleProps = {
  readonly like?: Rule;
  /** The account that is chosen at first. */
  readonly accountId?: string;
  readonly onClose: () => void;
};

/** Sets a new rule, or replaces an existing one. */
export function SetRule({ like, accountId = "", onClose }: SetRuleProps): ReactNode {
  const services = useQuery(serviceNamesQuery);
  // The options load before the form, because a select without its options would lose its value.
  return (
    <Dialog title={like ? "Replace rule" : "Set rule"} wide onClose={onClose}>
      <QueryView query={services} skeleton={<SkeletonCard lines={8} />}>
        {(names) => <RuleForm {...(like ? { like } : {})} accountId={accountId} onClose={onClose} services={names} />}
      </QueryView>
    </Dialog>
  );
}

function RuleForm({ like, accountId = "", onClose, services }: SetRuleProps & { readonly services: ServiceNames }): ReactNode {
  const form = useForm<Values>({
    defaultValues: { ...(like ? termsOf(like) : { ...NO_TERMS, account_id: accountId }), valid_from: "", reason: "" },
  });
  const { busy, error, attempt, forget } = useAttempt();
  const [step, setStep] = useState<Step>({ kind: "form" });
  const set = useRuleChange(({ valid_from, reason, ...terms }: Values) =>
    post("/pricing", {
      ...bodyOf(terms),
      ...(valid_from === "" ? {} : { valid_from }),
      ...(reason.trim() === "" ? {} : { reason }),
    }),
  );
  const send = async (values: Values) => {
    try {
      const made = await set.mutateAsync(values);
      if (isWaitingAction(made)) return setStep({ kind: "waits", approval: made.approval });
      toast(made.state === "scheduled" ? "The rule is scheduled." : "The rule is in force.");
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, FIELDS, form.setError)) throw refused;
      setStep({ kind: "form" });
    }
  };
  const proceed = (values: Values) => {
    if (values.whose === "all" && step.kind === "form") return setStep({ kind: "confirm", values });
    void attempt(() => send(values));
  };
  if (step.kind === "waits") return <WaitingApproval approval={step.approval} onClose={onClose} />;
  if (step.kind === "confirm")
    return (
      <ConfirmForAll
        terms={step.values}
        services={services}
        busy={busy}
        error={error}
        onBack={() => setStep({ kind: "form" })}
        onConfirm={() => proceed(step.values)}
      />
    );
  return (
    <form onSubmit={form.handleSubmit(proceed)} onChange={forget} className="space-y-5" noValidate>
      <p className="text-soft">The rule applies to orders accepted after it starts, and replaces an earlier rule with the same scope.</p>
      <Scope form={form} services={services} />
      <RateFields form={form} name="fee" title="Fee" about="Charged to the client on top of the amount." />
      <RateFields form={form} name="commission" title="Commission" about="Credited to the client when an order succeeds." />
      <ImpactOf terms={form.watch()} />
      <When form={form} />
      {error !== null && <ErrorCard error={error} />}
      <FormEnd onClose={onClose} busy={busy}>
        {form.watch("whose") === "all" ? "Continue" : "Set rule"}
      </FormEnd>
    </form>
  );
}

const SCOPES = [
  { value: "one", label: "One account" },
  { value: "all", label: "All accounts" },
];

function accountError(choice: AccountChoice): string | true {
  if (choice === UNMATCHED) return UNMATCHED_MESSAGE;
  return choice === "" ? "Choose an account, or choose all accounts above." : true;
}

type Part = { readonly form: UseFormReturn<Values> };

function Scope({ form, services }: Part & { readonly services: ServiceNames }): ReactNode {
  const { register, control, watch, formState } = form;
  const { errors } = formState;
  const operators = useQuery(operatorOptionsQuery).data ?? [];
  const list = useId();
  const service = watch("service");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select label="Applies to" options={SCOPES} {...register("whose")} />
      {watch("whose") === "one" && (
        <Controller
          control={control}
          name="account_id"
          rules={{ validate: accountError }}
          render={({ field }) => (
            <AccountField label="Account" value={field.value} onChange={field.onChange} error={errors.account_id?.message} />
          )}
        />
      )}
      <Select
        label="Service"
        options={[{ value: "", label: "All services" }, ...[...services].map(([value, label]) => ({ value, label }))]}
        error={errors.service?.message}
        {...register("service", {
          // An operator of no service would be left out, and the rule would be wider than it looks.
          onChange: () => form.setValue("operator", ""),
        })}
      />
      <Field
        label="Operator"
        hint={service === "" ? "Choose a service first." : "Leave empty for all operators of the service."}
        placeholder={service === "recharge" ? "AT" : ""}
        disabled={service === ""}
        autoComplete="off"
        error={errors.operator?.message}
        {...(service === "recharge" ? { list } : {})}
        {...register("operator")}
      />
      <datalist id={list}>
        {operators.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  );
}

type RateProps = Part & { readonly name: "fee" | "commission"; readonly title: string; readonly about: string };

function RateFields({ form, name, title, about }: RateProps): ReactNode {
  const errors = form.formState.errors[name];
  const field = (part: (typeof RATES)[number], label: string, placeholder: string) => (
    <Field
      label={label}
      aria-label={`${title}: ${label}`}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      error={errors?.[part]?.message}
      {...form.register(`${name}.${part}`, part === "percent" ? {} : AMOUNT)}
    />
  );
  return (
    <fieldset className="rounded-lg border border-line px-4 pt-2 pb-4">
      <legend className="px-1 font-semibold">{title}</legend>
      <p className="mb-3 text-soft text-xs">{about}</p>
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {field("percent", "Percent", "0.00")}
        {field("flat", "Flat ₹", "0.00")}
        {field("min", "Minimum ₹", "none")}
        {field("max", "Maximum ₹", "none")}
      </div>
    </fieldset>
  );
}

function When({ form }: Part): ReactNode {
  const { errors } = form.formState;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Controller
        control={form.control}
        name="valid_from"
        rules={{ validate: (text) => text === "" || DAY.read(text) !== null || `Enter a day such as ${DAY.example}.` }}
        render={({ field: { value, onChange } }) => (
          <TimeField
            kind={DAY}
            label="Starts on"
            hint="Leave empty to start now. Otherwise it starts at midnight in India."
            value={value}
            onChange={onChange}
            error={errors.valid_from?.message}
          />
        )}
      />
      <Field
        label="Reason"
        className="sm:col-span-2"
        hint="Shown with the rule and in the audit log."
        maxLength={500}
        error={errors.reason?.message}
        {...form.register("reason")}
      />
    </div>
  );
}
