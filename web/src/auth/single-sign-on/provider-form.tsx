import type { ReactNode } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Checkbox, Field, Select, showFieldErrors, TextArea } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import { inputOf, readRules, type SignOnSite, type SingleSignOn, type Values, valuesOf } from "./settings.ts";

type Props = { readonly site: SignOnSite; readonly data: SingleSignOn; readonly onSaved: (next: SingleSignOn) => void };
type Form = UseFormReturn<Values>;

const FIELDS = ["name", "issuer", "client_id", "client_secret", "domains", "role_claim", "role_map", "default_role", "enforced"] as const;

/** The settings of the identity provider. */
export function ProviderForm({ site, data, onSaved }: Props): ReactNode {
  const form = useForm<Values>({ values: valuesOf(data) });
  const { busy, error, attempt } = useAttempt();
  const save = async (values: Values) => {
    const read = readRules(values.role_map, site.roles);
    if (!read.ok) return form.setError("role_map", { message: read.why });
    try {
      const saved = await site.save(inputOf(values, read.rules));
      if (saved === null) return;
      onSaved(saved);
      toast("Single sign-on was saved.");
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, FIELDS, form.setError)) throw refused;
    }
  };
  return (
    <form onSubmit={form.handleSubmit((values) => attempt(() => save(values)))} className="space-y-6" noValidate>
      <ConnectionFields form={form} site={site} hasSecret={data.provider?.has_client_secret === true} />
      <RoleFields form={form} site={site} />
      <AccessFields form={form} site={site} />
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="primary" busy={busy}>
        Save
      </Button>
    </form>
  );
}

type PartProps = { readonly form: Form; readonly site: SignOnSite };

function ConnectionFields({ form, site, hasSecret }: PartProps & { readonly hasSecret: boolean }): ReactNode {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Field
        label="Name"
        hint="It is shown on the sign-in page, such as “Acme ID”."
        maxLength={60}
        error={errors.name?.message}
        {...register("name", { required: "Enter a name." })}
      />
      <Field
        label="Issuer"
        hint="The address before /.well-known/openid-configuration."
        spellCheck={false}
        placeholder="https://id.example.com"
        error={errors.issuer?.message}
        {...register("issuer", { required: "Enter the issuer." })}
      />
      <Field
        label="Client ID"
        spellCheck={false}
        autoComplete="off"
        error={errors.client_id?.message}
        {...register("client_id", { required: "Enter the client ID." })}
      />
      <Field
        label="Client secret"
        type="password"
        autoComplete="new-password"
        hint={hasSecret ? "A secret is stored. Leave this empty to keep it." : "It is stored encrypted and never shown again."}
        error={errors.client_secret?.message}
        {...register("client_secret")}
      />
      {site.choosesDomains && (
        <TextArea
          label="Mail domains"
          hint="One per line. Only people with a verified address of these domains can sign in this way."
          className="[&_textarea]:font-mono lg:col-span-2"
          spellCheck={false}
          error={errors.domains?.message}
          {...register("domains")}
        />
      )}
    </div>
  );
}

function RoleFields({ form: { register, formState }, site }: PartProps): ReactNode {
  const { errors } = formState;
  const defaults = [{ value: "", label: "None: refuse the sign-in" }, ...site.roles.filter(({ value }) => value !== site.manager)];
  return (
    <fieldset className="space-y-4 border-line border-t pt-5">
      <legend className="sr-only">Roles</legend>
      <div className="grid gap-4 lg:grid-cols-2">
        <Field
          label="Role claim (optional)"
          hint="The claim that decides the role at every sign-in, such as groups or realm_access.roles. Without it, roles are assigned here."
          spellCheck={false}
          error={errors.role_claim?.message}
          {...register("role_claim")}
        />
        <Select
          label="Default role"
          hint="For new members, and where no value of the claim matches."
          options={defaults}
          error={errors.default_role?.message}
          {...register("default_role")}
        />
      </div>
      <TextArea
        label="Values and roles (optional)"
        hint={`One rule per line, such as “payments-team = ${site.roles[1]?.value}”. The first rule that matches counts.`}
        className="[&_textarea]:font-mono"
        spellCheck={false}
        error={errors.role_map?.message}
        {...register("role_map")}
      />
      <Checkbox label={`The claim may give the role ${site.manager}`} {...register("grants_manager")} />
    </fieldset>
  );
}

const SECOND_FACTORS = [
  { value: "local", label: "This site asks for it" },
  { value: "provider", label: "The identity provider asks for it" },
];

function AccessFields({ form: { register, formState }, site }: PartProps): ReactNode {
  return (
    <fieldset className="space-y-4 border-line border-t pt-5">
      <legend className="sr-only">Access</legend>
      <Select
        label="Second factor"
        hint="Choose the identity provider only if it requires a second factor of everybody."
        className="max-w-md"
        options={SECOND_FACTORS}
        {...register("second_factor")}
      />
      <Checkbox label="Create members at their first sign-in, without an invitation" {...register("creates_members")} />
      <Checkbox label="Enabled: the sign-in page offers single sign-on" {...register("enabled")} />
      <Checkbox
        label={`Enforced: members with an address of the mail domains cannot use a password or a passkey. One ${site.manager} must be an emergency account.`}
        {...register("enforced")}
      />
      {formState.errors.enforced?.message !== undefined && (
        <p className="text-bad text-xs font-medium">{formState.errors.enforced.message}</p>
      )}
    </fieldset>
  );
}
