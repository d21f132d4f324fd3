import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { tokensText } from "../../messages/en/tokens.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { type ApiToken, credentialsQuery } from "./credentials.ts";
import { LastDayField } from "./last-day-field.tsx";

type Values = { name: string; expires_at: string };

/** Renames a token and sets its last day. The primary token and an expired one can only be renamed. */
export function EditToken({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const day = token.expires_at?.slice(0, 10) ?? "";
  const form = useForm<Values>({ defaultValues: { name: token.name, expires_at: day } });
  const { register, handleSubmit, setError, formState } = form;
  const { busy, error, attempt } = useAttempt();
  const send = async (values: Values) => {
    const expiry = values.expires_at === "" ? null : `${values.expires_at} 23:59:59`;
    const changes = { name: values.name, ...(values.expires_at === day ? {} : { expires_at: expiry }) };
    try {
      await post("/credentials/tokens/:token_id", { token_id: token.token_id, ...changes });
      await queries.invalidateQueries(credentialsQuery);
      toast(fill(tokensText.wasSaved, values));
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name", "expires_at"], setError)) throw refused;
    }
  };
  return (
    <Dialog title={fill(tokensText.editTheToken, token)} onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <Field
          label={tokensText.tokenName}
          maxLength={60}
          error={formState.errors.name?.message}
          {...register("name", { required: tokensText.enterAName })}
        />
        {!token.primary && !token.expired && <LastDayField form={form} />}
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy}>
            {tokensText.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
