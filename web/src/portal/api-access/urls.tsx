import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { apiAccessText } from "../../messages/en/api-access.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { type CallbackSettings, callbackSettingsQuery } from "../callback-settings.ts";
import { useMay } from "../session.ts";

type Values = { callback_url: string; complaint_callback_url: string };
const NAMES = ["callback_url", "complaint_callback_url"] as const;

function valuesOf(settings: CallbackSettings): Values {
  return { callback_url: settings.callback_url ?? "", complaint_callback_url: settings.complaint_callback_url ?? "" };
}

export function Urls({ settings }: { readonly settings: CallbackSettings }): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    values: valuesOf(settings),
    resetOptions: { keepDirtyValues: true },
  });
  const save = handleSubmit((values) =>
    attempt(async () => {
      const before = valuesOf(settings);
      const changed = NAMES.filter((name) => values[name].trim() !== before[name]);
      const body = Object.fromEntries(changed.map((name) => [name, values[name].trim() === "" ? null : values[name].trim()]));
      try {
        queries.setQueryData(callbackSettingsQuery.queryKey, await post("/callback-settings/urls", body));
        toast(apiAccessText.theCallbackURLsWereSaved);
      } catch (refused) {
        if (!showFieldErrors(refused, NAMES, setError)) throw refused;
      }
    }),
  );
  const common = { type: "url", inputMode: "url", autoComplete: "off", spellCheck: false, readOnly: !isAllowed } as const;
  return (
    <Card title={apiAccessText.callbackURLs} hint={apiAccessText.publicHttpsAddressesAfterA}>
      <form onSubmit={(event) => void save(event)} noValidate className="max-w-3xl space-y-4">
        <Field
          {...common}
          label={apiAccessText.callbackUrl}
          placeholder="https://example.com/corprail/status"
          hint={apiAccessText.receivesFinalStatesOfTransactions}
          error={formState.errors.callback_url?.message}
          {...register("callback_url")}
        />
        <Field
          {...common}
          label={apiAccessText.complaintCallbackUrl}
          placeholder="https://example.com/corprail/complaints"
          hint={apiAccessText.receivesOutcomesOfComplaintsOptional}
          error={formState.errors.complaint_callback_url?.message}
          {...register("complaint_callback_url")}
        />
        {error !== null && <ErrorCard error={error} />}
        {isAllowed && (
          <Button type="submit" look="primary" busy={busy} disabled={!formState.isDirty}>
            {apiAccessText.save}
          </Button>
        )}
      </form>
    </Card>
  );
}
