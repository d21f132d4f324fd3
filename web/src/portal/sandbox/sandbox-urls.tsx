import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { type SandboxAccount, sandboxQuery } from "./data.ts";

type Values = { callback_url: string; complaint_callback_url: string };
const NAMES = ["callback_url", "complaint_callback_url"] as const;

type Props = { readonly sandboxAccount: SandboxAccount; readonly isAllowed: boolean };

/** The receivers of the sandbox's own callbacks. */
export function SandboxUrls({ sandboxAccount, isAllowed }: Props): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    values: { callback_url: sandboxAccount.callback_url ?? "", complaint_callback_url: sandboxAccount.complaint_callback_url ?? "" },
    resetOptions: { keepDirtyValues: true },
  });
  const save = handleSubmit((values) =>
    attempt(async () => {
      const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
      try {
        await post("/sandbox/urls", {
          callback_url: orNull(values.callback_url),
          complaint_callback_url: orNull(values.complaint_callback_url),
        });
        await queries.invalidateQueries({ queryKey: sandboxQuery.queryKey });
        toast(sandboxText.theSandboxsCallbackURLsWere);
      } catch (refused) {
        if (!showFieldErrors(refused, NAMES, setError)) throw refused;
      }
    }),
  );
  const common = { type: "url", inputMode: "url", autoComplete: "off", spellCheck: false, readOnly: !isAllowed } as const;
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="space-y-4 border-line border-t pt-4">
      <Field
        {...common}
        label={sandboxText.callbackUrl}
        placeholder="https://test.example.com/corprail/status"
        hint={sandboxText.aReceiverForTestResults}
        error={formState.errors.callback_url?.message}
        {...register("callback_url")}
      />
      <Field
        {...common}
        label={sandboxText.complaintCallbackUrl}
        placeholder="https://test.example.com/corprail/complaints"
        error={formState.errors.complaint_callback_url?.message}
        {...register("complaint_callback_url")}
      />
      {error !== null && <ErrorCard error={error} />}
      {isAllowed && (
        <Button type="submit" busy={busy} disabled={!formState.isDirty}>
          {sandboxText.saveURLs}
        </Button>
      )}
    </form>
  );
}
