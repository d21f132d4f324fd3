import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { tokensText } from "../../messages/en/tokens.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { post } from "../api.ts";
import { credentialsQuery } from "./credentials.ts";
import { LastDayField } from "./last-day-field.tsx";
import { SCOPES, type Scope } from "./token-scopes.ts";

type Values = { name: string; scopes: Scope[]; read_only: boolean; expires_at: string };

const NO_VALUES: Values = { name: "", scopes: [], read_only: false, expires_at: "" };

/** Asks for a name and limits, then shows the token once. */
export function NewToken({ onClose }: { readonly onClose: () => void }): ReactNode {
  const form = useForm<Values>({ defaultValues: NO_VALUES });
  const queries = useQueryClient();
  const [made, setMade] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const send = async ({ name, scopes, read_only, expires_at: day }: Values) => {
    const limits = { scopes: scopes.length === 0 ? null : scopes, read_only, expires_at: day === "" ? null : `${day} 23:59:59` };
    try {
      setMade((await post("/credentials/tokens", { name, ...limits })).api_token);
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name", "expires_at"], form.setError)) throw refused;
    }
    await queries.invalidateQueries(credentialsQuery);
  };
  if (made !== null)
    return (
      <SecretCard title={tokensText.yourNewApiToken} name={tokensText.apiToken} secret={made} onStored={onClose}>
        {tokensText.storeItInTheSystem}
      </SecretCard>
    );
  return (
    <Dialog title={tokensText.createAToken} onClose={onClose}>
      <form onSubmit={form.handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <TokenFields form={form} />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy}>
            {tokensText.createToken}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function TokenFields({ form }: { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, formState } = form;
  return (
    <>
      <Field
        label={tokensText.tokenName}
        hint={tokensText.theSystemThatWillUseIt}
        maxLength={60}
        error={formState.errors.name?.message}
        {...register("name", { required: tokensText.enterAName })}
      />
      <fieldset className="space-y-2">
        <legend className="font-medium">{tokensText.services}</legend>
        <p className="text-soft text-xs">{tokensText.withoutAChoice}</p>
        {SCOPES.map(([scope, label]) => (
          <Checkbox key={scope} label={label} value={scope} {...register("scopes")} />
        ))}
      </fieldset>
      <Checkbox label={tokensText.readOnlyGetRequests} {...register("read_only")} />
      <LastDayField form={form} />
    </>
  );
}
