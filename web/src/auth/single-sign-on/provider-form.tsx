import type { ReactNode } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { singleSignOnText } from "../../messages/en/single-sign-on.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, Select, showFieldErrors, TextArea } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
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
      toast(singleSignOnText.singleSignOnWasSaved);
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, FIELDS, form.setError)) throw refused;
    }
  };
  const mayChange = site.readOnlyBecause === undefined;
  return (
    <form onSubmit={form.handleSubmit((values) => attempt(() => save(values)))} noValidate>
      <fieldset disabled={!mayChange} className="space-y-6">
        <ConnectionFields form={form} site={site} hasSecret={data.provider?.has_client_secret === true} />
        <RoleFields form={form} site={site} />
        <AccessFields form={form} site={site} />
        {error !== null && <ErrorCard error={error} />}
        {mayChange && (
          <Button type="submit" look="primary" busy={busy}>
            {singleSignOnText.save}
          </Button>
        )}
      </fieldset>
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
        label={singleSignOnText.name}
        hint={singleSignOnText.itIsShownOnThe}
        maxLength={60}
        error={errors.name?.message}
        {...register("name", { required: singleSignOnText.enterAName })}
      />
      <Field
        label={singleSignOnText.issuer}
        hint={singleSignOnText.theAddressBeforeWellKnown}
        spellCheck={false}
        placeholder="https://id.example.com"
        error={errors.issuer?.message}
        {...register("issuer", { required: singleSignOnText.enterTheIssuer })}
      />
      <Field
        label={singleSignOnText.clientId}
        spellCheck={false}
        autoComplete="off"
        error={errors.client_id?.message}
        {...register("client_id", { required: singleSignOnText.enterTheClientId })}
      />
      <Field
        label={singleSignOnText.clientSecret}
        type="password"
        autoComplete="new-password"
        hint={hasSecret ? singleSignOnText.aSecretIsStoredLeave : singleSignOnText.itIsStoredEncryptedAnd}
        error={errors.client_secret?.message}
        {...register("client_secret")}
      />
      {site.choosesDomains && (
        <TextArea
          label={singleSignOnText.emailDomains}
          hint={singleSignOnText.onePerLineOnlyPeople}
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
  const defaults = [
    { value: "", label: singleSignOnText.noneRefuseTheSignIn },
    ...site.roles.filter(({ value }) => value !== site.manager),
  ];
  return (
    <fieldset className="space-y-4 border-line border-t pt-5">
      <legend className="sr-only">{singleSignOnText.roles}</legend>
      <div className="grid gap-4 lg:grid-cols-2">
        <Field
          label={singleSignOnText.roleClaimOptional}
          hint={singleSignOnText.theClaimThatDecidesThe}
          spellCheck={false}
          error={errors.role_claim?.message}
          {...register("role_claim")}
        />
        <Select
          label={singleSignOnText.defaultRole}
          hint={singleSignOnText.forNewMembersAndWhere}
          options={defaults}
          error={errors.default_role?.message}
          {...register("default_role")}
        />
      </div>
      <TextArea
        label={singleSignOnText.valuesAndRolesOptional}
        hint={fill(singleSignOnText.oneRulePerLineSuch, { role: site.roles[1]?.value ?? "" })}
        className="[&_textarea]:font-mono"
        spellCheck={false}
        error={errors.role_map?.message}
        {...register("role_map")}
      />
      <Checkbox label={fill(singleSignOnText.theClaimMayGiveThe, { manager: site.manager })} {...register("grants_manager")} />
    </fieldset>
  );
}

const SECOND_FACTORS = [
  { value: "local", label: singleSignOnText.thisSiteAsksForIt },
  { value: "provider", label: singleSignOnText.theIdentityProviderAsksFor },
];

function AccessFields({ form: { register, formState }, site }: PartProps): ReactNode {
  return (
    <fieldset className="space-y-4 border-line border-t pt-5">
      <legend className="sr-only">{singleSignOnText.access}</legend>
      <Select
        label={singleSignOnText.secondFactor}
        hint={singleSignOnText.chooseTheIdentityProviderOnly}
        className="max-w-md"
        options={SECOND_FACTORS}
        {...register("second_factor")}
      />
      <Checkbox label={singleSignOnText.createMembersAtTheirFirst} {...register("creates_members")} />
      <Checkbox label={singleSignOnText.enabledTheSignInPage} {...register("enabled")} />
      <Checkbox label={fill(singleSignOnText.enforcedMembersWithAnAddress, { manager: site.manager })} {...register("enforced")} />
      {formState.errors.enforced?.message !== undefined && (
        <p className="text-bad text-xs font-medium">{formState.errors.enforced.message}</p>
      )}
    </fieldset>
  );
}
