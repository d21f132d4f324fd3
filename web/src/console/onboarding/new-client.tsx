import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { post } from "../api.ts";
import { useShowChange } from "./onboarding.ts";

type Values = { name: string };

/** Asks for a name and begins the draft. */
export function NewClient({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const show = useShowChange();
  const { register, handleSubmit, setError, formState } = useForm<Values>({ defaultValues: { name: "" } });
  const { busy, error, attempt } = useAttempt();
  const begin = async (values: Values) => {
    try {
      const made = await post("/onboardings", values);
      await show(made);
      await navigate({ to: "/onboarding/$accountId", params: { accountId: made.account_id }, search: { step: "company" } });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name"], setError)) throw refused;
    }
  };
  return (
    <Dialog title="New client" onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => begin(values)))} className="space-y-4" noValidate>
        <p className="text-soft">
          The account begins with KYC and agreement pending and without a token. The client creates the first token in the portal.
        </p>
        <Field
          label="Client name"
          hint="As you call the client. The legal name is asked in the next step."
          maxLength={120}
          autoComplete="off"
          error={formState.errors.name?.message}
          {...register("name", { required: "Enter a name." })}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy}>
          Begin
        </FormEnd>
      </form>
    </Dialog>
  );
}
